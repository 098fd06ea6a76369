#include <etch/rewrite/strided_slices.hpp>

using namespace etch;

namespace {

/// Whether entries of shape `s`, so far apart along each axis, are the first ones of memory of shape `memory`.
constexpr bool lies_in(shape const& s, strides const& step, shape const& memory) {
  auto const found = pass::memory_around({5, step}, s, element::f64);
  return found && *found == memory;
}
constexpr bool lies_in_nothing(shape const& s, strides const& step) {
  return !pass::memory_around({0, step}, s, element::f64);
}

}  // namespace

// Rows of a matrix, the middle of a cube, and both.
static_assert(lies_in(make_shape(32, 7), {1, 100}, make_shape(100, 7)));
static_assert(lies_in(make_shape(8, 5, 3), {1, 8, 80}, make_shape(8, 10, 3)));
static_assert(lies_in(make_shape(8, 5, 3), {1, 9, 90}, make_shape(9, 10, 3)));
static_assert(lies_in(make_shape(8, 1, 3), {1, 77, 16}, make_shape(16, 1, 3)), "an axis of one entry has no step");
static_assert(lies_in(make_shape(16), {1}, make_shape(16)));

static_assert(lies_in_nothing(make_shape(7, 20), {1, 100}), "few entries adjoin");
static_assert(pass::fills_registers(64, element::f32) && pass::fills_registers(65, element::f32) &&
              !pass::fills_registers(7, element::f64));
static_assert(pass::fills_registers(9, element::f64) == (register_bytes < 32), "one entry is left of a register");
static_assert(lies_in_nothing(make_shape(32, 7), {7, 1}), "transposed");
static_assert(lies_in_nothing(make_shape(32, 7), {2, 100}), "every other entry");
static_assert(lies_in_nothing(make_shape(32, 7), {1, 0}), "one column, repeated");
static_assert(lies_in_nothing(make_shape(32, 7), {1, 31}), "columns that overlap");
static_assert(lies_in_nothing(make_shape(32, 7), {1, -32}), "backwards");
static_assert(lies_in_nothing(make_shape(8, 2, 3), {1, 10, 25}), "no array has these steps");

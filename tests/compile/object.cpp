#include <etch/compile/object.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <type_traits>

namespace {

using namespace etch;

constexpr auto square_of = [](auto x) { return sum(x * x); };
constexpr auto also_square = [](auto x) { return sum(x * x); };

auto& step_in_a_function(double const& x) { return compile<wrt<0>, in_static_storage>(square_of, x); }

TEST_CASE("a program in static storage is one object for a loss, its options and the types of its arguments") {
  auto& step = compile<wrt<0>, in_static_storage>(square_of, 1.0);
  static_assert(std::is_reference_v<decltype(compile<wrt<0>, in_static_storage>(square_of, 1.0))>);
  CHECK(&step == &compile<wrt<0>, in_static_storage>(square_of, 2.0));
  CHECK(&step == &step_in_a_function(3.0));
  CHECK(step(3.0) == 9.0);
  CHECK(step_in_a_function(0).grad<0>() == 6.0);

  auto& other = compile<wrt<0>, in_static_storage>(also_square, 1.0);
  static_assert(same_program<decltype(step), decltype(other)>);  // of the same structure, and yet two objects
  CHECK(static_cast<void const*>(&step) != static_cast<void const*>(&other));
  other(5.0);
  CHECK(step.grad<0>() == 6.0);
  CHECK(static_cast<void const*>(&step) !=
        static_cast<void const*>(&compile<wrt<>, in_static_storage>(square_of, 1.0)));
  CHECK(static_cast<void const*>(&step) !=
        static_cast<void const*>(&compile<wrt<0>, in_static_storage>(square_of, 1.0f)));
}

template <class T>
struct line {
  param<T, 2> slope;
  param<T> offset;
  ETCH_MEMBERS(line, slope, offset)
};

TEST_CASE("programs of members lie in static storage as well, and text shows them") {
  constexpr auto loss = [](auto model, auto x) { return square(dot(model.slope, x) + model.offset); };
  line<double> const model{{1, 2}, 3};
  tensor<double, 2> const x{1, 1};
  auto& step = compile<wrt_members<0, "offset">, in_static_storage>(loss, model, x);
  CHECK(step(model, x) == 36);
  CHECK(step.grad<"offset">() == 12);
  CHECK(&step == &compile<wrt_members<0, "offset">, in_static_storage>(loss, model, x));
  CHECK(to_text(compile<wrt<0>, in_static_storage>(loss, model, x)).find("gradient 0.offset") != std::string::npos);
  static_assert(std::remove_cvref_t<decltype(step)>::facts.allocations == 0);
}

// A program of static storage is a constant, of whatever size: no initialiser runs.
constexpr auto of_images = [](auto x) { return sum(square(tanh(x))); };
[[maybe_unused]] constinit auto large = compile(of_images, tensor<float, 1024, 1024>{});
static_assert(sizeof(large) > detail::largest_local_program);
static_assert(decltype(large)::facts.object_bytes == sizeof(large));

}  // namespace

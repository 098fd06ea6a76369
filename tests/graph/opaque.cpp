#include <etch/graph/opaque.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr opaque_call f(std::uint32_t{7});

// A call is an attribute and back.
static_assert(attribute(opaque_call(attribute(f.by(2).by(0)))) == attribute(f.by(2).by(0)));
static_assert(opaque_call(attribute(f.by(1).transposed())).along && !f.by(1).along);
static_assert(attribute(f.by(1).transposed().transposed()) == attribute(f.by(1)));
static_assert(f.by(3).function == 7);

// Paths: what they begin with, what is left of them, and the operand that they end with.
static_assert(f.path == 0 && !f.is_adjoint() && f.result() == 0);
static_assert(f.by(4).is_first_order() && !f.by(4).by(0).is_first_order());
static_assert(f.by(4).by(0).first() == 4 && f.by(4).by(0).result() == 0);
static_assert(f.by(0).by(4).rest().path == f.by(4).path && f.by(0).by(4).result() == 4);
static_assert(f.by(4).transposed().result() == 0 && !f.by(4).transposed().is_adjoint());

// Adjoints of one function are computed at once; the function, its other derivatives and those of others are not.
static_assert(f.by(0).is_beside(f.by(5)) && f.by(2).by(0).is_beside(f.by(2).by(1)));
static_assert(!f.by(2).by(0).is_beside(f.by(3).by(0)) && !f.by(2).by(0).is_beside(f.by(2)));
static_assert(!f.by(0).is_beside(f) && !f.by(0).is_beside(f.by(0).transposed()));
static_assert(!f.by(0).is_beside(opaque_call(std::uint32_t{8}).by(0)));

TEST_CASE("a path that is too long, or an operand too far, leads to what no function has") {
  opaque_call c = f;
  for (int i = 0; i < 6; ++i) c = c.by(opaque_call::most_inputs - 1 + 2 * i);
  opaque_call const last = c;
  for (int i = 5; i > 0; --i) c = c.rest();
  CHECK(c.first() == opaque_call::most_inputs + 9);
  CHECK(last.by(0).path == (1u << opaque_call::longest) - 1);
  CHECK(last.by(0).by(0).path == last.by(1).path);
  CHECK(last.by(0).first() >= opaque_call::most_inputs);
  CHECK(f.by(opaque_call::most_operands).path == last.by(0).path);
}

}  // namespace

#include <etch/op/known.hpp>
#include <etch/tape/recorded_op.hpp>
#include <etch/tape/tape.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

static_assert(is_known<op::zeta>(), "while compilers evaluate, every op is");

static_assert([] {
  graph g;
  term const x = input(g, element::f64, make_shape(3), 0);
  return emit_known<op::exp>(0, x) == emit<op::exp>(0, x);
}());

TEST_CASE("an op that is put into a graph while the program runs is known to tapes of both types") {
  graph g;
  term const x = input(g, element::f64, make_shape(3), 0);
  term const y = emit<op::exp>(0, x);
  CHECK(is_known<op::exp>());
  CHECK(emit_known<op::exp>(0, x) == y);
  CHECK((dynamic::recorded_op_of<float>(*y).loop != nullptr));
  CHECK((dynamic::recorded_op_of<double>(*y).loop != nullptr));
  CHECK((dynamic::recorded_op_of<double>(*y).pullback != nullptr));
  CHECK((dynamic::recorded_op_of<double>(*y).expand == nullptr));
  CHECK(dynamic::known<double>(opcode_of<op::exp>)->insert(g, *y, g.operands(y.id)) == y);
}

TEST_CASE("a unit finds the row of an op, and that of all") {
  CHECK(dynamic::find_row<op::tanh, double>() == dynamic::find_row<op::tanh, double>());
  CHECK(dynamic::find_row<op::tanh, float>() != nullptr);
  make_all_known();
  for (opcode code = 0; code < op::list::size; ++code)
    CHECK((dynamic::known<float>(code) != nullptr && dynamic::known<double>(code) != nullptr));
}

TEST_CASE("code that knows no tape is refused by name") {
  CHECK_THROWS_WITH_AS(error::op_is_not_known("exp"),
                       "etch: exp was recorded by code of a unit that names no variable of such a tape: let its "
                       "functions take or return etch::var",
                       exception);
}

}  // namespace

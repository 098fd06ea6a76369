#include <etch/op/table.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr opaque_function function{7, nullptr, nullptr, nullptr}, other{7, nullptr, nullptr, nullptr};

/// The adjoints of the node `y`, whose own is one more input.
sequence<term> adjoints_of(graph& g, int y) {
  node const n = g[y];
  sequence<term> x, adjoints;
  for (int id : g.operands(y)) x.push_back({&g, id});
  op::kernel::adjoints(n, input(g, n.type, n.extent, 9), {&g, y}, x, adjoints);
  return adjoints;
}
opaque_call call_of(term x) { return opaque_call(x->attributes); }

struct two_inputs {
  graph g;
  int y = -1;
  two_inputs() {
    int const x[] = {input(g, element::f64, make_shape(3), 0).id, input(g, element::i32, shape{}, 1).id};
    y = detail::call_opaque(g, function, element::f64, make_shape(2, 2), x).id;
  }
};

TEST_CASE("the graph knows the function once, and refuses another one with its key") {
  two_inputs t;
  int const x[] = {0};
  detail::call_opaque(t.g, function, element::f64, make_shape(3), x);
  CHECK(t.g.functions.size() == 1);
  CHECK_THROWS_AS(detail::call_opaque(t.g, other, element::f64, make_shape(3), x), exception);
}

TEST_CASE("an adjoint has the type of its operand, and reads the incoming one, the result and the operands") {
  two_inputs t;
  sequence<term> const a = adjoints_of(t.g, t.y);
  CHECK(a[0]->extent == make_shape(3));
  CHECK(call_of(a[0]).path == opaque_call(std::uint32_t{7}).by(0).path);
  CHECK(a[0]->arity == 4);
  CHECK(a[0].operand(1).id == t.y);
  CHECK(a[0].operand(3)->type == element::i32);
  CHECK_FALSE(is<op::kernel>(a[1]));  // of a label: not read
}

TEST_CASE("what is linear is transposed, and transposed again it is what it was") {
  two_inputs t;
  term const adjoint = adjoints_of(t.g, t.y)[0];
  sequence<term> const second = adjoints_of(t.g, adjoint.id);
  CHECK(call_of(second[0]).along);  // by u: along the operand
  CHECK(second[0]->extent == make_shape(2, 2));
  CHECK(second[0]->arity == 4);
  CHECK(second[2]->extent == make_shape(3));  // by x: the second derivative
  CHECK(call_of(second[2]).path == call_of(adjoint).by(2).path);
  sequence<term> const of_along = adjoints_of(t.g, second[0].id);
  CHECK(attribute(call_of(of_along[0])) == attribute(call_of(adjoint)));
  CHECK(of_along[0].operand(2) == adjoint.operand(2));
  CHECK(call_of(of_along[2]).path == call_of(adjoint).by(2).path);  // <g, f'(v)> is <f*(g), v>
  CHECK(of_along[2].operand(0) == second[0].operand(0));
  CHECK(of_along[2].operand(1) == of_along[0]);
}

TEST_CASE("texts name the derivative") {
  two_inputs t;
  term const adjoint = adjoints_of(t.g, t.y)[0];
  sequence<term> const second = adjoints_of(t.g, adjoint.id);
  CHECK(op::kernel::describe(t.g[t.y]) == "");
  CHECK(op::kernel::describe(*adjoint) == "<adjoint 0>");
  CHECK(op::kernel::describe(*second[2]) == "<adjoint 0, 2>");
  CHECK(op::kernel::describe(*second[0]) == "<along 0>");
}

}  // namespace

#include <etch/op/statement.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// x[3, 4], from which each test makes one more node.
struct fixture {
  graph g;
  term x = input(g, element::f32, make_shape(3, 4), 2);

  std::string operation(term t) { return operation_of(g[t.id]); }
};

}  // namespace

TEST_CASE_FIXTURE(fixture, "a statement names operands, operation, element type and shape") {
  CHECK(statement_of(g, x.id) == "%0 = input 2 : f32[3, 4]");
  term const y = matmul(transpose(x), x);
  CHECK(statement_of(g, y.id) == "%2 = matmul(%1, %0) : f32[4, 4]");
  CHECK(statement_of(g, constant(g, element::f64, 0.1).id) == "%3 = fill 0.10000000000000001 : f64[]");
}

TEST_CASE_FIXTURE(fixture, "axes stand behind the name, none where all are meant") {
  CHECK(operation(emit<op::sum>(op::reduction::whole, x)) == "sum");
  CHECK(operation(emit<op::sum>(1, x)) == "sum<0>");
  CHECK(operation(emit<op::max>(3, x)) == "max<0, 1>");
  CHECK(operation(emit<op::softmax>(2, x)) == "softmax<1>");
  CHECK(operation(emit<op::norm>(op::reduction::whole, x)) == "norm");
  CHECK(operation(emit<op::argmax>(1, x)) == "argmax<0>");
  CHECK(operation(emit<op::reverse>(3, x)) == "reverse<0, 1>");
  CHECK(operation(emit<op::cumsum>(1, x)) == "cumsum<1>");
  CHECK(operation(iota(g, element::f32, 1, 4)) == "iota<1>");
}

TEST_CASE_FIXTURE(fixture, "regions read as in the call that makes them") {
  CHECK(operation(slice(x, region(1, 1), 2)) == "slice<1, 1, 2>");
  CHECK(operation(slice(x, region(1, 0, 2), 2)) == "slice<1, 0, 2, 2>");
  CHECK(operation(embed(x, make_shape(9, 4), region(0, 3))) == "embed<0 from 3>");
  CHECK(operation(embed(x, make_shape(9, 4), region(0, 3, 2))) == "embed<0 from 3 by 2>");
}

TEST_CASE_FIXTURE(fixture, "permutations name the operand's axes in the order of the result") {
  term const cube = input(g, element::f32, make_shape(2, 3, 4), 0);
  attribute const order = 0b11'00'01'10;
  CHECK(operation(emit<op::permute>(order, cube)) == "permute<2, 1, 0>");
}

TEST_CASE_FIXTURE(fixture, "variants of solvers and the axis of a gather are named") {
  term const a = input(g, element::f64, make_shape(3, 3), 0), b = input(g, element::f64, make_shape(3), 1);
  CHECK(operation(emit<op::triangular_solve>(0, a, b)) == "triangular_solve<lower>");
  CHECK(operation(emit<op::triangular_solve>(1, a, b)) == "triangular_solve<upper>");
  CHECK(operation(emit<op::solve>(0, a, b)) == "solve");
  CHECK(operation(emit<op::solve>(1, a, b)) == "solve<transposed>");
  CHECK(operation(emit<op::lu_solve>(1, emit<op::lu>(0, a), b)) == "lu_solve<transposed>");
  CHECK(operation(emit<op::lu_det>(1, emit<op::lu>(0, a))) == "lu_det<log>");
  term const places = input(g, element::i32, make_shape(2), 3);
  CHECK(operation(emit<op::gather>(op::index_axis(1, 1), x, places)) == "gather<1>");
}

TEST_CASE("the return statement lists all outputs") {
  graph g;
  term const x = input(g, element::f32, make_shape(2), 0);
  CHECK(return_of(g) == "return");
  g.outputs = {exp(x).id, x.id};
  CHECK(return_of(g) == "return %1, %0");
}

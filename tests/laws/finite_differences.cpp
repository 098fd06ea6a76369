// Every op in the list against central differences, at first and second order, for every activity mask and broadcast.
#include "laws/differences.hpp"

using namespace laws;

TEST_CASE("element-wise ops of one operand agree with finite differences") {
  auto const ops =
      subjects([](op_facts const& f, bool is_sampled) { return f.is_elementwise && f.arity == 1 && is_sampled; });
  CHECK(ops.size() > 20);
  for (subject const& each : ops)
    for (shape const& s : {scalar_shape, vector_shape, matrix_shape, box_shape})
      check_derivatives(each, {s}), check_float(each, {s});
}

TEST_CASE("element-wise ops of two operands agree with finite differences, whatever broadcasts") {
  auto const ops =
      subjects([](op_facts const& f, bool is_sampled) { return f.is_elementwise && f.arity == 2 && is_sampled; });
  CHECK(ops.size() > 8);
  for (subject const& each : ops)
    for (auto const& [a, b] : {std::pair{scalar_shape, scalar_shape},
                               {matrix_shape, matrix_shape},
                               {column_shape, row_shape},
                               {vector_shape, matrix_shape},
                               {matrix_shape, scalar_shape},
                               {box_shape, make_shape(1, 2, 1, 2)}})
      check_derivatives(each, {a, b}), check_derivatives(each, {b, a}), check_float(each, {a, b});
}

TEST_CASE("element-wise ops of three operands agree with finite differences, whatever broadcasts") {
  auto const ops =
      subjects([](op_facts const& f, bool is_sampled) { return f.is_elementwise && f.arity == 3 && is_sampled; });
  CHECK(ops.size() >= 2);
  for (subject const& each : ops)
    for (std::vector<shape> const& s : std::vector<std::vector<shape>>{{scalar_shape, scalar_shape, scalar_shape},
                                                                       {matrix_shape, matrix_shape, matrix_shape},
                                                                       {matrix_shape, scalar_shape, row_shape},
                                                                       {column_shape, row_shape, scalar_shape},
                                                                       {scalar_shape, matrix_shape, column_shape},
                                                                       {row_shape, column_shape, matrix_shape}})
      check_derivatives(each, s), check_float(each, s);
}

TEST_CASE("every element-wise op that has a derivative has a domain") {
  for (subject const &each :
       subjects([](op_facts const& f, bool is_sampled) { return f.is_elementwise && !is_sampled; }))
    CHECK(std::string(each.facts().name) == "cast");  // which is tested between types, in op/arithmetic.cpp
}

TEST_CASE("composites agree with finite differences along every axis") {
  auto const ops = subjects([](op_facts const& f, bool is_sampled) { return f.is_composite && is_sampled; });
  CHECK(ops.size() >= 7);
  for (subject const& each : ops) {
    for (attribute axes : {attribute{1}, attribute{2}, attribute{3}, op::reduction::whole})
      check_derivatives(each, {matrix_shape}, axes), check_float(each, {matrix_shape}, axes);
    check_derivatives(each, {vector_shape}, 1);
    check_derivatives(each, {box_shape}, 1 | 4);
  }
}

TEST_CASE("reductions agree with finite differences along every axis") {
  auto const ops = subjects([](op_facts const& f, bool) { return f.is_reduction; });
  CHECK(ops.size() >= 3);
  for (subject const& each : ops) {
    for (attribute axes : {attribute{1}, attribute{2}, attribute{3}, op::reduction::whole})
      check_derivatives(each, {matrix_shape}, axes), check_float(each, {matrix_shape}, axes);
    check_derivatives(each, {box_shape}, 1 | 8);
    check_derivatives(each, {box_shape}, 4);
  }
}

TEST_CASE("ops that run along one axis agree with finite differences along each") {
  auto const ops = subjects([](op_facts const& f, bool is_sampled) { return f.is_block && is_sampled; });
  CHECK(ops.size() >= 1);
  for (subject const& each : ops) {
    for (attribute axis : {attribute{0}, attribute{1}})
      check_derivatives(each, {matrix_shape}, axis), check_float(each, {matrix_shape}, axis);
    for (attribute axis : {attribute{0}, attribute{2}, attribute{3}}) check_derivatives(each, {box_shape}, axis);
  }
}

TEST_CASE("products agree with finite differences for every kind of operand") {
  subject const matmul = subject_of<op::matmul>(), transpose = subject_of<op::transpose>();
  for (auto const& [a, b] : {std::pair{make_shape(3, 4), make_shape(4, 2)},
                             {make_shape(1, 4), make_shape(4, 1)},
                             {make_shape(3, 1), make_shape(1, 2)},
                             {make_shape(3, 4), make_shape(4)},
                             {make_shape(3), make_shape(1, 4)},
                             {make_shape(1, 1), make_shape(1, 1)},
                             {make_shape(1, 3), make_shape(3, 4)}})
    check_derivatives(matmul, {a, b}), check_float(matmul, {a, b});
  for (shape const& s : {matrix_shape, row_shape, column_shape, vector_shape}) check_derivatives(transpose, {s});
}

TEST_CASE("a wrong derivative is noticed") {
  // The rule of stop_gradient is 0 where that of its value is 1.
  subject const honest = subject_of<op::square>();
  scalar_function f(honest, element::f64, 0, {vector_shape});
  values const x = f.sampled(honest);
  CHECK(gradient_error(f.g, f.leaves, x, false) < 1e-8);
  term const y{&f.g, f.g.outputs[1]}, hidden = stop_gradient(y);
  f.g.outputs = {emit<op::sum>(op::reduction::whole, y * hidden).id};
  CHECK(gradient_error(f.g, f.leaves, x, false) > 1e-2);
}

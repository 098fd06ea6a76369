#include <etch/tape/kernel.hpp>

#include "tape/laid_out.hpp"

namespace {

using namespace laid_out;

node of(opcode code) { return {code, element::f64, {}, 0, 0, 0}; }

TEST_CASE("every op has one kernel or none") {
  for (opcode code = 0; code < op::list::size; ++code) {
    CAPTURE(op_table[code].name);
    for (auto const& k :
         {std::pair(kernel_of<double>(code).loop != nullptr, kernel_of<double>(code).function != nullptr),
          std::pair(kernel_of<float>(code).loop != nullptr, kernel_of<float>(code).function != nullptr)}) {
      CHECK((k.first || k.second) == dynamic::has_kernel(of(code)));
      CHECK(!(k.first && k.second));
    }
  }
}

static_assert(dynamic::has_kernel(node{opcode_of<op::exp>}) && dynamic::has_kernel(node{opcode_of<op::matmul>}));
static_assert(!dynamic::has_kernel(node{opcode_of<op::input>}) && !dynamic::has_kernel(node{opcode_of<op::transpose>}));
static_assert(!dynamic::has_kernel(node{opcode_of<op::loop>}) && !dynamic::has_kernel(node{opcode_of<op::last_carry>}));
static_assert(!dynamic::has_kernel(node{opcode_of<op::softmax>}));

TEST_CASE("values of the other floating type are refused, by a sentence that names both") {
  operand const x{element::f32, make_shape(2), {1, 2}};
  CHECK_THROWS_WITH_AS(computed<double>({opcode_of<op::exp>, element::f32, make_shape(2), 0, {x}}, way::adjoining),
                       "etch: a tape holds values of one floating type, this one f64, and met a value of type f32",
                       exception);
  CHECK_THROWS_WITH_AS(
      computed<double>({opcode_of<op::cast>, element::f64, make_shape(2), static_cast<attribute>(element::f64), {x}},
                       way::adjoining),
      "etch: a tape holds values of one floating type, this one f64, and met a value of type f32", exception);
  CHECK_THROWS_AS(computed<float>({opcode_of<op::fill>, element::f64, {}, 0, {}}, way::adjoining), exception);
  CHECK(computed<float>({opcode_of<op::exp>, element::f32, make_shape(2), 0, {{element::f32, make_shape(2), {0, 0}}}},
                        way::apart) == numbers{1, 1});
}

TEST_CASE("there is no arithmetic between integers") {
  operand const x{element::i32, make_shape(2), {1, 2}};
  CHECK_THROWS_WITH_AS(computed<double>({opcode_of<op::add>, element::i32, make_shape(2), 0, {x, x}}, way::adjoining),
                       "etch: integers on a tape are labels and indices: there is no add of type i32", exception);
  CHECK_THROWS_AS(computed<double>({opcode_of<op::sum>, element::i32, {}, op::reduction::whole, {x}}, way::adjoining),
                  exception);
}

TEST_CASE("an element-wise op may write where an operand lies") {
  for (int n : {3, 8, 67, 1000}) {
    operand const x = sampled(element::f64, make_shape(n), -1, 1, 1),
                  y = sampled(element::f64, make_shape(n), -1, 1, 2);
    numbers const expected = interpreted({opcode_of<op::mul>, element::f64, make_shape(n), 0, {x, y}});
    placed const left(x, way::adjoining), right(y, way::apart);
    dynamic::strided_value const of[]{left.at, right.at};
    dynamic::compute<double>(kernel_of<double>(opcode_of<op::mul>),
                             {opcode_of<op::mul>, element::f64, make_shape(n), 0, 0, 2}, left.at, of);
    CHECK(left.read() == expected);
    CHECK(left.margins_are_whole());
  }
}

}  // namespace

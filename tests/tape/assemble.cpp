#include <etch/tape/assemble.hpp>

#include "tape/laid_out.hpp"

namespace {

using namespace laid_out;

constexpr element integers[]{element::boolean, element::i8,  element::u8,  element::i16, element::u16,
                             element::i32,     element::u32, element::i64, element::u64};

/// The kernel against the interpreter, with operands in all layouts.
template <class T>
void agree(subject const& s, double tolerance) {
  numbers const expected = interpreted(s);
  for (way how : every_way) {
    CAPTURE(op_table[s.op].name);
    CAPTURE(to_string(s.extent));
    CAPTURE(static_cast<int>(how));
    CHECK(difference(computed<T>(s, how), expected) <= tolerance);
  }
}

TEST_CASE("constants and indices, in every element type") {
  for (element type : integers) {
    CHECK(computed<float>({opcode_of<op::fill>, type, shape{}, attribute_of(1), {}}, way::adjoining) == numbers{1});
    if (type != element::boolean)
      CHECK(computed<double>({opcode_of<op::iota>, type, make_shape(1, 5), 1, {}}, way::adjoining) ==
            numbers{0, 1, 2, 3, 4});
  }
  CHECK(computed<float>({opcode_of<op::fill>, element::f32, shape{}, attribute_of(0.1), {}}, way::adjoining) ==
        numbers{static_cast<double>(0.1f)});
  CHECK(std::signbit(
      computed<double>({opcode_of<op::fill>, element::f64, shape{}, attribute_of(-0.0), {}}, way::adjoining)[0]));
  CHECK(computed<double>({opcode_of<op::iota>, element::f64, make_shape(3), 0, {}}, way::adjoining) ==
        numbers{0, 1, 2});
}

TEST_CASE("integers of every type become numbers; copies and embedded parts keep their type") {
  for (element type : integers)
    for (shape const& s : {shape{}, make_shape(19), make_shape(3, 1, 5)}) {
      bool const is_signed =
          type == element::i8 || type == element::i16 || type == element::i32 || type == element::i64;
      operand const x = sampled(type, s, is_signed ? -120 : 0, type == element::boolean ? 1.9 : 127, 3);
      for (way how : every_way) {
        CHECK(computed<double>({opcode_of<op::cast>, element::f64, s, static_cast<attribute>(element::f64), {x}},
                               how) == x.entries);
        CHECK(computed<float>({opcode_of<op::cast>, element::f32, s, static_cast<attribute>(element::f32), {x}}, how) ==
              x.entries);
        CHECK(computed<float>({opcode_of<op::copy>, type, s, 1, {x}}, how) == x.entries);
      }
    }
  operand const labels = sampled(element::i32, make_shape(2, 3), -9, 9, 4);
  agree<double>({opcode_of<op::embed>, element::i32, make_shape(2, 8), region(1, 1, 3), {labels}}, 0);
  for (element type : {element::i64, element::u8})
    CHECK(computed<double>({opcode_of<op::cast>,
                            element::f64,
                            make_shape(2),
                            static_cast<attribute>(element::f64),
                            {{type, make_shape(2), {200, 7}}}},
                           way::apart) == numbers{200, 7});
}

template <class T>
void parts() {
  constexpr element type = element_of<T>;
  shape const whole = make_shape(4, 9, 3);
  auto const embedded = [&](region r, shape const& s) {
    subject const part{opcode_of<op::embed>, type, whole, r, {sampled(type, s, -1, 1, 5)}};
    agree<T>(part, 0);
    return operand{type, whole, interpreted(part)};
  };
  agree<T>({opcode_of<op::join>,
            type,
            whole,
            0,
            {embedded({1, 0, 2}, make_shape(4, 5, 3)), embedded({1, 1, 4}, make_shape(4, 2, 3)),
             embedded({1, 7}, make_shape(4, 1, 3))}},
           0);
  agree<T>({opcode_of<op::embed>, type, make_shape(50), region(0, 13, 2), {sampled(type, make_shape(17), -1, 1, 6)}},
           0);
}
TEST_CASE("parts are put together") { parts<double>(), parts<float>(); }

template <class T>
void picked() {
  constexpr element type = element_of<T>;
  shape const whole = make_shape(5, 7, 3);
  for (element index : {element::u8, element::i16, element::i32, element::i64, element::u64, type})
    for (int axis = 0; axis < 3; ++axis)
      for (shape const& s : {shape{}, make_shape(4), make_shape(200), make_shape(3, 2)}) {
        if (s.rank == 0 && axis == 2) continue;
        operand const j{index, s, sample(element::i32, s.size(), 0, whole[axis] - 0.01, 2)};
        op::index_axis const along(axis, s.rank);
        shape const result = along.result(whole, s);
        agree<T>({opcode_of<op::gather>, type, result, along, {sampled(type, whole, -1, 1, 1), j}}, 0);
        agree<T>({opcode_of<op::scatter_add>, type, whole, along, {sampled(type, result, -1, 1, 1), j}}, digits<T>);
      }
}
TEST_CASE("entries are picked at indices of any type, and added up there") { picked<double>(), picked<float>(); }

TEST_CASE("labels are picked, too") {
  for (element type : integers) {
    operand const x = sampled(type, make_shape(4, 3), 0, type == element::boolean ? 1.9 : 100, 1);
    agree<double>({opcode_of<op::gather>,
                   type,
                   make_shape(4, 2),
                   op::index_axis(1, 1),
                   {x, {element::i32, make_shape(2), {2, 0}}}},
                  0);
  }
}

#if !defined(NDEBUG)
TEST_CASE("an index out of range throws") {
  operand const x = sampled(element::f64, make_shape(4), 0, 1, 1);
  for (double index : {-1.0, 4.0})
    CHECK_THROWS_AS(computed<double>({opcode_of<op::gather>,
                                      element::f64,
                                      make_shape(1),
                                      op::index_axis(0, 1),
                                      {x, {element::i32, make_shape(1), {index}}}},
                                     way::adjoining),
                    exception);
}
#endif

template <class T>
void random_numbers() {
  constexpr element type = element_of<T>;
  for (element key : {element::u64, element::i32, element::f64, element::u8})
    agree<T>(
        {opcode_of<op::random_uniform>, type, make_shape(3, 7), op::random_stream(type, 5), {{key, shape{}, {42}}}}, 0);
}
TEST_CASE("random numbers are those of their key, of any type") { random_numbers<double>(), random_numbers<float>(); }

/// Symmetric, and with a dominant diagonal.
template <class T>
operand definite(int n) {
  operand a = sampled(element_of<T>, make_shape(n, n), -1, 1, 3);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i)
      a.entries[static_cast<std::size_t>(i + n * j)] =
          i == j ? 2.0 * n : a.entries[static_cast<std::size_t>(j + n * i)];
  return a;
}

template <class T>
void blocks() {
  constexpr element type = element_of<T>;
  for (attribute axis = 0; axis < 3; ++axis)
    agree<T>({opcode_of<op::cumsum>, type, make_shape(3, 5, 4), axis, {sampled(type, make_shape(3, 5, 4), -1, 1, 3)}},
             digits<T>);
  for (int n : {1, 2, 7}) {
    operand const a = definite<T>(n), b = sampled(type, make_shape(n, 3), -1, 1, 4),
                  column = sampled(type, make_shape(n), -1, 1, 5);
    shape const packed = make_shape(n, n + 1);
    subject const lu{opcode_of<op::lu>, type, packed, 0, {a}};
    agree<T>(lu, digits<T>);
    operand const factors{type, packed, interpreted(lu)};
    agree<T>({opcode_of<op::cholesky>, type, a.extent, 0, {a}}, digits<T>);
    for (attribute form = 0; form < 2; ++form) {
      for (operand const& right : {b, column}) {
        agree<T>({opcode_of<op::triangular_solve>, type, right.extent, form, {a, right}}, digits<T>);
        agree<T>({opcode_of<op::lu_solve>, type, right.extent, form, {factors, right}}, digits<T>);
      }
      agree<T>({opcode_of<op::lu_det>, type, shape{}, form, {factors}}, 10 * digits<T>);
    }
  }
}
TEST_CASE("running sums, factorisations and solutions") { blocks<double>(), blocks<float>(); }

TEST_CASE("the factor of a small matrix is the known one") {
  operand const a{element::f64, make_shape(2, 2), {4, 2, 2, 3}};
  numbers const l = computed<double>({opcode_of<op::cholesky>, element::f64, make_shape(2, 2), 0, {a}}, way::backwards);
  CHECK(l[0] == 2);
  CHECK(l[1] == 1);
  CHECK(l[2] == 0);
  CHECK(std::abs(l[3] - std::sqrt(2.0)) < 1e-15);
}

TEST_CASE("a failure is reported, and the result is no number") {
  operand const zero{element::f64, make_shape(2, 2), {0, 0, 0, 0}}, b{element::f64, make_shape(2), {1, 2}};
  CHECK(std::isnan(computed<double>({opcode_of<op::cholesky>, element::f64, make_shape(2, 2), 0, {zero}},
                                    way::adjoining, status::not_positive_definite)[0]));
  CHECK(std::isnan(computed<double>({opcode_of<op::triangular_solve>, element::f64, make_shape(2), 0, {zero, b}},
                                    way::adjoining, status::singular)[0]));
  computed<double>({opcode_of<op::lu>, element::f64, make_shape(2, 3), 0, {zero}}, way::adjoining, status::singular);
}

}  // namespace

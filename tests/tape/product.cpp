#include <etch/tape/product.hpp>

#include "tape/laid_out.hpp"

namespace {

using namespace laid_out;

template <class T>
subject product_of(shape const& a, shape const& b, double most, unsigned seed) {
  constexpr element type = element_of<T>;
  return {opcode_of<op::matmul>,
          type,
          op::matmul::infer(0, {a, b}),
          0,
          {sampled(type, a, -most, most, seed), sampled(type, b, -most, most, seed + 1)}};
}

template <class T>
void agree(shape const& a, shape const& b) {
  subject const s = product_of<T>(a, b, 1, 11);
  numbers const expected = interpreted(s);
  double const terms = a[1];
  for (way how : every_way) {
    CAPTURE(to_string(a));
    CAPTURE(to_string(b));
    CAPTURE(static_cast<int>(how));
    CHECK(difference(computed<T>(s, how), expected) <= digits<T> * std::max(1.0, terms / 50));
  }
}

TEST_CASE("products of all sizes in all layouts, in double and float") {
  int const sizes[]{1, 2, 3, 5, 8, 9, 17, 20, 33, 40, 65};
  std::mt19937 random(2);
  for (int m : sizes)
    for (int n : sizes) {
      int const k = sizes[random() % std::size(sizes)];
      agree<double>(make_shape(m, k), make_shape(k, n));
      agree<float>(make_shape(m, k), make_shape(k, n));
    }
}

TEST_CASE("products of more terms than are packed at a time, and of more rows than a tile has") {
  agree<double>(make_shape(40, 300), make_shape(300, 21));
  agree<float>(make_shape(130, 150), make_shape(150, 3));
  agree<double>(make_shape(70, 200), make_shape(200));
  agree<double>(make_shape(1, 200), make_shape(200, 50));
  agree<float>(make_shape(2, 513), make_shape(513, 2));
}

TEST_CASE("columns, scalars and batches") {
  agree<double>(make_shape(5, 3), make_shape(3));
  agree<double>(shape{}, shape{});
  agree<double>(make_shape(4), make_shape(1, 6));
  agree<double>(make_shape(3, 4, 5), make_shape(4, 6, 5));
  agree<double>(make_shape(3, 4, 1, 2), make_shape(4, 6, 5, 1));
  agree<float>(make_shape(3, 4), make_shape(4, 20, 3));
}

TEST_CASE(
    "whole numbers multiply exactly: the product of a matrix of ones counts the terms, and triangles give binomials") {
  operand ones{element::f64, make_shape(19, 150), numbers(19 * 150, 1.0)},
      more{element::f64, make_shape(150, 23), numbers(150 * 23, 1.0)};
  CHECK(computed<double>({opcode_of<op::matmul>, element::f64, make_shape(19, 23), 0, {ones, more}}, way::apart) ==
        numbers(19 * 23, 150.0));
  // L(i, j) = i choose j; L times its transpose is i + j choose i (Vandermonde).
  int const n = 20;
  auto const choose = [](int a, int b) {
    double c = 1;
    for (int i = 1; i <= b; ++i) c = c * (a - b + i) / i;
    return b > a ? 0.0 : std::round(c);
  };
  operand lower{element::f64, make_shape(n, n), {}}, upper = lower;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) lower.entries.push_back(choose(i, j)), upper.entries.push_back(choose(j, i));
  for (way how : every_way) {
    numbers const y = computed<double>({opcode_of<op::matmul>, element::f64, make_shape(n, n), 0, {lower, upper}}, how);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) CHECK(y[static_cast<std::size_t>(i + n * j)] == choose(i + j, i));
  }
}

TEST_CASE("repeated rows and columns are read where they are") {
  // A matrix all of whose columns are one: steps of 0.
  operand const column = sampled(element::f64, make_shape(9), -1, 1, 3),
                b = sampled(element::f64, make_shape(6, 4), -1, 1, 4);
  placed const a(column, way::adjoining), right(b, way::adjoining), y(element::f64, make_shape(9, 4), way::adjoining);
  dynamic::product<double>(y.at, dynamic::stretched(a.at, make_shape(9, 6)), right.at);
  for (std::size_t j = 0; j < 4; ++j) {
    double sum = 0;
    for (std::size_t k = 0; k < 6; ++k) sum += b.entries[k + 6 * j];
    for (std::size_t i = 0; i < 9; ++i) CHECK(std::abs(y.read()[i + 9 * j] - column.entries[i] * sum) < 1e-14);
  }
}

template <class T>
void adds(shape const& a, shape const& b) {
  subject const s = product_of<T>(a, b, 1, 29);
  for (way how : every_way) {
    placed const left(s.operands[0], how), right(s.operands[1], how), plain(s.type, s.extent, way::adjoining);
    operand const there = sampled(s.type, s.extent, -1, 1, 31);
    placed const y(there, way::adjoining);
    dynamic::product<T>(plain.at, left.at, right.at);
    dynamic::product<T>(y.at, left.at, right.at, true);
    CHECK(y.margins_are_whole());
    numbers expected = plain.read();
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += there.entries[i];
    CAPTURE(to_string(a));
    CAPTURE(to_string(b));
    CAPTURE(static_cast<int>(how));
    CHECK(difference(y.read(), expected) <= digits<T> * std::max(1.0, a[1] / 50.0));
  }
}

TEST_CASE("a product is added to what is there") {
  for (int m : {1, 2, 7, 16, 33})
    for (int n : {1, 2, 3, 5, 17})
      for (int k : {1, 8, 19, 300}) {
        adds<double>(make_shape(m, k), make_shape(k, n));
        adds<float>(make_shape(m, k), make_shape(k, n));
      }
  adds<double>(make_shape(3, 4, 5), make_shape(4, 6, 5));
  adds<float>(make_shape(3, 4, 1, 2), make_shape(4, 6, 5, 1));
}

}  // namespace

// Products over one entry are loops: the same numbers, also where the loop turns out to be one that there is already,
// and where the column's entries do not adjoin.
#include <etch/lower/outer_products.hpp>

#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace etch;

namespace {

template <class F, class... A>
std::string kernels_of(F f, A const&... a) {
  auto program = std::make_unique<decltype(compile<wrt<>>(f, a...))>();
  std::string const text = to_text(*program);
  return text.substr(text.find("kernels"));
}

}  // namespace

TEST_CASE(
    "an outer product beside the same product entry by entry is one node, and nodes behind it are what they were") {
  tensor<double, 3> const a{1, 2, 3};
  tensor<double, 4> const b{4, 5, 6, 7};
  auto const f = [](auto x, auto y) {
    auto const by_entry = cwise_product(x, transpose(y)), product = outer(x, y);
    auto const rest = exp(by_entry) - product;
    return std::tuple(by_entry, product, rest + by_entry, cos(product) + rest);
  };
  auto p = std::make_unique<decltype(compile<wrt<>>(f, a, b))>();
  (*p)(a, b);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) {
      double const w = a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(j)];
      CHECK(p->result<0>()(i, j) == w);
      CHECK(p->result<1>()(i, j) == w);
      CHECK(p->result<2>()(i, j) == doctest::Approx(std::exp(w)));
      CHECK(p->result<3>()(i, j) == doctest::Approx(std::cos(w) + std::exp(w) - w));
    }
}

TEST_CASE("columns that adjoin are read by a loop, others by a product") {
  auto const x = values::filled_with<tensor<double, 5, 7>>(1);
  auto const y = values::filled_with<tensor<double, 6>>(2);
  auto const of_column = [](auto m, auto v) { return outer(m.col(3), v); };
  auto const of_row = [](auto m, auto v) { return outer(transpose(m.row(2)), v); };
  CHECK(kernels_of(of_column, x, y).find("product") == std::string::npos);
  CHECK(kernels_of(of_row, x, y).find("product") != std::string::npos);
  auto p = std::make_unique<decltype(compile<wrt<>>(of_column, x, y))>();
  auto q = std::make_unique<decltype(compile<wrt<>>(of_row, x, y))>();
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 5; ++i) CHECK((*p)(x, y)(i, j) == x(i, 3) * y[static_cast<std::size_t>(j)]);
    for (int i = 0; i < 7; ++i) CHECK((*q)(x, y)(i, j) == x(2, i) * y[static_cast<std::size_t>(j)]);
  }
}

TEST_CASE("the gradient of weights at batch 1 is a loop, and sums over steps stay products") {
  tensor<double, 4, 9> const w = values::filled_with<tensor<double, 4, 9>>(3);
  tensor<double, 9> const x = values::filled_with<tensor<double, 9>>(4);
  auto p = std::make_unique<decltype(compile([](auto m, auto v) { return sum(square(m * v)); }, w, x))>();
  (*p)(w, x);
  for (int i = 0; i < 4; ++i) {
    double y = 0;
    for (int j = 0; j < 9; ++j) y += w(i, j) * x[static_cast<std::size_t>(j)];
    for (int j = 0; j < 9; ++j) CHECK(p->grad<0>()(i, j) == doctest::Approx(2 * y * x[static_cast<std::size_t>(j)]));
  }
}

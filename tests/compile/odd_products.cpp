// Products of odd shapes: rows, columns, and their transposes.
#include <etch/compile/executable.hpp>

#include "laws/agree.hpp"

using namespace etch;
using laws::check_agreement;
using laws::randomise;

namespace {

template <class A>
A random(std::uint64_t seed) {
  A a;
  randomise(a, 0.5, 1.5, seed);
  return a;
}

}  // namespace

TEST_CASE("products of rows, columns and their transposes") {
  auto const row = random<tensor<float, 1, 9>>(1);
  auto const column = random<tensor<float, 9, 1>>(2);
  auto const vector = random<tensor<float, 9>>(3);
  auto const matrix = random<tensor<float, 9, 9>>(4);
  check_agreement<wrt<0, 1, 2>>(
      1e-4, [](auto r, auto c, auto v) { return sum(r * c) * sum(v * r) + sum(transpose(r) * transpose(c)); }, row,
      column, vector);
  check_agreement<wrt<0, 1>>(
      1e-4, [](auto m, auto r) { return sum(tanh(m * transpose(r) + transpose(r * m))); }, matrix, row);
  check_agreement<wrt<0, 1>>(1e-4, [](auto m, auto v) { return sum(transpose(v) * m * v); }, matrix, vector);
}

TEST_CASE("reductions of a product along either axis, of all of it, and of what is made of it") {
  auto const weights = random<tensor<double, 19, 5>>(5);
  auto const inputs = random<tensor<double, 5, 17>>(6);
  auto const bias = random<tensor<double, 19, 1>>(7);
  check_agreement<wrt<0, 1, 2>>(
      1e-8, [](auto w, auto x, auto b) { return sum(exp(0.1 * (w * x + b))); }, weights, inputs, bias);
  check_agreement<wrt<0, 1, 2>>(
      1e-8,
      [](auto w, auto x, auto b) {
        auto const y = tanh(0.1 * (w * x) + b);
        return sum(square(sum<0>(y))) + sum(square(sum<1>(y))) + max(y);
      },
      weights, inputs, bias);
  check_agreement<wrt<0, 1>>(
      1e-8,
      [](auto x, auto w) {
        return sum(square(sum<0>(transpose(x) * transpose(w)))) + sum<1>(sum<0>(transpose(w * x)));
      },
      inputs, weights);
}

TEST_CASE("products whose last rows are computed apart, and what is made of them") {
  auto const weights = random<tensor<float, 67, 70>>(8);
  auto const inputs = random<tensor<float, 70, 65>>(9);
  auto const bias = random<tensor<float, 67, 1>>(10);
  check_agreement<wrt<0, 1, 2>>(
      1e-3,
      [](auto w, auto x, auto b) {
        auto const y = tanh(0.02 * (w * x) - b);
        return sum(square(sum<0>(y))) + sum(square(sum<1>(y))) + max(y) +
               sum(cwise_product(y, transpose(transpose(x) * transpose(w))));
      },
      weights, inputs, bias);
  check_agreement<wrt<0, 1>>(
      1e-3, [](auto w, auto x) { return sum(sin(transpose(w) * (w * (0.01 * x)))); }, weights, inputs);
}

#include <etch/transform/map.hpp>

#include "transform/stages.hpp"

#include <etch/op/linalg/factor.hpp>

#include <doctest/doctest.h>

using namespace etch;
using values::filled_with;

namespace {

using matrix_type = tensor<double, 2, 3>;
auto const weights = filled_with<matrix_type>(1);
auto const columns = filled_with<tensor<double, 3, 5>>(2);
auto const others = filled_with<tensor<double, 2, 5>>(3);
auto const factors = filled_with<tensor<double, 5>>(4);

}  // namespace

// Taken apart by passes at run time: values, gradients of every choice of arguments, gradients of
// gradients, differences of values.

TEST_CASE("a sum over points is the sum over the columns of a batch") {
  stages::check_same([](auto w, auto xs) { return sum_map([&](auto x) { return sum(square(tanh(w * x))); }, xs); },
                     [](auto w, auto xs) { return sum(square(tanh(w * xs))); }, weights, columns);
}

TEST_CASE("results of all points stand side by side") {
  stages::check_same(
      [](auto w, auto xs) { return sum(square(map([&](auto x) { return sin(w * x); }, xs) * transpose(xs))); },
      [](auto w, auto xs) { return sum(square(sin(w * xs) * transpose(xs))); }, weights, columns);
}

TEST_CASE("several arrays, one after the other or in a tuple, and scalars as columns") {
  auto const batch = [](auto w, auto xs, auto ys, auto scales) {
    return sum(cwise_product(transpose(scales), sum<0>(cwise_product(tanh(w * xs), ys))));
  };
  stages::check_same(
      [](auto w, auto xs, auto ys, auto scales) {
        return sum_map([&](auto x, auto y, auto scale) { return scale * sum(cwise_product(tanh(w * x), y)); }, xs, ys,
                       scales);
      },
      batch, weights, columns, others, factors);
  stages::check_same(
      [](auto w, auto xs, auto ys, auto scales) {
        return sum_map(
            [&](auto x, auto y_and_scale) {
              auto const [y, scale] = y_and_scale;
              return scale * sum(cwise_product(tanh(w * x), y));
            },
            xs, std::tuple{ys, scales});
      },
      batch, weights, columns, others, factors);
}

TEST_CASE("several results") {
  stages::check_same(
      [](auto w, auto xs) {
        auto const [a, b] = map([&](auto x) { return std::tuple{w * x, exp(sum(x))}; }, xs);
        auto const [c, d] = sum_map([&](auto x) { return std::tuple{square(w * x), sum(cube(x))}; }, xs);
        return sum(cube(a)) + sum(square(b)) + sum(cwise_product(c, c)) * d;
      },
      [](auto w, auto xs) {
        auto const c = sum<1>(square(w * xs));
        return sum(cube(w * xs)) + sum(square(exp(sum<0>(xs)))) + sum(cwise_product(c, c)) * sum(cube(xs));
      },
      weights, columns);
}

TEST_CASE("what is the same at all points may be computed inside") {
  stages::check_same(
      [](auto w, auto xs) { return sum_map([&](auto x) { return sum(exp(w) * x) + sum(square(w)); }, xs); },
      [](auto w, auto xs) { return sum(exp(w) * xs) + 5.0 * sum(square(w)); }, weights, columns);
}

TEST_CASE("a map of what a map left") {
  stages::check_same(
      [](auto w, auto xs) {
        auto const hidden = map([&](auto x) { return tanh(w * x); }, xs);
        return sum_map([&](auto h, auto x) { return sum(h * transpose(x)) * sum(square(h)); }, hidden, xs);
      },
      [](auto w, auto xs) {
        auto const h = tanh(w * xs);
        return sum(cwise_product(cwise_product(sum<0>(h), sum<0>(xs)), sum<0>(square(h))));
      },
      weights, columns);
}

TEST_CASE("in the step of a scan, and around one") {
  stages::check_same(
      [](auto w, auto xs) {
        return sum(
            scan([&](auto c,
                     auto x) { return c + sum_map([&](auto column, auto e) { return sin(c(0) + e) * column; }, w, x); },
                 w.col(0), xs));
      },
      [](auto w, auto xs) {
        auto c = w.col(0);
        for (int t = 0; t < 5; ++t) c = c + w * sin(c(0) + xs.col(t));
        return sum(c);
      },
      weights, columns);
  stages::check_same(
      [](auto w, auto xs) {
        return sum_map(
            [&](auto x) { return sum(repeat<3>([&](auto h) { return sin(transpose(w) * (w * h)) + x; }, x)); }, xs);
      },
      [](auto w, auto xs) {
        auto h = xs + 0.0;
        for (int i = 0; i < 3; ++i) h = sin(transpose(w) * (w * h)) + xs;
        return sum(h);
      },
      weights, columns);
}

TEST_CASE("what is put together from parts") {
  stages::check_same(
      [](auto w, auto xs) {
        return sum_map([&](auto x) { return sum(square(w * concat<0>(x(2), x(0) * x(1), 2.0 * x(0)))); }, xs);
      },
      [](auto w, auto xs) {
        auto const row = [&](int i) { return xs.row(i); };
        return sum(square(w * concat<0>(row(2), cwise_product(row(0), row(1)), 2.0 * row(0))));
      },
      weights, columns);
}

// programs: losses of many shapes and structures, compiled and compared with the plain evaluation of their graphs.
#pragma once

#include "laws/agree.hpp"

namespace laws {

template <class T>
inline constexpr double tolerance = sizeof(T) == 4 ? 1e-4 : 1e-12;

/// All four transpose combinations of a product, with an epilogue and a bias.
template <class Wrt, class T, int M, int K, int N>
void products() {
  CAPTURE(M);
  CAPTURE(K);
  CAPTURE(N);
  auto const each = [](auto f, auto a, auto b) {
    tensor<T, M> bias;
    randomise(a, -1, 1, 1), randomise(b, -1, 1, 2), randomise(bias, -1, 1, 3);
    check_agreement<Wrt>(tolerance<T>, f, a, b, bias);
  };
  each([](auto a, auto b, auto c) { return sum(tanh(a * b + c)); }, tensor<T, M, K>{}, tensor<T, K, N>{});
  each([](auto a, auto b, auto c) { return sum(tanh(transpose(a) * b + c)); }, tensor<T, K, M>{}, tensor<T, K, N>{});
  each([](auto a, auto b, auto c) { return mean(square(a * transpose(b) + c)); }, tensor<T, M, K>{}, tensor<T, N, K>{});
  each([](auto a, auto b, auto c) { return sum(sin(transpose(a) * transpose(b) - c)); }, tensor<T, K, M>{},
       tensor<T, N, K>{});
}

/// Sums, largest entries and broadcasts along both axes, and what the exponential family makes of them.
template <class T, int M, int N>
void reductions() {
  CAPTURE(M);
  CAPTURE(N);
  tensor<T, M, N> x, w;
  tensor<T, 1, N> row;
  tensor<T, M> column;
  randomise(x, -2, 2, 1), randomise(w, -1, 1, 2), randomise(row, 0.5, 2, 3), randomise(column, 0.5, 2, 4);
  check_agreement<wrt<0, 1>>(
      tolerance<T>,
      [](auto x_, auto w_) { return sum(square(sum<0>(cwise_product(x_, w_)))) + sum(sin(sum<1>(x_))) + mean(w_); }, x,
      w);
  check_agreement<wrt<0, 1>>(
      tolerance<T>,
      [](auto x_, auto w_) {
        return sum(cwise_product(w_, softmax<0>(x_))) + sum(cwise_product(w_, log_softmax<1>(x_)));
      },
      x, w);
  check_agreement<wrt<0, 1>>(
      tolerance<T>,
      [](auto x_, auto w_) {
        return logsumexp(x_) + sum(logsumexp<0>(x_ * T(2))) + sum(cwise_product(max<1>(x_), sum<1>(w_))) + max(x_);
      },
      x, w);
  check_agreement<wrt<0, 1, 2>>(
      tolerance<T>,
      [](auto x_, auto r, auto c) { return sum(sqrt(square(x_) / r + c) - cwise_product(r, x_) * sum(c)); }, x, row,
      column);
  check_agreement<wrt<2, 0>>(
      tolerance<T>,
      [](auto x_, auto r, auto c) {
        return mean(cwise_product(exp(transpose(c) * (x_ - c) / T(9)) / transpose(r), r));
      },
      tensor<T, M, N>{x}, row, column);
}

/// Values used many times, gradients that are one node, gradients that are arguments, outputs that are views.
template <class T, int N>
void sharing() {
  tensor<T, N> a, b;
  tensor<T, N, N> m;
  randomise(a, 0.5, 2, 1), randomise(b, 0.5, 2, 2), randomise(m, -1, 1, 3);
  check_agreement<wrt<0, 1>>(tolerance<T>, [](auto x, auto y) { return sum(x + y); }, a, b);
  check_agreement<wrt<0, 1>>(tolerance<T>, [](auto x, auto y) { return sum(cwise_product(x, y)); }, a, b);
  check_agreement<wrt<0, 1>>(tolerance<T>, [](auto x, auto y) { return sum(x) * sum(y) + sum(x) / sum(y); }, a, b);
  check_agreement<wrt<0>>(tolerance<T>, [](auto x) { return sum(x) + sum(x); }, a);
  check_agreement<wrt<0>>(tolerance<T>, [](auto x) { return sum(transpose(x) * x); }, a);
  check_agreement<wrt<0, 1>>(
      tolerance<T>, [](auto x, auto y) { return sum(cwise_product(transpose(x), x * y)) + sum(x * (x * (x * y))); }, m,
      m);
  check_agreement<wrt<0, 1>>(
      tolerance<T>,
      [](auto x, auto y) {
        auto h = x;
        for (int t = 0; t < 6; ++t) h = tanh(y * h + x);
        return sum(square(h)) + sum(h);
      },
      a, m);
}

/// Programs of scalars, with literals of every type.
template <class T>
void scalars() {
  T const x = static_cast<T>(0.7), y = static_cast<T>(1.3);
  check_agreement<wrt<0, 1>>(
      tolerance<T>, [](auto a, auto b) { return (2 * a + 1.5f) / (b - 0.75) * exp(-a * b) + 1u; }, x, y);
  check_agreement<wrt<1>>(
      tolerance<T>,
      [](auto a, auto b) {
        return a;
        static_cast<void>(b);
      },
      x, y);
  check_agreement<wrt<0>>(tolerance<T>, [](auto a, auto n) { return n * a * a; }, x, 3);
}

}  // namespace laws

// structure: losses made of slices, joins, views of views, gathers and factorisations, compiled and compared with
// the plain evaluation of their graphs.
#pragma once

#include "laws/agree.hpp"

#include <etch/etch.hpp>

namespace laws {

template <class T>
inline constexpr double structural_tolerance = sizeof(T) == 4 ? 2e-4 : 1e-11;

/// The loss `f` compiled with respect to `Wrt` on random arguments of these types.
template <class Wrt, class T, class F, class... A>
void check_structure(F f, A const&...) {
  std::tuple<A...> arguments;
  std::uint64_t seed = 1;
  std::apply([&](auto&... each) { (randomise(each, -1, 1, seed++), ...); }, arguments);
  CHECK(std::apply([&](auto const&... each) { return check_agreement<Wrt>(structural_tolerance<T>, f, each...); },
                   arguments) > 0);
}

/// Every part of a split through a function of its own; every other entry; parts that overlap; reversed parts.
template <class T, int N>
void slices() {
  CAPTURE(N);
  check_structure<wrt<0>, T>(
      [](auto x) {
        auto const part = split<0, 3>(x);
        return sum(cwise_product(tanh(part[0]), part[1])) + sum(exp(part[2]));
      },
      tensor<T, 3 * N>{});
  check_structure<wrt<1, 0>, T>(
      [](auto x, auto y) {
        auto const odd = slice<0, 1, N, 2>(x), even = slice<0, 0, N, 2>(x), tail = slice<0, N, N>(x);
        return sum(cwise_product(sin(odd), y)) + sum(cwise_product(reverse<0>(even), even)) +
               sum(cwise_product(tail, square(y)));
      },
      tensor<T, 2 * N>{}, tensor<T, N>{});
}

/// Joins of inputs, of one value twice, of values used elsewhere too, and joins read in part.
template <class Wrt, class T, int N>
void joins() {
  CAPTURE(N);
  check_structure<Wrt, T>(
      [](auto x, auto y, auto w) {
        auto const h = tanh(x);
        auto const all = concat<0>(x, y, x, h, h, zeros<2>());
        return sum(cwise_product(all, w)) + sum(cwise_product(h, y)) + sum(sin(slice<0, N / 2, 3 * N>(all)));
      },
      tensor<T, N>{}, tensor<T, N>{}, tensor<T, 5 * N + 2>{});
}

/// Reductions, products and views written into one matrix, which is read as a whole, transposed, and by rows.
template <class T, int M, int N>
void computed_parts() {
  CAPTURE(M);
  CAPTURE(N);
  check_structure<wrt<0, 1>, T>(
      [](auto a, auto b) {
        auto const c = concat<1>(a * b, sum<1>(a), max<1>(a), transpose(b), reverse<1>(a), ones<M, 1>());
        return sum(square(c)) + sum(transpose(c) * c) + sum(cwise_product(row<0>(c), row<M - 1>(c)));
      },
      tensor<T, M, N>{}, tensor<T, N, M>{});
}

/// Paddings of paddings, with zeros and other values, along every axis, and a stack of slices.
template <class T, int M, int N>
void paddings() {
  CAPTURE(M);
  CAPTURE(N);
  check_structure<wrt<0, 1>, T>(
      [](auto m, auto w) {
        auto const framed = pad<1, 2, 0>(pad<0, 1, 1>(pad<1, 1, 1>(sin(m)), 0.5), -1);
        auto const deep = stack<2>(framed, pad<0, 2, 0>(pad<1, 0, 4>(m)), cwise_product(framed, w));
        return sum(tanh(deep)) + sum(cwise_product(slice<1, 1, N + 1>(framed), slice<1, 3, N + 1>(framed)));
      },
      tensor<T, M, N>{}, tensor<T, M + 2, N + 4>{});
}

/// Views of views as operands of products: permuted, sliced with a step, reversed, a diagonal, repeated.
template <class T, int M, int N>
void views_into_products() {
  CAPTURE(M);
  CAPTURE(N);
  check_structure<wrt<0, 1>, T>(
      [](auto a, auto b) {
        auto const plane = slice<2, 1, 1>(a);  // [M, N, 1]
        auto const flat = reshape<M, N>(plane);
        auto const turned = permute<1, 0>(reverse<0>(flat));        // [N, M]
        auto const thin = slice<1, 0, M, 2>(b);                     // [N, M]
        auto const lifted = permute<2, 0, 1>(a);                    // [2, M, N]
        auto const batch = permute<1, 2, 0>(lifted);                // [M, N, 2]
        auto const gram = reverse<0, 1>(turned) * transpose(thin);  // [N, N]
        return sum(square(flat * thin)) + sum(sin(diagonal(gram))) + sum(tanh(matmul(batch, thin))) +
               sum(cwise_product(turned, thin)) + sum(square(repeat<0, 2>(flat) * tile<1, 2>(turned)));
      },
      tensor<T, M, N, 2>{}, tensor<T, N, 2 * M>{});
}

/// Gathers along each axis, running sums and products of entries, written into a join.
template <class T, int M, int N>
void gathers() {
  CAPTURE(M);
  CAPTURE(N);
  tensor<int, N> columns;
  tensor<std::uint8_t, 2, 2> rows;
  for (int j = 0; j < N; ++j) columns(j) = (j * j + 1) % N;
  for (std::size_t i = 0; i < 4; ++i) rows[i] = static_cast<std::uint8_t>(i % M);
  tensor<T, M, N> x;
  tensor<T, M, N> w;
  randomise(x, 0.5, 1.5, 1), randomise(w, -1, 1, 2);
  CHECK(check_agreement<wrt<0, 1>>(
            structural_tolerance<T>,
            [](auto m, auto v, auto j, auto i) {
              auto const picked = gather<1>(m, j);
              auto const cubes = gather<0>(m, i);  // [2, 2, N]
              auto const all =
                  concat<0>(picked, cumsum<1>(m), cumsum<0>(reverse<0>(v)), prod<0>(m), gather<1>(v, reverse<0>(j)));
              return sum(square(all)) + sum(sin(cubes)) + prod(slice<0, 0, 1>(m)) + sum(prod<1>(m)) +
                     sum(gather<0>(permute<1, 0>(v), j));
            },
            x, w, columns, rows) > 0);
}

/// Solutions and factors of well-conditioned matrices, by themselves and as parts of joins.
template <class T, int N>
void factors() {
  CAPTURE(N);
  tensor<T, N, N> a;
  tensor<T, N, 2> b;
  randomise(a, -0.5, 0.5, 1), randomise(b, -1, 1, 2);
  CHECK(check_agreement<wrt<0, 1>>(
            10 * structural_tolerance<T>,
            [](auto m, auto y) {
              auto const s = m * transpose(m) + 3 * identity<N>();
              auto const l = cholesky(s);
              auto const x =
                  concat<1>(solve(s, y), triangular_solve(l, y), triangular_solve<true>(transpose(l), y), col<0>(y));
              return sum(square(x)) + logdet(s) + sum(inverse(s)) + quadratic_form(col<0>(y), s) +
                     trace(tril<-1>(outer(col<0>(y), col<1>(y))) + triu(s)) / N;
            },
            a, b) > 0);
}

/// Gradients that are views of each other, and slices of arguments as gradients.
template <class T, int N>
void related_gradients() {
  CAPTURE(N);
  check_structure<wrt<0, 1>, T>([](auto w, auto x) { return sum(square(w + pad<0, 1, 0>(x))); }, tensor<T, N + 1>{},
                                tensor<T, N>{});
  check_structure<wrt<1, 0>, T>([](auto w, auto x) { return sum(square(w + transpose(x))); }, tensor<T, N, N>{},
                                tensor<T, N, N>{});
  check_structure<wrt<1, 2>, T>(
      [](auto x, auto y, auto z) {
        return sum(cwise_product(slice<0, 1, N>(x), y)) + sum(cwise_product(concat<0>(y, x), z));
      },
      tensor<T, N + 1>{}, tensor<T, N>{}, tensor<T, 2 * N + 1>{});
}

}  // namespace laws

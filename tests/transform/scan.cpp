#include <etch/transform/scan.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

using namespace etch;
using namespace same;

namespace {

using matrix_type = tensor<double, 3, 3>;
using series = tensor<double, 3, 6>;

constexpr auto unrolled_rnn = [](auto w, auto xs) {
  auto h = 0.0 * xs.col(0);
  auto total = sum(h);
  for (int t = 0; t < 6; ++t) {
    h = tanh(w * h + xs.col(t));
    total += sum(square(h * transpose(xs.col(t))));
  }
  return sum(h) + total;
};

template <class Keep>
constexpr auto rnn(Keep) {
  return [](auto w, auto xs) {
    auto const r = scan(
        [&](auto h, auto x) {
          auto const next = tanh(w * h + x);
          return step{next, next * transpose(x)};
        },
        zeros<3>(), xs, Keep{});
    return sum(r.carry) + sum(square(r.y));
  };
}

template <class Keep>
constexpr auto two_carries(Keep) {
  return [](auto w, auto xs) {
    auto const [last, outputs] = scan(
        [&](auto carry, auto x) {
          auto const [h, c, n] = carry;
          auto const [a, b] = x;
          auto const next = tanh(w * h + a) * sum(c);
          return step{std::tuple{next, c + cwise_product(b, h), n + 1}, std::tuple{next, sum(c)}};
        },
        std::tuple{zeros<3>(), ones<3>(), 0.0}, std::tuple{xs, xs}, Keep{});
    auto const [h, c, n] = last;
    auto const [hs, cs] = outputs;
    return sum(h) + sum(c) * n + sum(square(hs)) + sum(square(cs));
  };
}
constexpr auto two_carries_unrolled = [](auto w, auto xs) {
  auto h = 0.0 * xs.col(0), c = h + 1;
  auto total = sum(h), n = sum(h);
  for (int t = 0; t < 6; ++t) {
    auto const next = tanh(w * h + xs.col(t)) * sum(c);
    total += sum(square(next)) + square(sum(c));
    c = c + cwise_product(xs.col(t), h);
    h = next;
    n = n + 1;
  }
  return sum(h) + sum(c) * n + total;
};

constexpr std::integer_sequence<int, 0> first;
constexpr std::integer_sequence<int, 1> second;
constexpr std::integer_sequence<int, 0, 1> both;

}  // namespace

TEST_CASE("a scan is what its steps are one after the other, under every keeping policy") {
  matrix_type const w = filled_with<matrix_type>(1);
  series const xs = filled_with<series>(2);
  SUBCASE("keep_all") { check_same(both, rnn(keep_all), unrolled_rnn, w, xs); }
  SUBCASE("keep_carries") { check_same(both, rnn(keep_carries), unrolled_rnn, w, xs); }
  SUBCASE("keep_every, no remainder") { check_same(both, rnn(keep_every<2>), unrolled_rnn, w, xs); }
  SUBCASE("keep_every, a remainder") { check_same(both, rnn(keep_every<4>), unrolled_rnn, w, xs); }
  SUBCASE("keep_every, more than there are") { check_same(both, rnn(keep_every<9>), unrolled_rnn, w, xs); }
}

TEST_CASE("gradients with respect to one argument only") {
  matrix_type const w = filled_with<matrix_type>(3);
  series const xs = filled_with<series>(4);
  check_same(first, rnn(keep_all), unrolled_rnn, w, xs);
  check_same(second, rnn(keep_all), unrolled_rnn, w, xs);
  check_same(second, rnn(keep_carries), unrolled_rnn, w, xs);
}

TEST_CASE("carries may be tuples, slices tuples, outputs tuples, and not all need a gradient") {
  matrix_type const w = filled_with<matrix_type>(7);
  series const xs = filled_with<series>(8);
  SUBCASE("keep_all") { check_same(both, two_carries(keep_all), two_carries_unrolled, w, xs); }
  SUBCASE("keep_carries") { check_same(both, two_carries(keep_carries), two_carries_unrolled, w, xs); }
  SUBCASE("keep_every") { check_same(both, two_carries(keep_every<2>), two_carries_unrolled, w, xs); }
  SUBCASE("one argument") { check_same(second, two_carries(keep_all), two_carries_unrolled, w, xs); }
}

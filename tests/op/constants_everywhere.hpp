// constants_everywhere: each family of operations on constants alone, and what follows from it beside a traced value.
// The same on an argument with the constant's entries must give the same.
#pragma once

#include <etch/etch.hpp>

#include "rewrite/at_run_time.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace constants_everywhere {

using namespace etch;

// Kinds of constants, all 3 x 3 and none of them singular once 2 is added along the diagonal;
// and their entries, columns first.

struct of_identity {
  static constexpr auto make() { return identity<3>(); }
  static constexpr double entries[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
};
struct of_one_number {
  static constexpr auto make() { return full<3, 3>(0.3); }
  static constexpr double entries[] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
};
struct of_sums {
  static constexpr auto make() { return identity<3>() * 2.0 + identity<3>() / 4 + (1.0 - ones<3, 3>() * 0.9); }
  static constexpr double entries[] = {2.35, 0.1, 0.1, 0.1, 2.35, 0.1, 0.1, 0.1, 2.35};
};
struct of_numbers {
  static constexpr auto make() {
    return stack<1>(stack<0>(0.1, 0.2, 0.3), full<3>(0.5), slice<0, 1, 3>(concat<0>(0.25, stack<0>(1.0, 2.0), 3)));
  }
  static constexpr double entries[] = {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 1, 2, 3};
};
struct of_views {
  static constexpr auto make() {
    return broadcast<3, 3>(reshape<1, 3>(stack<0>(0.5, 0.0, 1.5))) +
           transpose(reshape<3, 3>(concat<0>(ones<4>(), zeros<5>())));
  }
  static constexpr double entries[] = {1.5, 1.5, 0.5, 1, 0, 0, 2.5, 1.5, 1.5};
};

/// `f(y...)` of what each family makes of the matrix `c`.
constexpr auto element_by_element = [](auto c, auto f) {
  return f(-c, 1.0 - c, c * 2.0, c / 4, 2 / (c + 1), exp(c), tanh(c), sin(c) + cos(c), log(c + 1), sqrt(c), abs(c),
           square(c), pow(c + 1, 1.5), max(c, 0.4), min(c, 1 - c), clamp(c, 0.2, 0.8), relu(c - 0.2), floor(c),
           atan2(c, c + 1), stop_gradient(c), cwise_product(c, c), c.array() * c.array(), c.cwiseAbs2(),
           leaky_relu(c - 0.2));
};
constexpr auto choices = [](auto c, auto f) {
  return f(c > 0.4, c <= 0.25, !(c > 0.4), c > 0.1 && c < 0.4, c == 1 || c > 2, select(c > 0.4, c, 2.0),
           select(c, 1.0, 3.0), select(c > 0.4, exp(c), c), select(c > 0.4, 1, 0));
};
constexpr auto reductions = [](auto c, auto f) {
  return f(sum(c), sum<0>(c), mean<1>(c), max(c), min<0>(c), norm(c), prod(c + 1), variance<0>(c), logsumexp<0>(c),
           softmax<0>(c), cumsum<1>(c), trace(c), c.colwise().sum(), c.maxCoeff());
};
constexpr auto shapes_of = [](auto c, auto f) {
  auto const parts = split<1, 3>(c);
  return f(transpose(c), reshape<9>(c), slice<0, 0, 2>(c), row<1>(c), broadcast<3, 3>(row<0>(c)), permute<1, 0>(c),
           reverse<0>(c), diagonal(c), tril(c), triu<1>(c), pad<0, 1, 2>(c, 0.5), tile<1, 2>(c), repeat<0, 2>(c),
           concat<0>(c, c), concat<1>(c, reshape<3, 1>(stack<0>(1, 2, 3))), stack<2>(c, c), c(1, 2), c.col(0),
           c.template block<2, 2>(0, 1), parts[1] + parts[2], c.transpose().row(2));
};
constexpr auto products = [](auto c, auto f) {
  auto const v = c.col(1);
  return f(c * c, c * v, dot(v, v), outer(v, v), quadratic_form(v, c), det(c + 2 * identity<3>()),
           inverse(c + 2 * identity<3>()), solve(c + 2 * identity<3>(), v), cholesky(c * transpose(c) + identity<3>()),
           conv2d(reshape<3, 3, 1, 1>(c), full<2, 2, 1, 1>(0.5)), max_pool<2, 1>(reshape<3, 3, 1, 1>(c)));
};

/// The sum of all results times `s`, and each of them.
template <class Kind, auto Family>
constexpr auto of_constant = [](auto s) {
  return Family(Kind::make(), [&](auto const&... y) { return std::tuple((sum(s * y) + ...), (s + y)...); });
};
template <auto Family>
constexpr auto of_argument = [](auto s, auto c) {
  return Family(c, [&](auto const&... y) { return std::tuple((sum(s * y) + ...), (s + y)...); });
};

template <class T>
double difference(T const& a, T const& b) {
  double most = 0;
  auto const look = [&](auto x, auto y) {
    most = std::max(most, std::abs(static_cast<double>(x - y)) / (1 + std::abs(static_cast<double>(y))));
  };
  if constexpr (scalar<T>) look(a, b);
  else
    for (std::size_t i = 0; i < a.size(); ++i) look(a.data()[i], b.data()[i]);
  return most;
}

template <class V>
void check_entries(std::size_t position, at_run_time::numbers const& found, V const& wanted, auto tolerance) {
  CAPTURE(position);
  auto const check_one = [&](double a, double b) {
    CHECK(std::abs(a - b) <= static_cast<double>(tolerance) * (1 + std::abs(b)));
  };
  if constexpr (scalar<V>) {
    check_one(found[0], static_cast<double>(wanted));
  } else {
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) check_one(found[i], static_cast<double>(wanted.data()[i]));
  }
}

template <class T, class Kind, auto Family>
void check() {
  T const s = T(0.75), tolerance = std::is_same_v<T, float> ? T(4e-6) : T(1e-14);
  tensor<T, 3, 3> c;
  for (std::size_t i = 0; i < 9; ++i) c.data()[i] = static_cast<T>(Kind::entries[i]);
  auto const wanted = dynamic::value_and_grad<wrt<0>>(of_argument<Family>)(s, c);
  auto const compare = [&](auto const& found) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(found)>, std::remove_const_t<decltype(wanted)>>);
    CHECK(difference(found.grad, wanted.grad) <= tolerance);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const check_one = [&](std::size_t position, auto const& one, auto const& other) {
        CAPTURE(position);
        CHECK(difference(one, other) <= tolerance);
      };
      (check_one(I, std::get<I>(found.value), std::get<I>(wanted.value)), ...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(found.value)>>>{});
  };
  SUBCASE("traced") {
    static constexpr auto traced =
        freeze([] { return pass::trace<std::remove_const_t<decltype(of_constant<Kind, Family>)>, T>({}); });
    auto const results = at_run_time::interpret(at_run_time::plain(traced), {{static_cast<double>(s)}});
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (check_entries(I, results[I], std::get<I>(wanted.value), tolerance), ...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(wanted.value)>>>{});
  }
  if constexpr (std::is_same_v<Kind, of_sums>) {
    SUBCASE("compiled") { compare(value_and_grad(of_constant<Kind, Family>)(s)); }
  }
  SUBCASE("tape") { compare(dynamic::value_and_grad(of_constant<Kind, Family>)(s)); }
}

template <class T, auto Family>
void check_kinds() {
  SUBCASE("identity") { check<T, of_identity, Family>(); }
  SUBCASE("one number") { check<T, of_one_number, Family>(); }
  SUBCASE("sums") { check<T, of_sums, Family>(); }
  SUBCASE("numbers") { check<T, of_numbers, Family>(); }
  SUBCASE("views") { check<T, of_views, Family>(); }
}

}  // namespace constants_everywhere

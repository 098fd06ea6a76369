// Every function of scalars on a tape, by its name, against the compiled program of the same lambda.
#pragma once

#include <etch/etch.hpp>
#include <etch/tape/tape.hpp>

#include "laws/laws.hpp"
#include "tape/close.hpp"
#include "tape/vocabulary.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tapes {

using namespace etch;
using namespace vocabulary;

template <class T, std::size_t N>
std::array<T, N> samples(double low, double high, std::uint64_t seed) {
  std::array<T, N> x;
  std::vector<double> const some = laws::sample(N, low, high, seed);
  for (std::size_t i = 0; i < N; ++i) x[i] = static_cast<T>(some[i]);
  return x;
}
/// Samples of all functions of one operand, number `round` of several.
template <class T>
std::array<T, unary_count> samples_of_one(std::uint64_t round) {
  std::array<T, unary_count> x;
  std::size_t i = 0;
  for_each(unary, [&](auto const& each) {
    x[i] = static_cast<T>(laws::sample(1, each.low, each.high, 100 * round + i + 1)[0]);
    ++i;
  });
  return x;
}

/// The results of one function: its value, and the derivatives of w times it.
template <class T>
struct outcome {
  T value, by_a, by_b;
};

/// The function itself, out of line, as one statement.
template <class F, class T>
[[gnu::noinline]] outcome<T> run(tape<T>& t, T a, T w) {
  t.reset();
  var<T> const x = t.watch(a);
  var<T> const y = F()(x);
  t.backward(y * w);
  return {value(y), t.grad(x), 0};
}
template <class F, class T>
[[gnu::noinline]] outcome<T> run(tape<T>& t, var<T> const& a, var<T> const& b, T w) {
  var<T> const y = F()(a, b);
  t.backward(y * w);
  return {value(y), a.owner() != nullptr ? t.grad(a) : 0, b.owner() != nullptr ? t.grad(b) : 0};
}

/// Every second function of one operand, from number `Part` on.
template <std::size_t Part, class T>
void functions_of_one() {
  tape<T> t;
  for (std::uint64_t round = 0; round < 6; ++round) {
    auto const x = samples_of_one<T>(round);
    auto const w = samples<T, unary_count>(0.5, 2, 7);
    auto const compiled = value_and_grad<wrt<0>>(sum_of_one<Part>())(x, w);
    std::array<outcome<T>, unary_count> got;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((got[2 * I + Part] = run<decltype(std::get<2 * I + Part>(unary).f)>(t, x[2 * I + Part], w[2 * I + Part])), ...);
    }(std::make_index_sequence<(unary_count + 1 - Part) / 2>{});
    T total = 0;
    for (std::size_t i = Part; i < unary_count; i += 2) {
      CAPTURE(i);
      CAPTURE(x[i]);
      CHECK(std::isfinite(got[i].value));
      CHECK(steps_between(got[i].by_a, compiled.grad[i]) <= 4);
      total += got[i].value * w[i];
    }
    CHECK(steps_between(total, compiled.value) <= 8);
  }
}
template <class T>
void functions_of_two() {
  tape<T> t;
  for (std::uint64_t round = 0; round < 6; ++round) {
    auto const a = samples<T, binary_count>(0.25, 4, 10 + round), b = samples<T, binary_count>(0.25, 4, 20 + round);
    auto const w = samples<T, binary_count>(0.5, 2, 7);
    auto const compiled = value_and_grad<wrt<0, 1>>(sum_of_two)(a, b, w);
    auto const& [by_a, by_b] = compiled.grad;
    T total = 0;
    std::vector<outcome<T>> got, left, right, both;
    for_each(binary, [&]<class F>(F) {
      std::size_t const i = got.size();
      t.reset();
      got.push_back(run<F>(t, t.watch(a[i]), t.watch(b[i]), w[i]));
      t.reset();
      left.push_back(run<F>(t, t.watch(a[i]), t.constant(b[i]), w[i]));
      t.reset();
      right.push_back(run<F>(t, var<T>(a[i]), t.watch(b[i]), w[i]));
      t.reset();
      both.push_back(run<F>(t, var<T>(a[i]), t.constant(b[i]), w[i]));
    });
    for (std::size_t i = 0; i < binary_count; ++i) {
      CAPTURE(i);
      CHECK(steps_between(got[i].by_a, by_a[i]) <= 4);
      CHECK(steps_between(got[i].by_b, by_b[i]) <= 4);
      CHECK(steps_between(left[i].by_a, by_a[i]) <= 4);
      CHECK(steps_between(right[i].by_b, by_b[i]) <= 4);
      for (auto const& each : {left[i], right[i], both[i]}) CHECK(identical(each.value, got[i].value));
      total += got[i].value * w[i];
    }
    CHECK(steps_between(total, compiled.value) <= 8);
  }
}

}  // namespace tapes

// loops: the same loss written once, with its loops as nodes of the graph, or as their steps one after the other.
#pragma once

#include "transform/values.hpp"

#include <etch/op/constants.hpp>
#include <etch/transform/checkpoint.hpp>
#include <etch/transform/scan.hpp>

#include <utility>

namespace loops {

using namespace etch;

/// Loops as they are, under one keeping policy.
template <class Keep>
struct looped {
  static constexpr auto scan(auto const& f, auto const& init, auto const& xs) {
    return etch::scan(f, init, xs, Keep{});
  }
  template <int N>
  static constexpr auto repeat(auto const& f, auto const& init) {
    return etch::repeat<N>(f, init, Keep{});
  }
  static constexpr auto checkpoint(auto const& f) { return etch::checkpoint(f); }
};

/// The steps one after the other, each a call of the body. It shares nothing with the loops but the types of carries.
struct unrolled {
  template <class Init, class Xs>
  static constexpr auto scan(auto const& f, Init const& init, Xs const& xs) {
    auto const first = etch::detail::map_leaves([](auto const& x) { return entry<0>(x); }, xs);
    return from<0, etch::detail::steps_of<Xs>()>(f, declared(etch::detail::carry_from(f, init, first)), xs, 0);
  }
  template <int N>
  static constexpr auto repeat(auto const& f, auto const& init) {
    auto const carry = declared(etch::detail::carry_from(f, init));  // constants take a type
    if constexpr (N == 1) return f(carry);
    else return repeat<N - 1>(f, f(carry));
  }
  static constexpr auto checkpoint(auto const& f) { return f; }

 private:
  /// The carry in the types that the body sees.
  static constexpr auto declared(auto const& carry) {
    return etch::detail::map_plain_leaves(
        []<class X>(X const& x) { return typename etch::detail::joined_type<X>::type(x); }, carry);
  }
  template <int P, class X>
  static constexpr auto entry(X const& x) {
    return reshaped<etch::detail::without_last(X::extent)>(etch::slice<X::extent.rank - 1, P, 1>(x));
  }
  template <shape S>
  static constexpr auto reshaped(auto const& x) {
    return [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
      return etch::reshape<S[Axis]...>(x);
    }(std::make_integer_sequence<int, S.rank>{});
  }
  template <int P, int N, class Ys>
  static constexpr auto from(auto const& f, auto const& carry, auto const& xs, Ys const& before) {
    auto const r = f(carry, etch::detail::map_leaves([]<class X>(X const& x) { return entry<P>(x); }, xs));
    if constexpr (!etch::detail::is_step<std::remove_const_t<decltype(r)>>) {
      if constexpr (P + 1 == N) return r;
      else return from<P + 1, N>(f, r, xs, 0);
    } else {
      auto const one =
          etch::detail::map_leaves([]<class Y>(Y const& y) { return reshaped<stacked(Y::extent, 1)>(y); }, r.y);
      auto const ys = [&] {
        if constexpr (P == 0) return one;
        else
          return etch::detail::map_leaves(
              []<class Y>(Y const& a, auto const& b) { return etch::concat<Y::extent.rank - 1>(a, b); }, before, one);
      }();
      if constexpr (P + 1 == N) return step{r.carry, ys};
      else return from<P + 1, N>(f, r.carry, xs, ys);
    }
  }
};

/// The loss `Subject{}(loops, arguments...)` as a function of the arguments.
template <class Subject, class Loops>
struct with {
  constexpr auto operator()(auto const&... arguments) const { return Subject{}(Loops{}, arguments...); }
};

/// A matrix, a vector to begin with, and columns to scan over.
inline auto const weights = values::filled_with<tensor<double, 3, 3>>(1);
inline auto const start = values::filled_with<tensor<double, 3>>(2);
template <int Steps>
auto series_of() {
  return values::filled_with<tensor<double, 3, Steps>>(3);
}

template <class... Keep>
struct policies {};
using two_policies = policies<keep_all_t, keep_carries_t>;
using three_policies = policies<keep_all_t, keep_carries_t, keep_every_t<2>>;
using every_policy = policies<keep_all_t, keep_carries_t, keep_every_t<2>, keep_every_t<3>, keep_every_t<9>>;

}  // namespace loops

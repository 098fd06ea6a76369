// semantics: what the library promises where mathematics leaves a choice; in three files, one
// test case for each row of the table.
#pragma once

#include <etch/op/elementwise.hpp>
#include <etch/op/statistics.hpp>

#include "op/special.hpp"
#include "rewrite/at_run_time.hpp"

namespace semantics {

using namespace special;

template <class T>
inline constexpr T inf = infinity<T>;
template <class T>
inline constexpr T none = not_a_number<T>;

/// Checks gradients of sum(f(x...)): each operand takes its values again and again, in every place of a
/// register, and so must its gradient. (Out of line: g++ 12 -O2 -march=native breaks off in its pass slp
/// where this becomes part of some callers.)
template <class T, int N, class... Values>
[[gnu::noinline]] void check_slopes(auto f, std::pair<std::vector<T>, Values> const&... at_and_by) {
  std::size_t const rounds = std::max({at_and_by.first.size()...});
  for (std::size_t shift = 0; shift < rounds; ++shift) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      auto const g = grad<wrt<I...>>(f)(repeated<T, N>(at_and_by.first, shift)...);
      if constexpr (sizeof...(I) == 1) (check_repeated(g, at_and_by.second, shift), ...);
      else (check_repeated(std::get<I>(g), at_and_by.second, shift), ...);
    }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Values))>{});
  }
}

template <class T>
using slopes = std::pair<std::vector<T>, std::vector<T>>;

/// The derivatives of orders 0, 1, 2, ... at `x` of the function that `f(term)` builds.
inline std::vector<double> derivatives(element type, double x, int orders, auto f) {
  graph g;
  g.outputs = {f(input(g, type, make_shape(), 0)).id};
  std::vector<double> all;
  for (int order = 0; order <= orders; ++order) {
    all.push_back(at_run_time::interpret(g, {{x}})[0][0]);
    int leaf = 0;
    while (leaf < g.size() && g[leaf].op != opcode_of<op::input>) ++leaf;
    if (leaf == g.size()) break;  // what is left is constant
    g = at_run_time::differentiate(g, std::vector<int>{leaf});
    g.outputs = {g.outputs.back()};
  }
  return all;
}

}  // namespace semantics

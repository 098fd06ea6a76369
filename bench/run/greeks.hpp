// greeks: what the problems of prices and their first derivatives have in common: the problem of the price alone, and
// a check of derivatives by differences.
#pragma once

#include "rival.hpp"
#include "visit_each.hpp"

#include <etch/core/named_view.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace bench {

/// Where rivals leave the price, in a problem that asks for nothing else.
struct price_alone {
  double price = 0;
  auto entries() const { return std::tie(price); }
};

/// The same inputs as `Problem`, whose `price_name` it has: no derivatives, only the price.
template <class Problem>
struct price_of : Problem {
  static constexpr char const* name = Problem::price_name;
  static constexpr auto is_right = nullptr;
  using gradient = price_alone;
};

/// The largest difference between the derivatives `g` of `price(inputs)` by the numbers of `inputs.model` and central
/// differences with steps of `step` times the larger of 0.01 and the number, relative to the largest derivative in
/// each leaf.
template <class Inputs, class Model>
double distance_from_differences(Inputs const& inputs, Model const& g, double step, auto price) {
  Inputs moved = inputs;
  std::vector<std::vector<double>> derivatives;
  etch::argument<Model>::visit(
      g, [&](double const* entries, std::size_t n) { derivatives.emplace_back(entries, entries + n); });
  double worst = 0;
  std::size_t leaf = 0;
  etch::argument<Model>::visit(moved.model, [&](double* entries, std::size_t n) {
    double scale = 0, distance = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double const at = entries[i], by = step * std::max(0.01, std::abs(at)), wanted = derivatives[leaf][i];
      entries[i] = at + by;
      double const above = price(std::as_const(moved));
      entries[i] = at - by;
      double const below = price(std::as_const(moved)), d = std::abs((above - below) / (2 * by) - wanted);
      entries[i] = at;
      scale = std::max(scale, std::abs(wanted));
      if (!(d <= distance)) distance = d;  // not a number stays
    }
    double const relative = distance == 0 ? 0 : distance / scale;
    if (!(relative <= worst)) worst = relative;
    ++leaf;
  });
  return worst;
}

/// Whether the derivatives `g` of `Problem` are nearer to differences than `bound` of the largest of their leaf; says
/// how near.
template <class Problem>
bool are_near_differences(typename Problem::inputs const& inputs, typename Problem::gradient const& g, double step,
                          auto price, double bound) {
  double const distance = distance_from_differences(inputs, g, step, price);
  std::printf("%s: derivatives are %.1e of the largest of their leaf from differences\n", Problem::name, distance);
  return distance < bound;
}

}  // namespace bench

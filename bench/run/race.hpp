// race: the rivals of one or more problems: their gradients compared, then all of them timed in turns.
#pragma once

#include "contest.hpp"
#include "rival.hpp"
#include "visit_each.hpp"

#include <etch/core/named_view.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string_view>
#include <tuple>

namespace bench {

/// Calls `f(entries, their number)` for every leaf of a gradient: as the problem says, or of its
/// `entries()`, or as of an argument.
template <class Problem, class Gradient>
void visit_leaves(Gradient& g, auto f) {
  if constexpr (requires { Problem::visit(g, f); }) Problem::visit(g, f);
  else if constexpr (requires { g.entries(); }) visit_each(g.entries(), f);
  else etch::argument<typename Problem::gradient>::visit(g, f);
}

/// The largest difference between two gradients, relative to the largest entry of the leaf it is in, or to
/// `Problem::least_scale` of the largest of all where that is more.
template <class Problem>
double disagreement(typename Problem::gradient const& a, typename Problem::gradient const& b) {
  std::vector<std::vector<double>> leaves;
  visit_leaves<Problem>(a, [&](auto const* entries, std::size_t n) { leaves.emplace_back(entries, entries + n); });
  double least_scale = 0, worst = 0;
  if constexpr (requires { Problem::least_scale; })
    for (auto const& each : leaves)
      for (double const e : each) least_scale = std::max(least_scale, Problem::least_scale * std::abs(e));
  std::size_t leaf = 0;
  visit_leaves<Problem>(b, [&](auto const* entries, std::size_t n) {
    double scale = least_scale, distance = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double const wanted = leaves[leaf][i], d = std::abs(static_cast<double>(entries[i]) - wanted);
      scale = std::max(scale, std::abs(wanted));
      if (!(d <= distance)) distance = d;  // not a number stays
    }
    double const relative = distance == 0 ? 0 : distance / scale;
    if (!(relative <= worst)) worst = relative;
    ++leaf;
  });
  return worst;
}

/// One problem's share of the process: its inputs, a gradient for all rivals to write, and the rivals, "etch" first.
template <class Problem>
struct course {
  typename Problem::inputs inputs{};
  typename Problem::gradient gradient{}, reference{};
  std::vector<typename rival<Problem>::entry> rivals = rival<Problem>::entered();

  course() {
    Problem::fill(inputs);
    std::stable_partition(rivals.begin(), rivals.end(),
                          [](auto const& r) { return std::string_view(r.name) == "etch"; });
    visit_leaves<Problem>(gradient, []<class T>(T* entries, std::size_t n) {
      if constexpr (!std::is_const_v<T>) std::fill(entries, entries + n, 1);
    });
  }

  void enter(std::vector<contestant>& all) {
    for (auto const& r : rivals) {
      contestant c{.name = std::string(Problem::name) + "/" + r.name, .unit = Problem::unit, .workspace = r.workspace};
      c.once = [this, &r] { r.compute(inputs, gradient); };
      c.repeat = [this, &r](benchmark::State& state) { r.repeat(state, inputs, gradient); };
      if constexpr (requires { typename Problem::scalar; }) c.element = sizeof(typename Problem::scalar);
      visit_leaves<Problem>(gradient, [&]<class T>(T*, std::size_t) { c.element = sizeof(T); });
      if constexpr (requires { Problem::flops; }) c.flops = Problem::flops;
      if constexpr (requires { Problem::bytes; }) c.bytes = Problem::bytes;
      all.push_back(c);
    }
  }

  bool agree() {
    bool all = true;
    double const value = rivals[0].compute(inputs, reference);
    if constexpr (requires { Problem::is_right(inputs, reference); }) all = Problem::is_right(inputs, reference);
    for (std::size_t i = 1; i < rivals.size(); ++i) {
      double const other = rivals[i].compute(inputs, gradient);
      double const values = std::abs(other - value) / std::max(std::abs(value), 1e-300),
                   gradients = disagreement<Problem>(reference, gradient);
      bool const good = values <= Problem::tolerance && gradients <= Problem::tolerance;
      std::printf("%s/%s: value differs from that of %s by %.1e, gradient by %.1e of the largest entry%s\n",
                  Problem::name, rivals[i].name, rivals[0].name, values, gradients, good ? "" : ": TOO MUCH");
      all = all && good;
    }
    return all;
  }
};

/// The main function of a problem's program.
template <class... Problem>
int race(int argc, char** argv) {
  auto const courses = std::make_unique<std::tuple<course<Problem>...>>();
  std::vector<contestant> all;
  (std::get<course<Problem>>(*courses).enter(all), ...);
#ifdef BENCH_SKIPPED  // said by the build
  benchmark::AddCustomContext("skipped", BENCH_SKIPPED);
#endif
  return contest(argc, argv, all,
                 [&] { return (static_cast<int>(std::get<course<Problem>>(*courses).agree()) & ...) != 0; });
}

}  // namespace bench

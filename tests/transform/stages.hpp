// stages: two losses that are the same function, taken through the passes at run time and interpreted: value, gradients
// of every choice of leaves, gradients of gradients, and differences of values.
#pragma once

#include "core/identical.hpp"
#include "rewrite/at_run_time.hpp"
#include "transform/loops.hpp"

#include <etch/compile/trace.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace stages {

using namespace etch;
using at_run_time::numbers;
using graphs::identical;

/// The entries of all leaves, one sequence for each.
template <class... A>
std::vector<numbers> entries_of(A const&... a) {
  std::vector<numbers> all;
  (argument<A>::visit(a, [&](auto const* entries, std::size_t count) { all.emplace_back(entries, entries + count); }),
   ...);
  return all;
}

/// The node of every floating-point leaf.
inline std::vector<int> leaves_of(graph_view g) {
  std::vector<int> nodes;
  for (int id = 0; id < g.size(); ++id)
    if (g[id].op == opcode_of<op::input> && is_floating(g[id].type)) nodes.push_back(id);
  return nodes;
}

inline void check_sound(char const* stage, graph_view g) {
  char const* const fault = at_run_time::find_fault(g);
  CAPTURE(stage);
  CHECK(std::string(fault == nullptr ? "" : fault).empty());
}

/// The outputs of `g`, which every later stage keeps.
inline std::vector<numbers> values_of(graph_view g, std::vector<numbers> const& inputs) {
  graph const expanded = at_run_time::expand(g), pruned = at_run_time::prune(expanded),
              assembled = at_run_time::assemble(pruned), materialised = at_run_time::materialise(assembled);
  check_sound("expand", expanded);
  CHECK(at_run_time::changes_unasked(expanded) == nullptr);
  check_sound("prune", pruned);
  check_sound("materialise", materialised);
  CHECK(identical(at_run_time::prune(pruned), pruned));
  std::vector<numbers> const values = at_run_time::interpret(pruned, inputs);
  CHECK(values == at_run_time::interpret(expanded, inputs));
  CHECK(values == at_run_time::interpret(materialised, inputs));
  return values;
}

inline graph with_gradients(graph_view g, std::vector<int> const& wrt) {
  graph const d = at_run_time::differentiate(g, wrt);
  check_sound("differentiate", d);
  for (int nodes : {1, 3}) CHECK(graphs::identical(d, at_run_time::differentiate_in_parts(g, wrt, nodes)));
  return d;
}

/// The sum of the squares of the gradients of `g`.
inline graph steepness(graph_view g, std::vector<int> const& wrt) {
  graph s = with_gradients(g, wrt);
  term total = constant(s, s[s.outputs[0]].type, 0);
  for (std::size_t i = 1; i < s.outputs.size(); ++i) {
    term const gradient{&s, s.outputs[i]};
    total = total + emit<op::sum>(op::reduction::whole, gradient * gradient);
  }
  s.outputs = {total.id};
  return s;
}

inline void check_equal(std::vector<numbers> const& a, std::vector<numbers> const& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    REQUIRE(a[k].size() == b[k].size());
    double worst = 0, size = 1;
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      worst = std::max(worst, std::isfinite(a[k][i] - b[k][i]) ? std::abs(a[k][i] - b[k][i]) : INFINITY);
      size = std::max(size, std::abs(b[k][i]));
    }
    CAPTURE(k);
    CHECK(worst / size <= tolerance);
  }
}

/// The slope of the loss in a direction is what its gradients say.
inline void check_slope(graph_view g, std::vector<int> const& wrt, std::vector<numbers> const& inputs,
                        std::vector<numbers> const& values) {
  graph const plain = at_run_time::expand(g);
  double slope = 0, size = 1;
  auto const direction = [](std::size_t k, std::size_t i) { return std::sin(static_cast<double>(3 * k + 5 * i + 1)); };
  for (std::size_t k = 0; k < wrt.size(); ++k)
    for (std::size_t i = 0; i < values[k + 1].size(); ++i) {
      slope += values[k + 1][i] * direction(k, i);
      size = std::max(size, std::abs(values[k + 1][i]));
    }
  auto const at = [&](double h) {
    std::vector<numbers> moved = inputs;
    for (std::size_t k = 0; k < wrt.size(); ++k) {
      numbers& leaf = moved[static_cast<std::size_t>(g[wrt[k]].attributes)];
      for (std::size_t i = 0; i < leaf.size(); ++i) leaf[i] += h * direction(k, i);
    }
    return at_run_time::interpret(plain, moved)[0][0];
  };
  double const h = 1e-4;
  CHECK(std::abs(slope - (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)) <= 1e-7 * size);
}

/// Checks that `looped` is `unrolled` on arguments of double.
template <class F, class G, class... A>
void check_same(F looped, G unrolled, A const&... a) {
  graph const l = pass::trace<F, A...>(looped), u = pass::trace<G, A...>(unrolled);
  graph const f = at_run_time::simplify(l), g = at_run_time::simplify(u);
  check_sound("trace", l);
  check_sound("simplify", f);
  std::vector<numbers> const inputs = entries_of(a...);
  std::vector<int> const from = leaves_of(f), to = leaves_of(g);
  REQUIRE(from.size() == to.size());
  double const tolerance = 1e-12;
  check_equal(values_of(l, inputs), values_of(u, inputs), tolerance);
  for (unsigned choice = 1; choice < 1u << from.size(); ++choice) {
    CAPTURE(choice);
    std::vector<int> wrt, wrt_unrolled;
    for (std::size_t i = 0; i < from.size(); ++i)
      if ((choice >> i & 1) != 0) wrt.push_back(from[i]), wrt_unrolled.push_back(to[i]);
    std::vector<numbers> const values = values_of(with_gradients(f, wrt), inputs);
    check_equal(values, values_of(with_gradients(g, wrt_unrolled), inputs), tolerance);
    if (choice + 1 < 1u << from.size()) continue;
    check_slope(f, wrt, inputs, values);
    graph const s = steepness(f, wrt), t = steepness(g, wrt_unrolled);
    check_equal(values_of(with_gradients(s, leaves_of(s)), inputs), values_of(with_gradients(t, leaves_of(t)), inputs),
                1e-10);
  }
}

/// Checks that loops under each policy are their steps one after the other, in the loss `S{}(loops, arguments...)`.
template <class... Keep, class S, class... A>
void check_under(loops::policies<Keep...>, S, A const&... a) {
  (check_same(loops::with<S, loops::looped<Keep>>{}, loops::with<S, loops::unrolled>{}, a...), ...);
}

}  // namespace stages

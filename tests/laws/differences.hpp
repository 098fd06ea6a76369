// differences: the gradients of an op, of first and second order, against differences of its values. The op is data
// here, no template argument, so a law costs no compile time by the op.
#pragma once

#include "laws/laws.hpp"
#include "rewrite/at_run_time.hpp"

#include <doctest/doctest.h>

namespace laws {

using at_run_time::numbers;
using values = std::vector<numbers>;

/// A graph that can be interpreted.
inline graph runnable(graph_view g) {
  graph p = at_run_time::prune(at_run_time::expand(g));
  REQUIRE(at_run_time::find_fault(p) == nullptr);
  return p;
}

/// A scalar function of the operands of an op as a graph: sum(weights * op(x...)²), the weights another leaf, so that
/// no symmetry hides a mistake; squared, so that second derivatives of linear ops do not vanish.
struct scalar_function {
  graph g;
  std::vector<shape> extents;
  std::vector<int> leaves;
  int weights = 0;

  scalar_function(subject const& of, element type, attribute attributes, std::vector<shape> const& operands)
      : extents(operands) {
    for (std::size_t i = 0; i < extents.size(); ++i)
      leaves.push_back(input(g, type, extents[i], static_cast<int>(i)).id);
    node const prototype{of.code, type, {}, attributes, 0, 0};
    term const y{&g, rule_table[of.code].insert(g, prototype, leaves).id};
    extents.push_back(y.extent());
    term const w = input(g, type, y.extent(), static_cast<int>(leaves.size()));
    weights = w.id;
    g.outputs = {y.id};
    g.outputs = {emit<op::sum>(op::reduction::whole, w * y * y).id, y.id};
  }

  /// Samples of all leaves. The weights make every summand about 1, so that a difference of sums is exact to 1e-13.
  values sampled(subject const& of) const {
    std::size_t total = 0, at = 0;
    for (shape const& extent : extents) total += static_cast<std::size_t>(extent.size());
    std::vector<double> const unit = apart(total, 1);
    values x;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      op::interval const in = i < leaves.size() ? of.domain[i] : op::interval{0.5, 1.5};
      numbers& leaf = x.emplace_back(static_cast<std::size_t>(extents[i].size()));
      for (double& e : leaf) e = in.low + (in.high - in.low) * unit[at++];
      if (i < leaves.size() && ((of.smooth >> i) & 1u) == 0)
        for (double& e : leaf) e = std::round(e);
    }
    numbers const y = at_run_time::interpret(runnable(g), x)[1];
    for (std::size_t i = 0; i < y.size(); ++i) x.back()[i] /= 1 + y[i] * y[i];
    return x;
  }
};

/// Largest distance between the gradients that `differentiate` gives and sixth-order central differences of `g` itself.
inline double gradient_error(graph const& g, std::vector<int> const& wrt, values x, bool precise) {
  constexpr double h = 2e-3;
  values const outputs = at_run_time::interpret(runnable(at_run_time::differentiate(g, wrt, precise)), x);
  std::size_t const first = outputs.size() - wrt.size();
  graph const p = runnable(g);
  double worst = 0;
  for (std::size_t k = 0; k < wrt.size(); ++k) {
    auto& leaf = x[static_cast<std::size_t>(g[wrt[k]].attributes)];
    for (std::size_t i = 0; i < leaf.size(); ++i) {
      double const at = leaf[i];
      auto const moved = [&](double by) {
        leaf[i] = at + by;
        return at_run_time::interpret(p, x)[0][0];
      };
      auto const around = [&](double by) { return moved(by) - moved(-by); };
      double const difference = (45 * around(h) - 9 * around(2 * h) + around(3 * h)) / (60 * h);
      leaf[i] = at;
      worst = std::max(worst, distance(outputs[first + k][i], difference));
    }
  }
  return worst;
}

/// The scalar v · grad, whose gradient is a product with the Hessian.
inline graph directional(graph const& g, std::vector<int> const& wrt, bool precise) {
  graph d = at_run_time::differentiate(g, wrt, precise);
  std::size_t const first = d.outputs.size() - wrt.size();
  term sum = constant(d, element::f64, 0);
  int leaf = 0;
  for (int id = 0; id < d.size(); ++id)
    if (d[id].op == opcode_of<op::input>) ++leaf;
  for (std::size_t k = 0; k < wrt.size(); ++k) {
    term const gradient{&d, d.outputs[first + k]};
    term const v = input(d, element::f64, gradient.extent(), leaf++);
    sum = sum + emit<op::sum>(op::reduction::whole, v * gradient);
  }
  d.outputs = {sum.id};
  return d;
}

/// First and second derivatives of an op in double, for every set of operands that may vary, in
/// the default and the precise form.
inline void check_derivatives(subject const& of, std::vector<shape> const& extents, attribute attributes = 0) {
  CAPTURE(std::string(of.facts().name));
  CAPTURE(attributes);
  for (shape const& extent : extents) CAPTURE(to_string(extent));
  scalar_function const f(of, element::f64, attributes, extents);
  values const x = f.sampled(of);
  for (unsigned mask = 1; mask < (1u << extents.size()); ++mask) {
    if ((mask & ~of.smooth) != 0) continue;
    CAPTURE(mask);
    std::vector<int> wrt;
    for (std::size_t i = 0; i < extents.size(); ++i)
      if ((mask >> i) & 1u) wrt.push_back(f.leaves[i]);
    for (bool const precise : {false, true}) {
      if (precise && rule_table[of.code].precise_pullback == rule_table[of.code].pullback) continue;
      CAPTURE(precise);
      CHECK(gradient_error(f.g, wrt, x, precise) < 1e-8);
      graph const second = directional(f.g, wrt, precise);
      values y = x;
      std::uint64_t seed = 100;
      std::vector<int> again;  // the same leaves, found in the new graph by their positions
      for (int leaf : wrt) {
        y.push_back(sample(static_cast<std::size_t>(f.g[leaf].extent.size()), 0.5, 1.5, seed++));
        for (int id = 0; id < second.size(); ++id)
          if (second[id].op == opcode_of<op::input> && second[id].attributes == f.g[leaf].attributes)
            again.push_back(id);
      }
      CHECK(gradient_error(second, again, y, precise) < 1e-7);
    }
  }
}

/// In single precision a gradient is the double one, rounded here and there.
inline void check_float(subject const& of, std::vector<shape> const& extents, attribute attributes = 0) {
  CAPTURE(std::string(of.facts().name));
  scalar_function const narrow(of, element::f32, attributes, extents), wide(of, element::f64, attributes, extents);
  values x = wide.sampled(of);
  for (numbers& leaf : x)
    for (double& e : leaf) e = static_cast<double>(static_cast<float>(e));
  for (bool const precise : {false, true}) {
    auto const gradients = [&](scalar_function const& f) {
      return at_run_time::interpret(runnable(at_run_time::differentiate(f.g, f.leaves, precise)), x);
    };
    values const a = gradients(narrow), b = gradients(wide);
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t i = 0; i < a[k].size(); ++i) CHECK(distance(a[k][i], b[k][i]) < 2e-5);
  }
}

inline shape const scalar_shape = make_shape(), vector_shape = make_shape(3), row_shape = make_shape(1, 4),
                   column_shape = make_shape(3, 1), matrix_shape = make_shape(3, 4), box_shape = make_shape(2, 1, 3, 2);

}  // namespace laws

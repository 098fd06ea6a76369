// Thousands of graphs nobody would write: every pass keeps them well formed and keeps their values, and
// kernels in planned memory compute them.
#include "core/identical.hpp"
#include "rewrite/at_run_time.hpp"
#include "lower/machine.hpp"
#include "rewrite/random_graph.hpp"

#include <etch/rewrite/settle.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace etch;
using namespace random_graphs;
using graphs::identical;

bool has_float(graph_view g) {
  for (node const& n : g.nodes)
    if (n.type == element::f32) return true;
  return false;
}

/// Whether a difference may not be the derivative: where a gradient is stopped, and where an equality that
/// holds at the point fails beside it.
bool is_not_smooth(graph_view g) {
  for (node const& n : g.nodes)
    if (n.op == opcode_of<op::stop_gradient> || n.op == opcode_of<op::equal>) return true;
  return false;
}

/// Bit for bit, NaN equal to NaN.
bool identical(std::vector<numbers> const& a, std::vector<numbers> const& b) {
  return std::ranges::equal(a, b, [](numbers const& x, numbers const& y) {
    return std::ranges::equal(x, y, [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); });
  });
}

/// The fault of the stages of a program, as a sentence; empty where nothing is.
struct examination {
  std::vector<numbers> const& inputs;
  std::vector<numbers> const& expected;
  double tolerance;
  double scale = std::max(1.0, largest(expected));

  std::string same(char const* stage, std::vector<numbers> const& got) const {
    double const d = distance(got, expected, scale);
    return d <= tolerance ? "" : std::string(stage) + " changes a value by " + std::to_string(d);
  }
  /// The values that were added to `held`.
  static std::vector<numbers> added_to(double held, std::vector<numbers> sums) {
    for (numbers& v : sums)
      for (double& e : v) e -= held;
    return sums;
  }
  std::string graph_stage(char const* stage, graph_view g) const {
    if (char const* fault = at_run_time::find_fault(g)) return std::string(stage) + ": " + fault;
    return same(stage, values_of(g, inputs));
  }
  std::string all_stages(graph const& g) const {
    graph const simplified = at_run_time::simplify(g), expanded = at_run_time::expand(g),
                contracted = at_run_time::contract_sums(expanded), summed = at_run_time::factor_sums(contracted),
                ordered = at_run_time::reassociate(summed), joined = at_run_time::join_products(ordered),
                split = at_run_time::split_at_joins(joined), pruned = at_run_time::prune(joined),
                assembled = at_run_time::assemble(pruned), materialised = at_run_time::materialise(assembled);
    std::string fault = graph_stage("simplify", simplified);
    if (fault.empty()) fault = graph_stage("expand", expanded);
    if (fault.empty()) fault = graph_stage("contract_sums", contracted);
    if (fault.empty()) fault = graph_stage("factor_sums", summed);
    if (fault.empty()) fault = graph_stage("reassociate", ordered);
    if (fault.empty()) fault = graph_stage("join_products", joined);
    if (fault.empty()) fault = graph_stage("split_at_joins", split);
    if (fault.empty()) fault = graph_stage("settle", pass::settle(split));
    if (fault.empty()) fault = graph_stage("prune", pruned);
    if (fault.empty()) fault = graph_stage("strips", at_run_time::in_narrow_strips(pruned));
    if (fault.empty() && !identical(at_run_time::prune(pruned), pruned))
      fault = "pruning twice differs from pruning once";
    if (fault.empty()) fault = graph_stage("assemble", assembled);
    if (fault.empty()) fault = graph_stage("materialise", materialised);
    if (fault.empty()) fault = same("the machine", machine::execute(materialised, inputs, false));
    if (fault.empty()) fault = same("the machine, backwards,", machine::execute(materialised, inputs, true));
    if (fault.empty() && split.size() != joined.size()) {
      graph const regions = at_run_time::materialise(at_run_time::assemble(at_run_time::prune(split)));
      fault = same("the machine, by regions,", machine::execute(regions, inputs, false));
    }
    if (fault.empty() && !identical(machine::execute(materialised, inputs, false),
                                    machine::execute_without_reuse(materialised, inputs, false)))
      fault = "reuse of memory changes a value";
    if (fault.empty())
      fault = same("the machine, accumulating,", added_to(16, machine::execute(materialised, inputs, false, 16)));
    return fault;
  }
};

/// The derivative of the loss in a direction, by a central difference, against the gradients.
std::string check_differences(subject const& s, std::vector<numbers> const& gradients) {
  auto inputs = s.inputs;
  double slope = 0;
  std::mt19937 random(7);
  std::vector<numbers> direction;
  for (std::size_t k = 0; k < s.leaves.size(); ++k) {
    numbers d;
    for (double g : gradients[k + 1])
      d.push_back(static_cast<double>(random() % 2001) / 1000 - 1), slope += d.back() * g;
    direction.push_back(d);
  }
  graph const flat = plain(s.g);
  auto const at = [&](double h) {
    for (std::size_t k = 0; k < s.leaves.size(); ++k) {
      auto const leaf = static_cast<std::size_t>(s.g[s.leaves[k]].attributes);
      for (std::size_t i = 0; i < direction[k].size(); ++i) inputs[leaf][i] = s.inputs[leaf][i] + h * direction[k][i];
    }
    return at_run_time::interpret(flat, inputs)[0][0];
  };
  double const h = 1e-4;
  double const difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  double const scale = std::max({1.0, largest(gradients), std::abs(slope)});
  return std::abs(slope - difference) <= 1e-6 * scale
             ? ""
             : "the slope is " + std::to_string(difference) + ", its gradient says " + std::to_string(slope);
}

/// Runs `check(subject)` on `count` graphs; a sentence is a failure, and most graphs must be of use.
void on_graphs(int count, style kind, bool mixed, auto check) {
  int used = 0;
  for (int seed = 1; seed <= count; ++seed) {
    generator random(static_cast<unsigned>(seed), kind, mixed);
    int const steps = random.chance(8) ? 60 + random.below(60) : 3 + random.below(18);
    std::string fault;
    try {
      subject s = random.make(steps);
      // Every value of the graph, not only the loss, must be of a size at which rounding hides nothing.
      graph everything = plain(s.g);
      everything.outputs.clear();
      for (int id = 0; id < everything.size(); ++id)
        if (!facts_of(everything[id]).is_nullary) everything.outputs.push_back(id);
      if (!moderate(at_run_time::interpret(everything, s.inputs), kind == style::exact ? 1e6 : 1e4)) continue;
      fault = check(s, random);
      ++used;
    } catch (std::exception const& e) {
      fault = e.what();
    }
    CHECK_MESSAGE(fault.empty(), "seed ", seed, ": ", fault);
  }
  CHECK(used > count / 2);
}

double tolerance_of(subject const& s) { return has_float(s.g) ? 2e-4 : 1e-11; }

std::string check_gradients(subject const& s, bool smooth) {
  graph const d = at_run_time::differentiate(s.g, s.leaves);
  if (char const* fault = at_run_time::find_fault(d)) return std::string("differentiate: ") + fault;
  for (int nodes : {1, 7})
    if (!identical(d, at_run_time::differentiate_in_parts(s.g, s.leaves, nodes)))
      return "a sweep in parts ends differently";
  std::vector<numbers> const expected = values_of(d, s.inputs);
  if (!moderate(expected, has_float(s.g) ? 1e5 : 1e12)) return "";
  if (expected.size() != s.leaves.size() + 1) return "differentiate gives another number of gradients";
  if (distance(expected[0][0], values_of(s.g, s.inputs)[0][0], std::abs(expected[0][0])) > tolerance_of(s))
    return "differentiate changes the value";
  if (smooth && !has_float(s.g) && !is_not_smooth(s.g))
    if (std::string fault = check_differences(s, expected); !fault.empty()) return fault;
  return examination{s.inputs, expected, tolerance_of(s)}.all_stages(d);
}

/// Any values at all as outputs: leaves, constants, views, and one value twice.
std::string check_outputs(subject& s, generator& random) {
  s.g.outputs.clear();
  for (int i = 0; i < 4; ++i) {
    int id = random.below(s.g.size());
    while (!is_floating(s.g[id].type)) id = random.below(s.g.size());
    s.g.outputs.push_back(id);
  }
  s.g.outputs.push_back(s.g.outputs[0]);
  return examination{s.inputs, values_of(s.g, s.inputs), tolerance_of(s)}.all_stages(s.g);
}

}  // namespace

TEST_CASE("random graphs of exact values: gradients survive every stage") {
  on_graphs(1500, style::exact, false, [](subject& s, generator&) { return check_gradients(s, false); });
}

TEST_CASE("random smooth graphs: gradients agree with differences and survive every stage") {
  on_graphs(1500, style::smooth, false, [](subject& s, generator&) { return check_gradients(s, true); });
}

TEST_CASE("random graphs of float and double mixed: gradients survive every stage") {
  on_graphs(1000, style::smooth, true, [](subject& s, generator&) { return check_gradients(s, true); });
}

TEST_CASE("random graphs with any values as outputs survive every stage") {
  on_graphs(1000, style::exact, true, check_outputs);
  on_graphs(1000, style::smooth, false, check_outputs);
}

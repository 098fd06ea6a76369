#include "lower/machine.hpp"
#include "rewrite/random_graph.hpp"

#include <etch/rewrite/differentiate.hpp>
#include <etch/rewrite/expand.hpp>
#include <etch/rewrite/prune.hpp>
#include <etch/lower/rematerialise.hpp>
#include <etch/rewrite/simplify.hpp>
#include <etch/rewrite/verify.hpp>
#include <etch/machine/interpret.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace etch;
using namespace random_graphs;

/// The graph that keeps a value less than `pruned`; no outputs if there is no candidate of this rank.
graph one_step(graph_view pruned, int rank, int stamp) {
  graph const materialised = pass::materialise(pass::assemble(pruned));
  sequence<pass::node_facts> const values = pass::facts_of_nodes(materialised);
  pass::grouping const groups = pass::group(materialised, values);
  sequence<pass::kernel> const kernels = pass::fuse(materialised, values, groups.of, groups.kernels);
  pass::arrangement const a = pass::arrange(materialised, kernels);
  pass::lifetimes const& lives = a.lives;
  sequence<pass::membership> const of = pass::renumbered(groups.of, kernels, a.order);
  sequence<int> const at = pass::numbers_in_materialised(pruned);
  sequence<std::int64_t> const live = pass::live_by_kernel(lives.of, static_cast<int>(kernels.size()));
  if (lives.most_live == 0) return {};
  return pass::rematerialise({pruned, materialised, at, values, of, lives.by_node, live}, lives.most_live / 2, rank,
                             stamp);
}

}  // namespace

TEST_CASE("excess is counted above the budget") {
  sequence<std::int64_t> const live{64, 192, 128};
  CHECK(pass::excess(live, 100) == 120);
  CHECK(pass::excess(live, 192) == 0);
}

TEST_CASE("random graphs keep their gradients when values are computed again") {
  int changed = 0;
  for (int seed = 1; seed <= 600; ++seed) {
    generator random(static_cast<unsigned>(seed), style::exact, false);
    subject s = random.make(6 + random.below(20));
    graph g = pass::prune(pass::expand(pass::differentiate(s.g, s.leaves)));
    std::vector<numbers> const expected = random_graphs::values_of(g, s.inputs);
    if (!moderate(expected, 1e5)) continue;
    double const scale = std::max(1.0, largest(expected));
    for (int stamp = 1; stamp <= 4; ++stamp) {
      graph const next = one_step(g, seed % 2, stamp);
      if (next.outputs.empty()) break;
      ++changed;
      char const* const fault = pass::find_fault(next);
      CHECK_MESSAGE(fault == nullptr, "seed ", seed, ": ", std::string(fault != nullptr ? fault : ""));
      CHECK_MESSAGE(distance(run::interpret(next, s.inputs), expected, scale) < 2e-4, "seed ", seed, ", interpreted");
      graph const materialised = pass::materialise(pass::assemble(next));
      CHECK_MESSAGE(distance(machine::execute(materialised, s.inputs, false), expected, scale) < 2e-4, "seed ", seed,
                    ", by kernels");
      g = pass::copy_of(next);
    }
  }
  CHECK(changed > 200);
}

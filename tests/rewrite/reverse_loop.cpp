// Hundreds of loops nobody would write: every pass keeps them well formed, and their gradients of
// both orders are those of their steps.
#include <etch/rewrite/reverse_loop.hpp>

#include "rewrite/random_loop.hpp"
#include "transform/stages.hpp"

#include <doctest/doctest.h>

namespace {

using namespace etch;
using namespace random_loops;

bool moderate(std::vector<numbers> const& values) {
  for (numbers const& v : values)
    for (double e : v)
      if (!(std::abs(e) < 1e4)) return false;
  return true;
}

}  // namespace

TEST_CASE("random loops are their steps") {
  int used = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    generator random(seed);
    subject s;
    REQUIRE_NOTHROW(s = random.make());
    graph const g = at_run_time::simplify(s.g), u = unrolled(s.g);
    stages::check_sound("made", s.g);
    stages::check_sound("simplify", g);
    stages::check_equal(stages::values_of(g, s.inputs), stages::values_of(u, s.inputs), 1e-12);
    std::vector<int> wrt;
    for (int leaf = 0; leaf < 5; ++leaf)
      if (leaf == 0 || random.chance(2)) wrt.push_back(leaf);
    graph const d = stages::with_gradients(g, wrt), e = stages::with_gradients(u, wrt);
    std::vector<numbers> const expected = stages::values_of(e, s.inputs);
    if (!moderate(expected)) continue;
    ++used;
    stages::check_equal(stages::values_of(d, s.inputs), expected, 1e-11);
    stages::check_equal(stages::values_of(unrolled(at_run_time::prune(d)), s.inputs), expected, 1e-11);
    if (seed % 4 != 0) continue;
    graph const dd = stages::with_gradients(stages::steepness(g, wrt), wrt),
                ee = stages::with_gradients(stages::steepness(u, wrt), wrt);
    std::vector<numbers> const second = stages::values_of(ee, s.inputs);
    if (moderate(second)) stages::check_equal(stages::values_of(dd, s.inputs), second, 1e-9);
  }
  CHECK(used > 300);
}

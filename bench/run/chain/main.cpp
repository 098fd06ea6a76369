// Side by side at D = 200: the gradients compared, then both timed in interleaved rounds.
#include "problem.hpp"

#include "../interleaved.hpp"

#include <cstdio>

namespace {

using namespace chain_problem;

constexpr int rows = 200, steps = 100;
using square = matrix<rows>;

constinit square x, z, gradient, reference;

}  // namespace

int main(int argc, char** argv) {
  rival<rows> const rivals[] = {etch_rival<rows, steps>(), hand_rival<rows, steps>()};
  fill(x, z);
  rivals[0].run(x, z, reference);
  for (auto const& r : rivals) {
    r.run(x, z, gradient);
    double const difference = disagreement(gradient, reference);
    std::printf("%s: gradient differs from that of %s by %.1e of the largest entry\n", r.name, rivals[0].name, difference);
    if (!(difference < 1e-10)) return 1;
  }
  bench::time_interleaved(argc, argv, rivals, benchmark::kMillisecond, [](rival<rows> const& r) { return r.run(x, z, gradient); });
}

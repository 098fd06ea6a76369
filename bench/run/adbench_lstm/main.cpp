// Side by side: every rival checked against the first, then timed in interleaved rounds.
#include "problem.hpp"

#include "../interleaved.hpp"

#include <cstdio>

int main(int argc, char** argv) {
  using namespace lstm_problem;
  rival const rivals[] = {etch_rival(), hand_rival()};
  for (rival const& r : rivals) {
    double const difference = disagreement(rivals[0], r);
    std::printf("%s: gradients differ from those of %s by %.1e of the largest entry\n", r.name, rivals[0].name, difference);
    if (!(difference < 1e-9)) return 1;
  }
  static parameters g;
  bench::time_interleaved(argc, argv, rivals, benchmark::kMicrosecond, [](rival const& r) { return r.run(instance(), g); });
}

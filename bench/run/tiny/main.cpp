// Side by side: every rival checked against the first, then timed in interleaved rounds.
#include "problem.hpp"

int main(int argc, char** argv) {
  using namespace tiny_problem;
  return bench::compare(argc, argv, {etch_rival(), hand_rival(), etch_function_rival(), eigen_rival()}, instance(), 1e-5);
}

// Side by side at D = 200: the gradients compared, then both timed in interleaved rounds.
#include "problem.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using namespace chain_problem;

constexpr int rows = 200, steps = 100;
using square = matrix<rows>;

constinit square x, z, gradient, reference;

void time_rival(benchmark::State& state, rival<rows> const& r) {
  for (auto _ : state) benchmark::DoNotOptimize(r.run(x, z, gradient));
  state.counters["GFLOP/s"] = benchmark::Counter(r.flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

double smallest(std::vector<double> const& v) { return *std::min_element(v.begin(), v.end()); }

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
  char interleaved[] = "--benchmark_enable_random_interleaving=true", repetitions[] = "--benchmark_repetitions=11",
       summary[] = "--benchmark_report_aggregates_only=true", shortened[] = "--benchmark_min_time=0.1";
  std::vector<char*> arguments{argv[0], interleaved, repetitions, summary, shortened};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  for (auto const& r : rivals)
    benchmark::RegisterBenchmark(r.name, [&r](benchmark::State& state) { time_rival(state, r); })
        ->Unit(benchmark::kMillisecond)
        ->ComputeStatistics("min", smallest);
  benchmark::RunSpecifiedBenchmarks();
}

// Side by side: every rival checked against the first, then timed in interleaved rounds.
#include "problem.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>

namespace {

using namespace mlp_problem;

void time_rival(benchmark::State& state, rival const& r) {
  auto const g = std::make_unique<parameters>();
  for (auto _ : state) benchmark::DoNotOptimize(r.run(instance(), *g));
  state.counters["GFLOP/s"] = benchmark::Counter(r.flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

double smallest(std::vector<double> const& v) { return *std::min_element(v.begin(), v.end()); }

}  // namespace

int main(int argc, char** argv) {
  rival const rivals[] = {etch_rival(), eigen_rival()};
  for (rival const& r : rivals) {
    double const difference = disagreement(rivals[0], r);
    std::printf("%s: gradients differ from those of %s by %.1e of the largest entry\n", r.name, rivals[0].name, difference);
    if (!(difference < 1e-4)) return 1;
  }
  char interleaved[] = "--benchmark_enable_random_interleaving=true", repetitions[] = "--benchmark_repetitions=20",
       summary[] = "--benchmark_report_aggregates_only=true", shortened[] = "--benchmark_min_time=0.05";
  std::vector<char*> arguments{argv[0], interleaved, repetitions, summary, shortened};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  for (rival const& r : rivals)
    benchmark::RegisterBenchmark(r.name, [&r](benchmark::State& state) { time_rival(state, r); })
        ->Unit(benchmark::kMicrosecond)
        ->ComputeStatistics("min", smallest);
  benchmark::RunSpecifiedBenchmarks();
}

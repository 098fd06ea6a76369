// interleaved: times rivals in interleaved repetitions, and reports minimum and median.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

namespace bench {

/// Times `run(rival)` for every one of `rivals`, which have a name and a number of flops. Further options come from the command line.
template <class Rivals>
void time_interleaved(int argc, char** argv, Rivals const& rivals, benchmark::TimeUnit unit, auto run) {
  char interleaved[] = "--benchmark_enable_random_interleaving=true", repetitions[] = "--benchmark_repetitions=20",
       summary[] = "--benchmark_report_aggregates_only=true", shortened[] = "--benchmark_min_time=0.05";
  std::vector<char*> arguments{argv[0], interleaved, repetitions, summary, shortened};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  for (auto const& r : rivals)
    benchmark::RegisterBenchmark(r.name,
                                 [&r, run](benchmark::State& state) {
                                   for (auto _ : state) benchmark::DoNotOptimize(run(r));
                                   state.counters["GFLOP/s"] =
                                       benchmark::Counter(r.flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
                                 })
        ->Unit(unit)
        ->ComputeStatistics("min", [](std::vector<double> const& times) { return *std::min_element(times.begin(), times.end()); });
  benchmark::RunSpecifiedBenchmarks();
}

}  // namespace bench

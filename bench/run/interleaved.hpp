// interleaved: times rivals of a problem that checks them itself.
#pragma once

#include "contest.hpp"

namespace bench {

/// Times `run(rival)` for every one of `rivals`, which have a name and a number of flops. Further options come from the command line.
template <class Rivals>
void time_interleaved(int argc, char** argv, Rivals const& rivals, benchmark::TimeUnit unit, auto run) {
  std::string problem = argv[0];
  problem.erase(0, problem.find_last_of('/') + 1);
  if (problem.starts_with("bench_")) problem.erase(0, 6);
  std::vector<contestant> all;
  for (auto const& r : rivals)
    all.push_back({.name = problem + "/" + r.name,
                   .unit = unit,
                   .once = [&r, run] { benchmark::DoNotOptimize(run(r)); },
                   .repeat =
                       [&r, run](benchmark::State& state) {
                         for (auto _ : state) benchmark::DoNotOptimize(run(r));
                       },
                   .flops = r.flops,
                   .element = sizeof(run(r))});  // values are numbers of the problem's type
  static_cast<void>(contest(argc, argv, all));
}

}  // namespace bench

// contest: everything that is timed in one process: rivals, and the machine's own peaks beside them.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// A participant. Numbers that are not known are negative.
struct contestant {
  std::string name;  ///< problem/rival
  benchmark::TimeUnit unit = benchmark::kMicrosecond;
  std::function<void()> once{};
  std::function<void(benchmark::State&)> repeat{};
  double flops = -1;      ///< of one call, counted alike for all rivals of a problem
  double bytes = -1;      ///< that one call must at least read and write
  double workspace = -1;  ///< bytes that a program states at compile time
  double element = -1;    ///< bytes of a number
};

/// The most memory that `once` takes in a process of its own, besides what is there before:
/// heap, stack and static, not code.
double peak_bytes(std::function<void()> const& once);

/// Heap allocations of a call of `once` after the first; negative where they cannot be counted.
double allocations(std::function<void()> const& once);

/// Times all of them, and the peaks of the machine, in interleaved repetitions, unless `check` says no. Options are
/// Google Benchmark's. The memory of each is taken before `check`; what rivals keep between calls must not have
/// been touched until then. The exit status.
int contest(
    int argc, char** argv, std::vector<contestant> const& all,
    std::function<bool()> const& check = [] { return true; });

}  // namespace bench

// revolve: the schedule by which a sequence of steps is gone back through with few snapshots and the fewest steps run
// again. (Griewank and Walther, "Algorithm 799: Revolve", ACM TOMS 26(1), 2000.)
#pragma once

#include <etch/base/namespace.hpp>

#include <cstdint>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// The binomial coefficients beta(s, r) = (s + r)! / (s! r!) for the least r at which beta(s, r) is at least `steps`:
/// as many steps can be gone back through with s snapshots, their beginning among them, where none runs more than r
/// times.
struct revolve_range {
  int sweeps = 0;                                    ///< r
  std::int64_t whole = 1, less = 0, still_less = 0;  ///< beta(s, r), beta(s, r - 1), beta(s, r - 2)

  constexpr revolve_range(std::int64_t steps, int snapshots) {
    while (whole < steps) {
      ++sweeps;
      still_less = less;
      less = whole;
      whole = less * (std::int64_t{snapshots} + sweeps) / sweeps;
    }
  }
};

/// How many of `steps` steps run from a snapshot, one of `snapshots` that are left and more than 1, until the next one
/// is taken.
constexpr int steps_to_snapshot(std::int64_t steps, int snapshots) {
  revolve_range const range(steps, snapshots);
  // Behind the next snapshot are at most beta(s - 1, r) steps, before it at least beta(s, r - 2).
  std::int64_t run = steps - (range.whole - range.less);
  if (run < range.still_less) run = range.still_less;
  return run < 1 ? 1 : static_cast<int>(run);
}

/// The snapshots that the way there takes, one after the other, of a loop of `steps` steps, whose beginning is kept
/// besides. As it goes on to the end, what follows the loop counts as the last of steps + 1 steps.
struct first_snapshots {
  int steps, snapshots;
  int taken = 0;  ///< so far
  int next =
      -1;  ///< the position of the next one, -1 if there is none; that at position p is of what step p begins with

  constexpr first_snapshots(int of, int most) : steps(of), snapshots(most) { find(0); }
  /// The one at `next` is taken.
  constexpr void take() { ++taken, find(next); }

 private:
  constexpr void find(int from) {
    bool const ends = taken == snapshots || steps - from < 2;
    next = ends ? -1 : from + steps_to_snapshot(std::int64_t{steps} - from + 1, snapshots - taken + 1);
  }
};

/// The steps that run again on the way back through `steps` steps, for the carries that others begin with: r l -
/// beta(s + 1, r - 1) less those of the way there, where s counts `snapshots` and the beginning, and l is `steps` + 1.
constexpr std::int64_t steps_run_again(int steps, int snapshots) {
  std::int64_t const l = std::int64_t{steps} + 1, s = std::int64_t{snapshots} + 1;
  std::int64_t r = 0, whole = 1, beyond = 0;  // beta(s, r), and beta(s + 1, r - 1), the sum of all beta(s, k) before it
  while (whole < l) beyond += whole, ++r, whole = whole * (s + r) / r;
  return r * l - beyond - (l - 1);
}

}  // namespace detail
ETCH_NAMESPACE_END

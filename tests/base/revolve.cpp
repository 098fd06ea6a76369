#include <etch/base/revolve.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using etch::detail::first_snapshots;
using etch::detail::steps_run_again;
using etch::detail::steps_to_snapshot;

namespace {

/// (s + r)! / (s! r!) by Pascal's triangle; 0 where `r` is negative.
constexpr long long beta(int s, int r) {
  if (r < 0) return 0;
  std::vector<long long> row(static_cast<std::size_t>(r) + 1, 1);
  for (int k = 0; k < s; ++k)
    for (std::size_t i = 1; i < row.size(); ++i) row[i] += row[i - 1];
  return row.back();
}

/// Griewank and Walther's t(l, s): the fewest steps that run forward, those of the first sweep to the last step among
/// them, where s snapshots are in memory at once, the beginning among them.
constexpr long long fewest(int l, int s) {
  int r = 0;
  while (beta(s, r) < l) ++r;
  return static_cast<long long>(r) * l - beta(s + 1, r - 1);
}

/// Goes back through `steps` steps as a loop does, and counts.
struct replayed {
  long long again = 0;  ///< steps that ran again
  int most = 0;         ///< snapshots in memory at once
  bool is_right = true;

  constexpr replayed(int steps, int snapshots) {
    std::vector<int> at{0};
    for (first_snapshots first(steps, snapshots); first.next >= 0; first.take()) {
      is_right = is_right && first.next > at.back() && first.next < steps;
      at.push_back(first.next);
    }
    for (int p = steps - 1; p >= 0; --p) {
      for (bool found = false; !found;) {
        most = std::max(most, static_cast<int>(at.size()) - 1);
        int const from = at.back(), left = snapshots - static_cast<int>(at.size()) + 1;
        if (from == p) {
          if (p > 0) at.pop_back();
          found = true;
        } else if (left == 0) {
          again += p - from;
          found = true;
        } else {
          int const next = from + steps_to_snapshot(p - from + 1, left + 1);
          is_right = is_right && next > from && next <= p;
          again += next - from;
          at.push_back(next);
        }
      }
    }
    is_right = is_right && most <= snapshots && at.size() == 1;
  }
};

constexpr bool is_least(int steps, int snapshots) {
  replayed const r(steps, snapshots);
  // The beginning is a snapshot besides, and what follows the loop is the last step, to which the way there runs.
  long long const t = fewest(steps + 1, snapshots + 1);
  return r.is_right && r.again == t - steps && steps_run_again(steps, snapshots) == r.again;
}
static_assert(is_least(1, 1) && is_least(2, 1) && is_least(3, 1) && is_least(7, 2) && is_least(30, 4));

}  // namespace

TEST_CASE("steps run again as often as the closed formula says, and no more snapshots are taken than there are") {
  for (int snapshots : {1, 2, 3, 4, 5, 7, 10, 16, 31, 100, 999, 1000, 2000})
    for (int steps : {1, 2, 3, 4, 5, 6, 7, 10, 11, 13, 20, 21, 35, 36, 56, 97, 101, 256, 500, 997, 1000}) {
      CAPTURE(snapshots);
      CAPTURE(steps);
      CHECK(is_least(steps, snapshots));
    }
}

TEST_CASE("no schedule runs fewer steps") {
  constexpr int most_steps = 120, most_snapshots = 12;
  // least[s][l]: run to a snapshot, go back through what is behind it, then through what is before it.
  std::vector<std::vector<long long>> least(most_snapshots + 1, std::vector<long long>(most_steps + 1, 0));
  for (std::size_t s = 1; s <= most_snapshots; ++s)
    for (std::size_t l = 2; l <= most_steps; ++l) {
      long long best = static_cast<long long>(l * (l - 1) / 2);
      for (std::size_t m = 1; s > 1 && m < l; ++m)
        best = std::min(best, static_cast<long long>(m) + least[s][m] + least[s - 1][l - m]);
      least[s][l] = best;
      CHECK(fewest(static_cast<int>(l), static_cast<int>(s)) == best);
    }
}

TEST_CASE("millions of steps") {
  CHECK(steps_run_again(2'000'000'000, 1'999'999'999) == 0);
  // One snapshot and the beginning: beta(2, r) = (r + 1) (r + 2) / 2, and beta(3, r) = beta(2, r) (r + 3) / 3.
  constexpr long long r = 1413, l = (r + 1) * (r + 2) / 2;
  CHECK(steps_run_again(static_cast<int>(l - 1), 1) == r * l - r * (r + 1) * (r + 2) / 6 - (l - 1));
  int at = 0, count = 0;
  for (first_snapshots first(2'000'000'000, 30); first.next >= 0; first.take(), ++count) {
    CHECK(first.next > at);
    at = first.next;
  }
  CHECK(count == 30);
}

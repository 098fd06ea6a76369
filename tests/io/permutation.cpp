#include <etch/io/permutation.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace {

using etch::io::permutation;

std::vector<std::uint64_t> entries(std::uint64_t count, std::uint64_t seed, std::uint64_t epoch) {
  permutation const p(count, seed, epoch);
  std::vector<std::uint64_t> all(count);
  for (std::uint64_t i = 0; i < count; ++i) all[i] = p(i);
  return all;
}

static_assert(permutation(1, 7, 0)(0) == 0);

TEST_CASE("every entry comes once") {
  for (std::uint64_t count : {1u, 2u, 3u, 4u, 5u, 8u, 9u, 10u, 97u, 1000u, 4096u, 4097u, 60000u}) {
    std::vector<std::uint64_t> sorted = entries(count, 3, 5), all(count);
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0u);
    CHECK(sorted == all);
  }
}

TEST_CASE("seeds and epochs have orders of their own, and the same ones again") {
  auto const one = entries(1000, 3, 5);
  CHECK(one == entries(1000, 3, 5));
  CHECK(one != entries(1000, 4, 5));
  CHECK(one != entries(1000, 3, 6));
  CHECK(one != entries(1000, 3 + (std::uint64_t{1} << 32), 5));
  CHECK(one != entries(1000, 3, 5 + (std::uint64_t{1} << 32)));
  // As many entries at their own place as a random permutation has, which is Poisson's with mean 1.
  int fixed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto const p = entries(1000, seed, 0);
    for (std::uint64_t i = 0; i < 1000; ++i) fixed += p[i] == i;
  }
  CHECK(std::abs(fixed - 200) < 5 * std::sqrt(200.0));
}

TEST_CASE("each entry is as often at each place, and beside each other one") {
  // Pearson's statistic of `seeds` draws among equal cells, as standard deviations from its mean.
  auto const excess = [](std::vector<int> const& hits, double expected, double freedom) {
    double statistic = 0;
    for (int n : hits) statistic += (n - expected) * (n - expected) / expected;
    return (statistic - freedom) / std::sqrt(2 * freedom);
  };
  constexpr int seeds = 50000;
  for (std::uint64_t n : {3u, 5u, 6u, 7u, 9u, 13u}) {
    std::vector<int> place(n * n), pair(n * n);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      auto const p = entries(n, seed, 1);
      for (std::uint64_t i = 0; i < n; ++i) ++place[i * n + p[i]];
      ++pair[p[0] * n + p[1]];
    }
    double const m = static_cast<double>(n);
    CHECK(std::abs(excess(place, seeds / m, (m - 1) * (m - 1))) < 5);
    std::vector<int> distinct;
    for (std::uint64_t i = 0; i < n * n; ++i) {
      if (i / n != i % n) distinct.push_back(pair[i]);
      else CHECK(pair[i] == 0);
    }
    CHECK(std::abs(excess(distinct, seeds / (m * (m - 1)), m * (m - 1) - 1)) < 5);
  }
}

TEST_CASE("counts that no memory would hold") {
  std::uint64_t const count = (std::uint64_t{1} << 62) - 1;
  permutation const p(count, 1, 2);
  std::vector<std::uint64_t> some;
  for (std::uint64_t i = 0; i < 1000; ++i) some.push_back(p(i)), some.push_back(p(count - 1 - i));
  CHECK(*std::max_element(some.begin(), some.end()) < count);
  CHECK(*std::max_element(some.begin(), some.end()) > count / 4 * 3);
  std::sort(some.begin(), some.end());
  CHECK(std::adjacent_find(some.begin(), some.end()) == some.end());
}

}  // namespace

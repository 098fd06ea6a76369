#include <etch/lower/pack.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace etch;

namespace {

std::string fault_of(std::vector<pass::lifetime> const& lives, pass::packing const& p) {
  std::int64_t end = 0;
  for (std::size_t i = 0; i < lives.size(); ++i) {
    if (p.offset[i] < 0) return "a place before the start";
    end = std::max(end, p.offset[i] + lives[i].bytes);
    for (std::size_t j = 0; j < i; ++j)
      if (lives[i].meets(lives[j]) && p.offset[i] < p.offset[j] + lives[j].bytes &&
          p.offset[j] < p.offset[i] + lives[i].bytes)
        return "two places overlap";
  }
  return end == p.bytes ? "" : "the end is not where the last place ends";
}

/// The most bytes in use at once.
std::int64_t most_live(std::vector<pass::lifetime> const& lives) {
  std::int64_t most = 0;
  for (pass::lifetime const& at : lives) {
    std::int64_t live = 0;
    for (pass::lifetime const& other : lives)
      if (other.from <= at.from && at.from <= other.to) live += other.bytes;
    most = std::max(most, live);
  }
  return most;
}

}  // namespace

TEST_CASE("blocks are reused, the smallest that fits first, and neighbours join") {
  pass::detail::free_list memory;
  CHECK(memory.take(128) == 0);
  CHECK(memory.take(64) == 128);
  CHECK(memory.take(256) == 192);
  CHECK(memory.end() == 448);
  memory.give_back(0, 128);
  memory.give_back(192, 256);
  CHECK(memory.take(64) == 0);
  CHECK(memory.take(64) == 64);
  CHECK(memory.take(256) == 192);
  memory.give_back(0, 64);
  memory.give_back(128, 64);
  memory.give_back(64, 64);
  CHECK(memory.take(192) == 0);
  CHECK(memory.end() == 448);
}

TEST_CASE("memory at the end grows instead of being wasted") {
  pass::detail::free_list memory;
  memory.take(64);
  memory.take(64);
  memory.give_back(64, 64);
  CHECK(memory.take(128) == 64);
  CHECK(memory.end() == 192);
}

TEST_CASE("on any lifetimes every rule gives disjoint places, and the best is chosen") {
  std::mt19937 random(1);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  double sum = 0;
  int const rounds = 1000;
  for (int round = 0; round < rounds; ++round) {
    int const kernels = 1 + below(40), count = 1 + below(60);
    std::vector<pass::lifetime> lives;
    for (int i = 0; i < count; ++i) {
      int const from = below(kernels);
      lives.push_back({64 * (1 + below(below(4) == 0 ? 100 : 4)), from, std::min(from + below(12), kernels - 1)});
    }
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int rule = 0; rule < pass::packing_rules; ++rule) {
      pass::packing const p = pass::pack(lives, kernels, rule);
      CHECK(fault_of(lives, p) == "");
      least = std::min(least, p.bytes);
    }
    pass::lifetimes all;
    for (pass::lifetime const& each : lives) all.of.push_back(each);
    all.most_live = most_live(lives);
    pass::packing const best = pass::pack(all, kernels);
    CHECK(fault_of(lives, best) == "");
    CHECK(best.bytes == least);
    CHECK(best.bytes >= all.most_live);
    sum += static_cast<double>(best.bytes) / static_cast<double>(all.most_live);
  }
  CHECK(sum / rounds < 1.02);  // random lifetimes are harder than those of programs
}

TEST_CASE("places by size leave no gap where places in time do") {
  // In time: a small value that outlives its large neighbours lies between them.
  std::vector<pass::lifetime> const lives{{64, 0, 2}, {128, 0, 0}, {64, 1, 5}, {256, 3, 4}};
  CHECK(pass::pack(lives, 6, 2).bytes == 64 + 256);
  CHECK(pass::pack(lives, 6, 0).bytes > 64 + 256);
}

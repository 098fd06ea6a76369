#include <etch/io/loader.hpp>
#include <etch/mpi/shard.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace {

using namespace etch;

struct numbers {
  using example = tensor<int>;
  std::int64_t examples;
  std::int64_t count() const { return examples; }
  std::string name() const { return "numbers"; }
  void check() const {}
  void read(std::int64_t i, int* to) { *to = static_cast<int>(i); }
};

TEST_CASE("ranks see the batches of one process, each a part, and each example once") {
  constexpr int batch = 3;
  for (int ranks : {1, 2, 4})
    for (std::int64_t count : {12, 13, 47}) {
      mpi::shard const whole(count, batch * ranks, 0, 1, 9);
      CHECK(whole.steps() == count / (batch * ranks));
      std::set<std::int64_t> seen;
      for (std::int64_t step = 0; step < 2 * whole.steps(); ++step) {
        if (step == whole.steps()) seen.clear();
        for (int rank = 0; rank < ranks; ++rank) {
          mpi::shard const mine(count, batch, rank, ranks, 9);
          CHECK(mine.steps() == whole.steps());
          for (int k = 0; k < batch; ++k) {
            std::int64_t const i = mine(step, k);
            CHECK((i >= 0 && i < count));
            CHECK(i == whole(step, rank * batch + k));
            CHECK(seen.insert(i).second);
          }
        }
      }
      CHECK(static_cast<std::int64_t>(seen.size()) == whole.steps() * batch * ranks);
    }
}

TEST_CASE("the order is that of a loader") {
  constexpr int batch = 4;
  for (int rank : {0, 1, 2}) {
    auto batches = io::load_batches<batch>({.seed = 6, .drop_last = true, .rank = rank, .ranks = 3}, numbers{31});
    mpi::shard const mine(31, batch, rank, 3, 6);
    CHECK(batches.batches_per_epoch() == mine.steps());
    for (std::int64_t step = 0; step < 5; ++step) {
      auto const& b = batches.next();
      for (int k = 0; k < batch; ++k) CHECK(b.get<0>()(k) == mine(step, k));
    }
  }
}

TEST_CASE("shards that do not exist") {
  CHECK_THROWS_WITH_AS(mpi::shard(7, 4, 0, 2, 1), "etch: 7 examples are no whole batch of 4 on each of 2 ranks",
                       etch::exception);
  CHECK_THROWS_WITH_AS(mpi::shard(7, 1, 2, 2, 1), doctest::Contains("on rank 2 of 2"), etch::exception);
  CHECK_THROWS_WITH_AS(mpi::shard(7, 0, 0, 2, 1), doctest::Contains("not a batch of 0"), etch::exception);
}

}  // namespace

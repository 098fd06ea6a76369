// shard: which examples a rank sees, so that all ranks together see the batches of one process. Needs no MPI.
#pragma once

#include <etch/base/exception.hpp>
#include <etch/io/permutation.hpp>

#include <string>

ETCH_NAMESPACE_BEGIN
namespace mpi {

/// A rank's part of examples 0 ... count-1 in batches, in the seeded order that `io::load_batches` has. In step s of an
/// epoch rank r of n has the examples in the places (s n + r) batch ... + batch - 1: all ranks together have the batch
/// that one process with n times the batch has. What is left of the last batch is left out.
class shard {
 public:
  /// Throws `etch::exception` where there is no whole batch, or no such rank.
  shard(std::int64_t count, int batch, int rank, int ranks, std::uint64_t seed)
      : count_(count), batch_(batch), rank_(rank), ranks_(ranks), seed_(seed) {
    if (batch < 1 || ranks < 1 || rank < 0 || rank >= ranks)
      error::raise("a shard has a batch of at least 1 and a rank from 0 to ranks - 1, not a batch of " +
                   std::to_string(batch) + " on rank " + std::to_string(rank) + " of " + std::to_string(ranks));
    if (steps() < 1)
      error::raise(std::to_string(count) + " examples are no whole batch of " + std::to_string(batch) + " on each of " +
                   std::to_string(ranks) + " ranks");
  }

  /// Steps in an epoch, the same for every rank.
  std::int64_t steps() const { return count_ / (std::int64_t{batch_} * ranks_); }
  /// The example in column `column` of the batch of this rank in step `step`, which is counted over all epochs.
  std::int64_t operator()(std::int64_t step, int column) const {
    std::int64_t const place = ((step % steps()) * ranks_ + rank_) * batch_ + column;
    io::permutation const order(static_cast<std::uint64_t>(count_), seed_, static_cast<std::uint64_t>(step / steps()));
    return static_cast<std::int64_t>(order(static_cast<std::uint64_t>(place)));
  }

 private:
  std::int64_t count_;
  int batch_, rank_, ranks_;
  std::uint64_t seed_;
};

}  // namespace mpi
ETCH_NAMESPACE_END

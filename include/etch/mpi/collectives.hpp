// broadcast, all_reduce_mean, same_program, same_numbers: what all ranks do together with a model, each in one call.
#pragma once

#include <etch/io/leaves.hpp>
#include <etch/mpi/mean_reduction.hpp>

ETCH_NAMESPACE_BEGIN
namespace mpi {

namespace detail {

/// A sentence that says which rank has another number than rank 0, for all ranks the same; empty if none has.
inline std::string difference(communicator const& ranks, std::uint64_t number, char const* what) {
  auto const all = ranks.gather(number);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      return std::string("the ranks ") + what + ": rank 0 has " + io::hexadecimal(all[0]) + ", and rank " +
             std::to_string(rank) + " has " + io::hexadecimal(all[rank]);
  return {};
}

}  // namespace detail

/// Makes the model of every rank that of rank `root`, byte by byte: all ranks are of one kind of machine.
template <class Model>
void broadcast(communicator const& ranks, Model& model, int root = 0) {
  argument<Model>::visit(model, [&]<class T>(T* entries, std::size_t n) {
    constexpr std::size_t largest = std::size_t{1} << 30;
    auto* next = reinterpret_cast<std::byte*>(entries);
    for (std::size_t rest = n * sizeof(T); rest > 0;) {
      std::size_t const part = rest < largest ? rest : largest;
      detail::check(MPI_Bcast(next, static_cast<int>(part), MPI_BYTE, root, ranks.handle()), "MPI_Bcast");
      next += part;
      rest -= part;
    }
  });
}

/// Replaces the numbers of `gradient` by their means over all ranks, one MPI_Allreduce a leaf. Integers stay.
template <class Gradient>
void all_reduce_mean(communicator const& ranks, Gradient& gradient) {
  argument<Gradient>::visit(gradient, [&]<class T>(T* entries, std::size_t n) {
    if constexpr (std::is_floating_point_v<T>) {
      detail::check(MPI_Allreduce(MPI_IN_PLACE, entries, detail::count_of(n, "MPI_Allreduce"), detail::datatype_of<T>(),
                                  MPI_SUM, ranks.handle()),
                    "MPI_Allreduce");
      detail::divide<T>(entries, n, ranks.size());
    }
  });
}

/// Throws `mpi::shared_exception` on every rank unless all have the same program, as `io::program_hash` tells them
/// apart.
inline void same_program(communicator const& ranks, std::uint64_t program) {
  std::string const sentence = detail::difference(ranks, program, "run different programs");
  if (!sentence.empty()) error::ranks_disagree(sentence);
}

/// Throws `mpi::shared_exception` on every rank unless all hold the same model, bit by bit. Ranks that start with the
/// same parameters keep them, as long as MPI gives every rank the same sums; this asks.
template <class Model>
void same_numbers(communicator const& ranks, Model const& model) {
  std::uint64_t h = 0;
  argument<Model>::visit(model, [&]<class T>(T const* entries, std::size_t n) {
    auto const* const bytes = reinterpret_cast<unsigned char const*>(entries);
    for (std::size_t i = 0; i < n * sizeof(T); ++i) h = (h ^ bytes[i]) * 0x100000001b3u + 1;
  });
  std::string const sentence = detail::difference(ranks, h, "hold different numbers, whose hashes differ");
  if (!sentence.empty()) error::ranks_disagree(sentence);
}

}  // namespace mpi
ETCH_NAMESPACE_END

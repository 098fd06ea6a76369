// start_mean: the mean of every rank's gradients, under way while the caller does something else.
#pragma once

#include <etch/compile/trace.hpp>
#include <etch/mpi/communicator.hpp>

#include <array>
#include <climits>

ETCH_NAMESPACE_BEGIN
namespace mpi {

namespace detail {

template <class T>
void divide(void* entries, std::size_t n, int by) {
  T* const x = static_cast<T*>(entries);
  T const divisor = static_cast<T>(by);
  for (std::size_t i = 0; i < n; ++i) x[i] /= divisor;
}
/// The size of a leaf, as MPI counts.
inline int count_of(std::size_t n, char const* call) {
  if (n > INT_MAX) error::mpi_call_failed(call, "a leaf has more than 2^31 - 1 numbers");
  return static_cast<int>(n);
}

}  // namespace detail

/// The replacement of a struct's numbers by their means over all ranks, one MPI_Iallreduce a leaf. Until it has waited
/// for a leaf, nobody reads or writes that leaf; the struct outlives this object, whose destructor waits. Integers
/// stay.
template <class Gradient>
class mean_reduction {
  static constexpr std::size_t count = static_cast<std::size_t>(pass::leaf_count<Gradient>());

 public:
  mean_reduction(communicator const& ranks, Gradient& gradient) : ranks_(ranks.size()) {
    requests_.fill(MPI_REQUEST_NULL);
    std::size_t leaf = 0;
    argument<Gradient>::visit(gradient, [&]<class T>(T* entries, std::size_t n) {
      if constexpr (std::is_floating_point_v<T>) {
        detail::check(MPI_Iallreduce(MPI_IN_PLACE, entries, detail::count_of(n, "MPI_Iallreduce"),
                                     detail::datatype_of<T>(), MPI_SUM, ranks.handle(), &requests_[leaf]),
                      "MPI_Iallreduce");
        leaves_[leaf] = {entries, n, &detail::divide<T>};
      }
      ++leaf;
    });
  }
  mean_reduction(mean_reduction const&) = delete;
  mean_reduction& operator=(mean_reduction const&) = delete;
  ~mean_reduction() { MPI_Waitall(static_cast<int>(count), requests_.data(), MPI_STATUSES_IGNORE); }

  /// Waits for all leaves that are still under way.
  void wait() { wait_for(0, count); }
  /// Waits for the leaves of member `I` of the struct (element `I` of a tuple or an array), while those of others may
  /// still be under way.
  template <std::size_t I>
  void wait() {
    constexpr auto begin = begin_of<I>();
    wait_for(begin, begin_of<I + 1>());
  }

 private:
  struct block {
    void* entries = nullptr;
    std::size_t count = 0;
    void (*divide)(void*, std::size_t, int) = nullptr;
  };
  int ranks_;
  std::array<MPI_Request, count> requests_;
  std::array<block, count> leaves_{};

  void wait_for(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (leaves_[i].entries == nullptr) continue;
      detail::check(MPI_Wait(&requests_[i], MPI_STATUS_IGNORE), "MPI_Wait");
      leaves_[i].divide(leaves_[i].entries, leaves_[i].count, ranks_);
      leaves_[i].entries = nullptr;
    }
  }
  /// The first leaf of member `I`.
  template <std::size_t I>
  static consteval std::size_t begin_of() {
    return []<std::size_t... J>(std::index_sequence<J...>) {
      if constexpr (reflected<Gradient>)
        return static_cast<std::size_t>((pass::leaf_count<member_type<Gradient, J>>() + ... + 0));
      else return static_cast<std::size_t>((pass::leaf_count<std::tuple_element_t<J, Gradient>>() + ... + 0));
    }(std::make_index_sequence<I>{});
  }
};

/// Starts to replace the numbers of `gradient` by their means over all ranks; `wait()` of what it returns ends that,
/// member by member if asked. Called by every rank. Allocates nothing but what MPI does.
template <class Gradient>
[[nodiscard]] mean_reduction<Gradient> start_mean(communicator const& ranks, Gradient& gradient) {
  return mean_reduction<Gradient>(ranks, gradient);
}

}  // namespace mpi
ETCH_NAMESPACE_END

// start_mean: the mean of every rank's gradients, under way while the caller does something else.
#pragma once

#include <etch/compile/pipeline.hpp>
#include <etch/mpi/communicator.hpp>

#include <array>
#include <climits>

ETCH_NAMESPACE_BEGIN
namespace error {

[[noreturn]] inline void leaf_has_no_mean(int k, int count) {
  raise("a mean of " + std::to_string(count) + " leaves is told that leaf " + std::to_string(k) +
        " is ready: mean_of takes what the call has as its one target");
}

}  // namespace error
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

/// The replacement of a struct's numbers by their means over all ranks, one MPI_Iallreduce a leaf. From when a leaf is
/// under way until this has waited for it, nobody reads or writes that leaf; the struct outlives this object, whose
/// destructor waits. Integers stay.
template <class Gradient>
class mean_reduction {
  static constexpr std::size_t count = static_cast<std::size_t>(etch::detail::floating_leaf_count<Gradient>());

 public:
  /// Nothing is under way yet unless it `starts_all`.
  mean_reduction(communicator const& ranks, Gradient& gradient, bool starts_all) : ranks_(ranks) {
    requests_.fill(MPI_REQUEST_NULL);
    std::size_t next = 0;
    argument<Gradient>::visit(gradient, [&]<class T>(T* entries, std::size_t n) {
      if constexpr (std::is_floating_point_v<T>)
        leaves_[next++] = {entries, detail::count_of(n, "MPI_Iallreduce"), detail::datatype_of<T>(),
                           &detail::divide<T>};
    });
    for (std::size_t leaf = 0; starts_all && leaf < count; ++leaf) start(leaf);
  }
  mean_reduction(mean_reduction const&) = delete;
  mean_reduction& operator=(mean_reduction const&) = delete;
  ~mean_reduction() { MPI_Waitall(static_cast<int>(count), requests_.data(), MPI_STATUSES_IGNORE); }

  /// Starts with leaf `k`, of those of floating-point numbers: what a program calls of whom
  /// `into(gradient).as_ready(...)` tells. All ranks start in the same order. MPI makes progress with the others.
  void operator()(int k) {
    if (k < 0 || static_cast<std::size_t>(k) >= count) error::leaf_has_no_mean(k, static_cast<int>(count));
    start(static_cast<std::size_t>(k));
    int done = 0;
    detail::check(MPI_Testall(static_cast<int>(count), requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
  }
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
    int count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    void (*divide)(void*, std::size_t, int) = nullptr;
    bool is_under_way = false;
  };
  communicator const& ranks_;
  std::array<MPI_Request, count> requests_;
  std::array<block, count> leaves_{};

  void start(std::size_t leaf) {
    block& of = leaves_[leaf];
    if (of.is_under_way) return;
    detail::check(
        MPI_Iallreduce(MPI_IN_PLACE, of.entries, of.count, of.type, MPI_SUM, ranks_.handle(), &requests_[leaf]),
        "MPI_Iallreduce");
    of.is_under_way = true;
  }
  void wait_for(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      block& leaf = leaves_[i];
      if (!leaf.is_under_way) continue;
      detail::check(MPI_Wait(&requests_[i], MPI_STATUS_IGNORE), "MPI_Wait");
      leaf.divide(leaf.entries, static_cast<std::size_t>(leaf.count), ranks_.size());
      leaf.is_under_way = false;
    }
  }
  /// The first leaf of member `I`.
  template <std::size_t I>
  static consteval std::size_t begin_of() {
    return []<std::size_t... J>(std::index_sequence<J...>) {
      if constexpr (reflected<Gradient>)
        return static_cast<std::size_t>((etch::detail::floating_leaf_count<member_type<Gradient, J>>() + ... + 0));
      else
        return static_cast<std::size_t>(
            (etch::detail::floating_leaf_count<std::tuple_element_t<J, Gradient>>() + ... + 0));
    }(std::make_index_sequence<I>{});
  }
};

/// The means over all ranks of the numbers of `gradient`, of which nothing is under way yet:
/// `program(..., etch::into(gradient).as_ready(means))` starts with each leaf as soon as it is computed. Called by
/// every rank, with the same program. Allocates nothing but what MPI does.
template <class Gradient>
[[nodiscard]] mean_reduction<Gradient> mean_of(communicator const& ranks, Gradient& gradient) {
  return mean_reduction<Gradient>(ranks, gradient, false);
}

/// Starts to replace the numbers of `gradient` by their means over all ranks; `wait()` of what it returns ends that,
/// member by member if asked. Called by every rank. Allocates nothing but what MPI does.
template <class Gradient>
[[nodiscard]] mean_reduction<Gradient> start_mean(communicator const& ranks, Gradient& gradient) {
  return mean_reduction<Gradient>(ranks, gradient, true);
}

}  // namespace mpi
ETCH_NAMESPACE_END

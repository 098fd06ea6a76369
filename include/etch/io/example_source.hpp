// example_source: data that a loader reads one example at a time, in any order.
#pragma once

#include <etch/core/tensor.hpp>

#include <concepts>
#include <cstdint>
#include <string>

ETCH_NAMESPACE_BEGIN
namespace io {

/// Examples that can be read in any order. A source is an object of the caller's own type, or one of `idx_source`,
/// `npy_source` and `csv_source`, with
///   example      the type of one example, an `etch::tensor` of rank 0 to 3
///   count()      how many there are
///   read(i, to)  writes the entries of example i to `to`, first index fastest; called by one thread at a time
///   check()      throws if the data changed since the source was made
///   name()       names it in sentences
template <class S>
concept example_source = std::movable<S> && requires(S& s, S const& c, std::int64_t i) {
  typename S::example::scalar_type;
  requires S::example::extent.rank < max_rank;
  s.read(i, static_cast<typename S::example::scalar_type*>(nullptr));
  c.check();
  { c.count() } -> std::convertible_to<std::int64_t>;
  { c.name() } -> std::convertible_to<std::string>;
};

namespace detail {

template <class Example, int Batch>
struct batched;
template <class T, int... Dims, int Batch>
struct batched<tensor<T, Dims...>, Batch> {
  using type = tensor<T, Dims..., Batch>;
};

}  // namespace detail
}  // namespace io
ETCH_NAMESPACE_END

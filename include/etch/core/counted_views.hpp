// counted_views: arguments of which so many entries count as the caller's memory holds: points in a span, and Eigen's
// matrices with a bounded number of columns.
#pragma once

#include <etch/core/argument.hpp>
#include <etch/core/eigen.hpp>

#include <span>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// The bound of what has none: so many points as memory holds.
inline constexpr int any_number_of_points = counted_dimension - 1;

}  // namespace detail

/// Points in memory of the caller's, one after the other, as many as it holds: an argument that `map` and `sum_map` go
/// through, of shape `[Dims..., count]`. A program keeps nothing for each point, so that their number has no bound; it
/// reads them where they are, and allocates nothing. First index fastest within a point.
template <scalar T, int... Dims>
  requires(sizeof...(Dims) < max_rank && ((Dims > 0 && Dims < detail::counted_dimension) && ...))
class points {
 public:
  using scalar_type = T;
  static constexpr std::size_t entries_of_each = static_cast<std::size_t>((std::int64_t{1} * ... * Dims));

  /// Throws `etch::exception` unless `entries` is a whole number of points, of fewer than 2^30.
  constexpr explicit points(std::span<T const> entries)
      : data_(entries.data()), count_(static_cast<int>(entries.size() / entries_of_each)) {
    if (entries.size() % entries_of_each != 0)
      error::entries_are_not_whole(static_cast<long long>(entries.size()), static_cast<long long>(entries_of_each));
    if (entries.size() / entries_of_each > static_cast<std::size_t>(detail::any_number_of_points))
      error::count_is_out_of_range(static_cast<long long>(entries.size() / entries_of_each),
                                   detail::any_number_of_points);
  }

  constexpr T const* data() const { return data_; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(count_) * entries_of_each; }
  constexpr int count() const { return count_; }

 private:
  T const* data_;
  int count_;
};

template <scalar T, int... Dims>
struct argument<points<T, Dims...>> {
  using traced = expr<T, Dims..., upto<detail::any_number_of_points>>;
  using gradient = points<T, Dims...>;
  static constexpr bool rebindable = false;
  static constexpr traced trace(auto make) { return make.template operator()<T, traced::extent>(); }
  static constexpr void visit(auto& a, auto f) {
    if constexpr (requires { f.take_count(a); }) f.take_count(a);
    else f(a.data(), a.size());
  }
};

/// A matrix or array of Eigen's with a fixed number of rows and a bounded number of columns, such as
/// `Eigen::Matrix<float, 784, Eigen::Dynamic, 0, 784, 128>`: those that it has count. Its gradient is a tensor.
template <detail::bounded_eigen M>
struct argument<M> {
  using T = typename M::Scalar;
  static constexpr bool is_array = std::is_base_of_v<Eigen::ArrayBase<M>, M>;
  using gradient = tensor<T, M::RowsAtCompileTime, upto<M::MaxColsAtCompileTime>>;
  using traced = typename expr_type<T, gradient::extent, is_array>::type;
  static constexpr bool rebindable = false;
  static constexpr traced trace(auto make) { return make.template operator()<T, gradient::extent>(); }
  static constexpr void visit(auto& a, auto f) {
    if constexpr (requires { f.take_count(columns{0}); }) f.take_count(columns{static_cast<int>(a.cols())});
    else if constexpr (requires { f.only_what_counts; }) f(a.data(), static_cast<std::size_t>(a.size()));
    else f(a.data(), gradient::capacity);
  }

 private:
  struct columns {
    int number;
    constexpr int count() const { return number; }
  };
};

ETCH_NAMESPACE_END

// tensor: an owning array of static shape.
#pragma once

#include <etch/graph/element.hpp>
#include <etch/graph/shape.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <cstddef>
#include <initializer_list>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// The mistake in a tensor type; `void` if there is none.
template <class T, int... Dims>
constexpr auto mistake_in_tensor() {
  constexpr auto is_addressable = [] {
    std::int64_t room =
        (std::int64_t{1} << 60) / static_cast<std::int64_t>(sizeof(T));  // bytes that compilers let one object have
    ((room /= Dims < 1 ? 1 : Dims), ...);
    return room > 0;
  };
  if constexpr (!scalar<T>) return error::elements_are_not_scalars<T>();
  else if constexpr (sizeof...(Dims) > max_rank) return error::rank_too_large<error::shape_of<Dims...>>();
  else if constexpr (!((Dims > 0) && ...)) return error::extents_are_not_positive<Dims...>();
  else if constexpr (((Dims > counted_dimension) || ...))
    return error::only_the_last_dimension_is_counted<T, Dims...>();
  else if constexpr (!is_addressable()) return error::tensor_too_large<T, Dims...>();
}

}  // namespace detail

/// Owning, value-semantic array of shape `Dims` (rank 0 to 4, first index fastest), zero-initialised, 64-byte aligned.
/// A tensor of rank 0 converts to and from its scalar.
template <class T, int... Dims>
struct alignas(64) tensor {
  using mistake = decltype(detail::mistake_in_tensor<T, Dims...>());
  using scalar_type = T;
  using value_type = T;
  static constexpr shape extent = [] {
    if constexpr (std::is_void_v<mistake>) return make_shape(Dims...);
    else return shape{};
  }();
  static constexpr std::size_t count = static_cast<std::size_t>(extent.size());

  T entries[count]{};

  constexpr tensor() = default;
  /// Rank 0: the tensor that holds `value`.
  constexpr tensor(T value)
    requires(sizeof...(Dims) == 0)
      : entries{value} {}
  /// The entries in memory order (first index fastest); missing ones are zero, surplus ones do not compile.
  template <std::convertible_to<T>... Each>
    requires(sizeof...(Dims) > 0 && sizeof...(Each) > 0 && sizeof...(Each) <= count)
  constexpr explicit(sizeof...(Each) == 1) tensor(Each... each) : entries{static_cast<T>(each)...} {}

  constexpr T* data() { return entries; }
  constexpr T const* data() const { return entries; }
  static constexpr std::size_t size() { return count; }
  constexpr T* begin() { return entries; }
  constexpr T* end() { return entries + count; }
  constexpr T const* begin() const { return entries; }
  constexpr T const* end() const { return entries + count; }
  constexpr void fill(T value) { std::fill(begin(), end(), value); }

  /// The entry at the given indices, one for each axis; checked in constant evaluation only,
  /// since it stands in inner loops.
  template <std::integral... Index>
    requires(sizeof...(Index) == sizeof...(Dims))
  constexpr T& operator()(Index... index) {
    return entries[offset(index...)];
  }
  template <std::integral... Index>
    requires(sizeof...(Index) == sizeof...(Dims))
  constexpr T const& operator()(Index... index) const {
    return entries[offset(index...)];
  }
  /// Element access that is checked: throws `etch::exception` with the index and the extent.
  template <std::integral... Index>
    requires(sizeof...(Index) == sizeof...(Dims))
  constexpr T& at(Index... index) {
    return check(index...), entries[offset(index...)];
  }
  template <std::integral... Index>
    requires(sizeof...(Index) == sizeof...(Dims))
  constexpr T const& at(Index... index) const {
    return check(index...), entries[offset(index...)];
  }
  /// Entry `i` in memory order.
  constexpr T& operator[](std::size_t i) { return entries[i]; }
  constexpr T const& operator[](std::size_t i) const { return entries[i]; }

  constexpr operator T() const
    requires(sizeof...(Dims) == 0)
  {
    return entries[0];
  }

  /// All entries as one Eigen column vector.
  auto flat() { return Eigen::Map<Eigen::Matrix<T, static_cast<int>(count), 1>, Eigen::Aligned64>(entries); }
  auto flat() const {
    return Eigen::Map<Eigen::Matrix<T, static_cast<int>(count), 1> const, Eigen::Aligned64>(entries);
  }
  /// As an Eigen matrix: the first axis down, all others right.
  auto matrix() { return Eigen::Map<matrix_type, Eigen::Aligned64>(entries); }
  auto matrix() const { return Eigen::Map<matrix_type const, Eigen::Aligned64>(entries); }
  /// As an Eigen array, laid out as `matrix()`.
  auto array() { return matrix().array(); }
  auto array() const { return matrix().array(); }

  friend constexpr bool operator==(tensor const& a, tensor const& b) {
    return std::equal(a.begin(), a.end(), b.begin());
  }
  friend constexpr bool operator==(tensor const& a, T b)
    requires(sizeof...(Dims) == 0)
  {
    return a.entries[0] == b;
  }

 private:
  static constexpr int rows = extent[0];
  static constexpr int columns = static_cast<int>(extent.size() / extent[0]);
  using matrix_type = Eigen::Matrix<T, rows, columns, (rows == 1 && columns != 1) ? Eigen::RowMajor : Eigen::ColMajor>;

  static constexpr void check(std::integral auto... index) {
    int axis = 0;
    auto const is_within = [&](long long i) {
      if (int const n = extent[axis++]; i < 0 || i >= n) error::index_out_of_range(i, n);
    };
    (is_within(static_cast<long long>(index)), ...);
  }
  static constexpr std::size_t offset(std::integral auto... index) {
    if (__builtin_is_constant_evaluated()) check(index...);
    constexpr strides step = contiguous_strides(extent);
    std::size_t axis = 0, at = 0;
    ((at += static_cast<std::size_t>(index) * static_cast<std::size_t>(step[axis++])), ...);
    return at;
  }
};

ETCH_NAMESPACE_END

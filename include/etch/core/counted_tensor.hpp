// counted_tensor: a tensor whose last dimension is bounded, and of which so many entries count as is said at run time.
#pragma once

#include <etch/core/tensor.hpp>

#include <span>

ETCH_NAMESPACE_BEGIN
namespace error {

[[noreturn]] inline void count_is_out_of_range(long long count, int bound) {
  raise("a count of " + std::to_string(count) + " where 0 to " + std::to_string(bound) + " entries are possible");
}

[[noreturn]] inline void entries_are_not_whole(long long entries, long long each) {
  raise(std::to_string(entries) + " entries are no whole number of columns or points of " + std::to_string(each));
}

}  // namespace error
namespace detail {

/// Whether the last of the dimensions, and no other, is an `upto<N>`.
template <int... Dims>
consteval bool last_is_counted() {
  int counted = 0, last = 0;
  ((counted += Dims > counted_dimension, last = Dims), ...);
  return counted == 1 && last > counted_dimension;
}

}  // namespace detail

/// Owning array of shape `Dims` whose last dimension is `upto<N>`: memory for N entries along it, of which the first
/// `count()` count. A new one counts N. Its entries, `begin`, `size`, `matrix` and comparisons are those that count;
/// the others are in no result. First index fastest, zero-initialised, 64-byte aligned.
template <class T, int... Dims>
  requires(detail::last_is_counted<Dims...>() && scalar<T> && sizeof...(Dims) <= max_rank)
struct alignas(64) tensor<T, Dims...> {
  using mistake = void;
  using scalar_type = T;
  using value_type = T;
  static constexpr shape extent = make_shape(Dims...);  ///< that of all its memory
  static constexpr int bound = extent[extent.rank - 1];
  static constexpr std::size_t capacity = static_cast<std::size_t>(extent.size());

  T entries[capacity]{};
  int counted = bound;

  constexpr tensor() = default;

  /// How many entries along the last axis count.
  constexpr int count() const { return counted; }
  /// Lets the first `n` entries along the last axis count. All keep their values. Throws `etch::exception` unless
  /// 0 <= n <= `bound`.
  constexpr void resize(long long n) {
    if (n < 0 || n > bound) error::count_is_out_of_range(n, bound);
    counted = static_cast<int>(n);
  }

  /// Copies entries, in memory order, and lets as many count. Throws `etch::exception` unless they are a whole number
  /// along the last axis, of `bound` at most.
  constexpr void assign(std::span<T const> from) {
    if (from.size() % each != 0)
      error::entries_are_not_whole(static_cast<long long>(from.size()), static_cast<long long>(each));
    resize(static_cast<long long>(from.size() / each));
    std::copy(from.begin(), from.end(), entries);
  }

  constexpr T* data() { return entries; }
  constexpr T const* data() const { return entries; }
  constexpr std::size_t size() const { return each * static_cast<std::size_t>(counted); }
  constexpr T* begin() { return entries; }
  constexpr T* end() { return entries + size(); }
  constexpr T const* begin() const { return entries; }
  constexpr T const* end() const { return entries + size(); }
  constexpr void fill(T value) { std::fill(begin(), end(), value); }

  /// The entry at the given indices, one for each axis; checked in constant evaluation only.
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
  /// Element access that is checked: throws `etch::exception` with the index and the extent, along the last axis the
  /// count.
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

  /// The entries that count as one Eigen column vector.
  auto flat() { return Eigen::Map<vector_type, Eigen::Aligned64>(entries, length()); }
  auto flat() const { return Eigen::Map<vector_type const, Eigen::Aligned64>(entries, length()); }
  /// As an Eigen matrix: the first axis down, all others right.
  auto matrix() { return Eigen::Map<matrix_type, Eigen::Aligned64>(entries, rows(), length() / rows()); }
  auto matrix() const { return Eigen::Map<matrix_type const, Eigen::Aligned64>(entries, rows(), length() / rows()); }
  /// As an Eigen array, laid out as `matrix()`.
  auto array() { return matrix().array(); }
  auto array() const { return matrix().array(); }

  /// Whether as many entries count, and these are equal.
  friend constexpr bool operator==(tensor const& a, tensor const& b) {
    return a.counted == b.counted && std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  static constexpr std::size_t each = capacity / static_cast<std::size_t>(bound);
  using vector_type = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  static constexpr bool is_vector = extent.rank == 1;  // its axis goes down
  using matrix_type = Eigen::Matrix<T, is_vector ? Eigen::Dynamic : extent[0], is_vector ? 1 : Eigen::Dynamic,
                                    !is_vector && extent[0] == 1 ? Eigen::RowMajor : Eigen::ColMajor>;

  constexpr Eigen::Index length() const { return static_cast<Eigen::Index>(size()); }
  constexpr Eigen::Index rows() const { return is_vector ? std::max<Eigen::Index>(length(), 1) : extent[0]; }

  constexpr void check(std::integral auto... index) const {
    int axis = 0;
    auto const is_within = [&](long long i) {
      int const n = axis + 1 == extent.rank ? counted : extent[axis];
      ++axis;
      if (i < 0 || i >= n) error::index_out_of_range(i, n);
    };
    (is_within(static_cast<long long>(index)), ...);
  }
  constexpr std::size_t offset(std::integral auto... index) const {
    if (__builtin_is_constant_evaluated()) check(index...);
    constexpr strides step = contiguous_strides(extent);
    std::size_t axis = 0, at = 0;
    ((at += static_cast<std::size_t>(index) * static_cast<std::size_t>(step[axis++])), ...);
    return at;
  }
};

ETCH_NAMESPACE_END

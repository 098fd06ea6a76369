// dot_tile: a few entries of a product whose operands both adjoin along k: registers run
// along k and are summed at the end.
#pragma once

#include <etch/machine/body.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// tile[q * tile_column + p] = sum over k < `length` of a[p * a_row + k] b[q * b_column + k]. `Chains` registers for
/// each entry run side by side.
template <class V, int Rows, int Columns, int Chains>
class dot_tile {
  using T = math::scalar_in<V>;
  static constexpr int width = width_of<V>, stride = Chains * width, size = Rows * Columns;
  template <std::size_t... I>
  using indices = std::index_sequence<I...>;
  using each_row = std::make_index_sequence<Rows>;
  using each_column = std::make_index_sequence<Columns>;
  using each_chain = std::make_index_sequence<Chains>;

 public:
  [[gnu::always_inline]] static inline void run(T const* a, std::ptrdiff_t a_row, T const* b, std::ptrdiff_t b_column,
                                                int length, T* tile, std::ptrdiff_t tile_column) {
    V sum[Chains * size];  // of each chain by rows
    clear(sum, std::make_index_sequence<Chains * size>{});
    int k = 0;
    for (; k + stride <= length; k += stride) add_chains(Chains, sum, a + k, a_row, b + k, b_column, each_chain{});
    int const left = length % stride / width, rest = length % width;
    if (left != 0) add_chains(left, sum, a + k, a_row, b + k, b_column, each_chain{});
    k += left * width;
    if (rest != 0) add_rest(left % Chains, sum, a + k, a_row, b + k, b_column, rest, each_chain{});
    end(sum, tile, tile_column, std::make_index_sequence<size>{});
  }

 private:
  template <std::size_t... I>
  [[gnu::always_inline]] static inline void clear(V* sum, indices<I...>) {
    ((sum[I] = V(T(0))), ...);
  }
  /// A register more on each of the first `chains` chains.
  template <std::size_t... Chain>
  [[gnu::always_inline]] static inline void add_chains(int chains, V* sum, T const* a, std::ptrdiff_t a_row, T const* b,
                                                       std::ptrdiff_t b_column, indices<Chain...>) {
    (void(static_cast<int>(Chain) < chains && (add(sum + Chain * size, a + Chain * width, a_row, b + Chain * width,
                                                   b_column, count_of<width>{}, each_column{}),
                                               true)),
     ...);
  }
  /// The last `count` terms, on one chain.
  template <std::size_t... Chain>
  [[gnu::always_inline]] static inline void add_rest(int chain, V* sum, T const* a, std::ptrdiff_t a_row, T const* b,
                                                     std::ptrdiff_t b_column, int count, indices<Chain...>) {
    (void(static_cast<int>(Chain) == chain &&
          (add(sum + Chain * size, a, a_row, b, b_column, count, each_column{}), true)),
     ...);
  }
  template <class Count, std::size_t... Q>
  [[gnu::always_inline]] static inline void add(V* sum, T const* a, std::ptrdiff_t a_row, T const* b,
                                                std::ptrdiff_t b_column, Count count, indices<Q...>) {
    V const y[]{read<V, 1>(b + static_cast<std::ptrdiff_t>(Q) * b_column, count)...};
    add_rows(sum, a, a_row, y, count, each_row{});
  }
  template <class Count, std::size_t... P>
  [[gnu::always_inline]] static inline void add_rows(V* sum, T const* a, std::ptrdiff_t a_row, V const* y, Count count,
                                                     indices<P...>) {
    (add_row(sum + P * Columns, read<V, 1>(a + static_cast<std::ptrdiff_t>(P) * a_row, count), y, each_column{}), ...);
  }
  template <std::size_t... Q>
  [[gnu::always_inline]] static inline void add_row(V* sum, V x, V const* y, indices<Q...>) {
    ((sum[Q] = multiply_add(x, y[Q], sum[Q])), ...);
  }
  template <std::size_t... I>
  [[gnu::always_inline]] static inline void end(V const* sum, T* tile, std::ptrdiff_t column, indices<I...>) {
    ((tile[static_cast<std::ptrdiff_t>(I % Columns) * column + static_cast<std::ptrdiff_t>(I / Columns)] =
          total<I>(sum, std::make_index_sequence<Chains - 1>{})),
     ...);
  }
  template <std::size_t I, std::size_t... Chain>
  [[gnu::always_inline]] static inline T total(V const* sum, indices<Chain...>) {
    V all = sum[I];
    ((all = all + sum[I + (Chain + 1) * size]), ...);
    return across(all, combiner<false, 0>{});
  }
};

}  // namespace run
ETCH_NAMESPACE_END

// epilogue: what is made of a product's entries before anything is stored, reductions included.
#pragma once

#include <etch/run/body.hpp>

namespace etch::inline ETCH_ABI::run {

/// The epilogue of signature `S` over registers of `V`. What is reduced along both axes of all products stays in a register until `end`;
/// what is reduced along rows only, until the end of a tile's column; the rest is combined in memory. The order is that of the tiles, which
/// the signature fixes.
template <auto S, class V>
class epilogue {
  static constexpr auto const& s = unpacked<S>;
  using T = scalar_of<s.type>;
  using body = run::body<S, V>;
  static constexpr int width = width_of<V>;

 public:
  explicit epilogue(std::byte* const* pointers) : pointers_(pointers) { begin(each_output{}); }

  /// Finishes `Rows` by `Columns` entries from (i, j) of product (k, l) on, whose columns lie `step` entries apart in `tile`. `adds`: to
  /// what another part of the same sums has left in the results.
  template <int Rows, int Columns>
  void finish(outer_index const& at, T const* tile, std::ptrdiff_t step, bool adds) {
    for (int q = 0; q < Columns; ++q, tile += step)
      finish_column<Rows>({0, at[1] + q, at[2], at[3]}, at[0], tile, adds, each_output{});
  }

  void end() const { end(each_output{}); }

 private:
  using each_output = std::make_index_sequence<s.outputs>;
  using sums = V[s.outputs];
  std::byte* const* pointers_;
  sums totals_;

  template <std::size_t... O>
  [[gnu::always_inline]] inline void begin(std::index_sequence<O...>) {
    ((totals_[O] = V(start<O>())), ...);
    (clear<O>(), ...);
  }
  template <std::size_t... O>
  [[gnu::always_inline]] inline void end(std::index_sequence<O...>) const {
    (write_if<is_total(O), O>(pointers_[s.inputs + O], totals_[O], s.out[O].accumulates), ...);
  }
  template <int Rows, std::size_t... O>
  [[gnu::always_inline]] inline void finish_column(outer_index const& outer, std::ptrdiff_t i, T const* tile, bool adds,
                                                   std::index_sequence<O...>) {
    constexpr int whole = Rows / width * width;
    std::byte* base[body::pointer_count];
    body::advance(pointers_, outer, base);
    sums in_column;
    if constexpr ((ends_with_column(O) || ...)) ((in_column[O] = V(start<O>())), ...);
    for (int r = 0; r < whole; r += width) entries<width>(base, outer, i + r, tile + r, adds, in_column, each_output{});
    if constexpr (Rows != whole) entries<Rows - whole>(base, outer, i + whole, tile + whole, adds, in_column, each_output{});
    (write_if<ends_with_column(O), O>(base[s.inputs + O], in_column[O], true), ...);
  }

  static constexpr bool is_total(std::size_t o) {
    bool total = s.out[o].reduces;
    for (std::int64_t step : s.out[o].step) total = total && step == 0;
    return total;
  }
  static constexpr bool ends_with_column(std::size_t o) { return s.out[o].reduces && s.out[o].step[0] == 0 && !is_total(o); }

  template <std::size_t O>
  static constexpr T start() {
    if constexpr (s.out[O].reduces) return static_cast<T>(op_at<s.out[O].op>::start);
    else return T(0);
  }

  /// What output `O` combines in memory begins with the reduction's start.
  template <std::size_t O>
  void clear() const {
    if constexpr (s.out[O].reduces && !is_total(O) && !s.out[O].accumulates) {
      constexpr auto step = s.out[O].step;
      constexpr auto extent = [](std::size_t axis) { return s.out[O].step[axis] == 0 ? 1 : s.extent[axis]; };
      T* const to = reinterpret_cast<T*>(pointers_[s.inputs + O]);
      for (int l = 0; l < extent(3); ++l)
        for (int k = 0; k < extent(2); ++k)
          for (int j = 0; j < extent(1); ++j)
            for (int i = 0; i < extent(0); ++i) to[i * step[0] + j * step[1] + k * step[2] + l * step[3]] = start<O>();
    }
  }

  template <bool If, std::size_t O>
  [[gnu::always_inline]] static inline void write_if([[maybe_unused]] std::byte* storage, [[maybe_unused]] V const& sum,
                                                     [[maybe_unused]] bool combines) {
    if constexpr (If) {
      constexpr typename body::template combination<O> combine;
      T const total = across(sum, combine);
      T& to = *reinterpret_cast<T*>(storage);
      to = combines ? combine(to, total) : total;
    }
  }

  template <int Count, std::size_t... O>
  void entries(std::byte* const* base, outer_index const& outer, std::ptrdiff_t i, T const* tile, bool adds, sums& in_column,
               std::index_sequence<O...>) {
    auto const v = body::template evaluate<Count>(base, i, outer, read<V, 1, width>(tile));
    (leave<O, Count>(v.of[s.out[O].value], base, i, adds, in_column), ...);
  }
  template <std::size_t O, int Count>
  [[gnu::always_inline]] inline void leave(V value, [[maybe_unused]] std::byte* const* base, [[maybe_unused]] std::ptrdiff_t i,
                                           [[maybe_unused]] bool adds, [[maybe_unused]] sums& in_column) {
    constexpr output_signature out = s.out[O];
    if constexpr (out.reduces && out.step[0] == 0) {
      if constexpr (Count != width) value = value.template first<Count>(start<O>());
      V& sum = is_total(O) ? totals_[O] : in_column[O];
      sum = typename body::template combination<O>{}(sum, value);
    } else {
      body::template store<O, Count>(base[s.inputs + O], i, value, out.reduces || out.accumulates || adds);
    }
  }
};

}  // namespace etch::inline ETCH_ABI::run

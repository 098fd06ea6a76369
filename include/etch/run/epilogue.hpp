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
  explicit epilogue(std::byte* const* pointers) : pointers_(pointers) {
    each_output([&](auto o) {
      totals_[o] = V(start<o>());
      if constexpr (s.out[o].reduces && !is_total(o) && !s.out[o].accumulates) clear<o>();
    });
  }

  /// Finishes `Rows` by `Columns` entries from (i, j) of product (k, l) on, whose columns lie `step` entries apart in `tile`. `adds`: to
  /// what another part of the same sums has left in the results.
  template <int Rows, int Columns>
  void finish(outer_index const& at, T const* tile, std::ptrdiff_t step, bool adds) {
    constexpr int whole = Rows / width * width;
    for (int q = 0; q < Columns; ++q, tile += step) {
      std::byte* base[body::pointer_count];
      outer_index const outer{0, at[1] + q, at[2], at[3]};
      body::template advance<1>(pointers_, outer, base);
      sums in_column;
      each_output([&](auto o) {
        if constexpr (ends_with_column(o)) in_column[o] = V(start<o>());
      });
      for (int r = 0; r < whole; r += width) entries<width>(base, outer, at[0] + r, tile + r, adds, in_column);
      if constexpr (Rows != whole) entries<Rows - whole>(base, outer, at[0] + whole, tile + whole, adds, in_column);
      each_output([&](auto o) {
        if constexpr (ends_with_column(o)) write<o>(base[s.inputs + o], in_column[o], true);
      });
    }
  }

  void end() const {
    each_output([&](auto o) {
      if constexpr (is_total(o)) write<o>(pointers_[s.inputs + o], totals_[o], s.out[o].accumulates);
    });
  }

 private:
  using sums = V[s.outputs];
  std::byte* const* pointers_;
  sums totals_;

  static constexpr bool is_total(std::size_t o) {
    bool total = s.out[o].reduces;
    for (std::int64_t step : s.out[o].step) total = total && step == 0;
    return total;
  }
  static constexpr bool ends_with_column(std::size_t o) { return s.out[o].reduces && s.out[o].step[0] == 0 && !is_total(o); }

  static void each_output(auto f) {
    [&]<std::size_t... O>(std::index_sequence<O...>) { (f(std::integral_constant<std::size_t, O>{}), ...); }
    (std::make_index_sequence<s.outputs>{});
  }

  template <std::size_t O>
  static constexpr T start() {
    if constexpr (s.out[O].reduces) return static_cast<T>(op_at<s.out[O].op>::start);
    else return T(0);
  }

  /// Nothing has been combined yet in the storage of output `O`.
  template <std::size_t O>
  void clear() const {
    constexpr auto step = s.out[O].step;
    constexpr auto extent = [](std::size_t axis) { return s.out[O].step[axis] == 0 ? 1 : s.extent[axis]; };
    T* const to = reinterpret_cast<T*>(pointers_[s.inputs + O]);
    for (int l = 0; l < extent(3); ++l)
      for (int k = 0; k < extent(2); ++k)
        for (int j = 0; j < extent(1); ++j)
          for (int i = 0; i < extent(0); ++i) to[i * step[0] + j * step[1] + k * step[2] + l * step[3]] = start<O>();
  }

  template <std::size_t O>
  static void write(std::byte* storage, V sum, bool combines) {
    T total;
    if constexpr (width == 1) total = sum;
    else total = sum.across([](auto a, auto b) { return body::template combined<O>(a, b); });
    T& to = *reinterpret_cast<T*>(storage);
    to = combines ? body::template combined<O>(to, total) : total;
  }

  template <int Count>
  void entries(std::byte* const* base, outer_index const& outer, std::ptrdiff_t i, T const* tile, bool adds, sums& in_column) {
    auto const v = body::template evaluate<Count>(base, i, outer, read<V, 1, width>(tile));
    each_output([&](auto o) {
      constexpr output_signature out = s.out[o];
      V value = v.of[out.value];
      if constexpr (out.reduces && out.step[0] == 0) {
        if constexpr (Count != width) value = value.template first<Count>(start<o>());
        V& sum = is_total(o) ? totals_[o] : in_column[o];
        sum = body::template combined<o>(sum, value);
      } else {
        body::template store<o, Count>(base[s.inputs + o], i, value, out.reduces || out.accumulates || adds);
      }
    });
  }
};

}  // namespace etch::inline ETCH_ABI::run

// epilogue: what is made of a product's entries before anything is stored, reductions included.
#pragma once

#include <etch/machine/body.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// The places of an epilogue's operands and results: numbers that its machine code takes at run time.
template <int Pointers>
struct epilogue_layout {
  fixed<int, max_rank> extent{};    ///< of all products
  fixed<steps, Pointers> stride{};  ///< in bytes: of inputs, then of outputs
};
template <class Signature>
constexpr auto layout_of(Signature const& s) {
  return epilogue_layout<Signature::inputs + Signature::outputs>{s.extent, strides_of(s)};
}

/// The layout of a signature as constants.
template <auto S>
struct constant_layout {
  static constexpr auto const& extent = unpacked<S>.extent;
  static constexpr auto stride = strides_of(unpacked<S>);
};

/// Whether all that an epilogue makes of a product is to store it.
template <class Signature>
constexpr bool stores_tiles(Signature const& s) {
  for (output_signature const& out : s.out)
    if (out.reduces || out.value >= Signature::inputs || s.in.entry[out.value].from != pass::source::tile) return false;
  return true;
}
/// Whether it stores one result whose rows adjoin, and nothing else.
template <class Signature>
constexpr bool stores_columns(Signature const& s) {
  return Signature::outputs == 1 && s.out.entry[0].step.entry[0] == 1 && stores_tiles(s);
}

/// The signature `s` without what an `epilogue_layout` says: equal for products of different shapes
/// whose epilogues are one function.
template <class Signature>
constexpr Signature without_layout(Signature s) {
  s.extent = {};
  s.counted = 0;
  s.product = {};
  for (input_signature& in : s.in)
    if (in.from != pass::source::index)
      for (std::size_t axis = 1; axis < max_rank; ++axis) in.step.entry[axis] = 0;
  for (output_signature& out : s.out)  // a reduction is told by the axes along which its steps are 0
    for (std::size_t axis = 1; axis < max_rank; ++axis) out.step.entry[axis] = out.reduces && out.step.entry[axis] != 0;
  return s;
}

/// The epilogue of signature `S` over registers of `V`. What is reduced along both axes of all products stays in
/// a register until `end`; what is reduced along rows only, until the end of a tile's column; the rest is
/// combined in memory. The order is that of the tiles, which the signature fixes. Extents and steps, but for
/// those on the first axis, are those of a layout.
template <auto S, class V, class Layout = epilogue_layout<body<S, V>::pointer_count>>
class epilogue {
  static constexpr auto const& s = unpacked<S>;
  using T = scalar_of<s.type>;
  using body = run::body<S, V>;

 public:
  using layout = Layout;
  static constexpr int width = width_of<V>;

  [[gnu::always_inline]] inline epilogue(std::byte* const* pointers, layout const& where)
      : pointers_(pointers), where_(where) {
    begin(each_output{});
  }

  /// Finishes `rows` by `columns` entries from (i, j) of product (k, l) on, whose columns lie `step` entries apart in
  /// `tile`. `adds`: to what another part of the same sums has left in the results, where these are the product
  /// itself. `Rows` is a constant or `int`.
  template <class Rows>
  ETCH_DETAIL_INLINED void finish(Rows rows, int columns, outer_index const& at, T const* tile, std::ptrdiff_t step,
                                  bool adds) {
    adds = adds && stores_tiles(s);
    // Compilers would read again, for each column, all that stores may change for all they know: hence copies.
    std::byte* base[body::pointer_count];
    outer_index column = at;
    body::advance(pointers_, column, base, where_.stride.entry);
    typename body::column_steps const by(where_.stride.entry);
    sums totals;
    copy(totals_, totals, each_output{});
    for (int q = 0; q < columns; ++q, ++column[1], tile += step) {
      finish_column(rows, base, column, at[0], tile, adds, totals, each_output{});
      by.advance(base);
    }
    copy(totals, totals_, each_output{});
  }

  /// Where the only result of an epilogue that `stores_columns` has its entry at `at`, and the entries
  /// from one of its columns to the next.
  [[gnu::always_inline]] inline T* place(outer_index const& at) const {
    std::byte* base[body::pointer_count];
    body::advance(pointers_, at, base, where_.stride.entry);
    return reinterpret_cast<T*>(base[s.inputs]) + at[0];
  }
  [[gnu::always_inline]] inline std::ptrdiff_t column() const {
    return where_.stride[s.inputs][1] / static_cast<std::ptrdiff_t>(sizeof(T));
  }
  static constexpr bool accumulates = s.out[0].accumulates;

  [[gnu::always_inline]] inline void end() const { end(each_output{}); }

 private:
  using each_output = std::make_index_sequence<s.outputs>;
  using sums = V[s.outputs];
  std::byte* const* pointers_;
  layout const& where_;
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
  template <std::size_t... O>
  [[gnu::always_inline]] static inline void copy(sums const& from, sums& to, std::index_sequence<O...>) {
    ((is_total(O) ? void(to[O] = from[O]) : void()), ...);
  }
  template <class Rows, std::size_t... O>
  [[gnu::always_inline]] static inline void finish_column(Rows rows, std::byte* const* base, outer_index const& outer,
                                                          std::ptrdiff_t i, T const* tile, bool adds, sums& totals,
                                                          std::index_sequence<O...>) {
    sums in_column;
    if constexpr ((ends_with_column(O) || ...)) ((in_column[O] = V(start<O>())), ...);
    int const whole = rows / width * width;
    for (int r = 0; r < whole; r += width)
      entries(count_of<width>{}, base, outer, i + r, tile + r, adds, totals, in_column, each_output{});
    if constexpr (std::same_as<Rows, int>) {
      if (rows != whole)
        entries(rows - whole, base, outer, i + whole, tile + whole, adds, totals, in_column, each_output{});
    } else if constexpr (Rows::value % width != 0) {
      entries(count_of<Rows::value % width>{}, base, outer, i + whole, tile + whole, adds, totals, in_column,
              each_output{});
    }
    (write_if<ends_with_column(O), O>(base[s.inputs + O], in_column[O], true), ...);
  }

  static constexpr bool is_total(std::size_t o) {
    bool total = s.out[o].reduces;
    for (std::int64_t step : s.out[o].step) total = total && step == 0;
    return total;
  }
  static constexpr bool ends_with_column(std::size_t o) {
    return s.out[o].reduces && s.out[o].step[0] == 0 && !is_total(o);
  }

  template <std::size_t O>
  static constexpr T start() {
    if constexpr (s.out[O].reduces) return static_cast<T>(op_at<s.out[O].op>::start);
    else return T(0);
  }

  /// Memory in which output `O` is combined begins with the reduction's start.
  template <std::size_t O>
  ETCH_DETAIL_INLINED void clear() const {
    if constexpr (s.out[O].reduces && !is_total(O) && !s.out[O].accumulates)
      start_entries(pointers_[s.inputs + O], where_.extent, where_.stride[s.inputs + O], start<O>());
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

  template <class Count, std::size_t... O>
  [[gnu::always_inline]] static inline void entries(Count count, std::byte* const* base, outer_index const& outer,
                                                    std::ptrdiff_t i, T const* tile, bool adds, sums& totals,
                                                    sums& in_column, std::index_sequence<O...>) {
    auto const v = body::evaluate(base, i, outer, read<V, 1>(tile, count_of<width>{}), count);
    (leave<O>(count, v.of[s.out[O].value], base, i, adds, totals, in_column), ...);
  }
  template <std::size_t O, class Count>
  [[gnu::always_inline]] static inline void leave(Count count, V value, [[maybe_unused]] std::byte* const* base,
                                                  [[maybe_unused]] std::ptrdiff_t i, [[maybe_unused]] bool adds,
                                                  [[maybe_unused]] sums& totals, [[maybe_unused]] sums& in_column) {
    constexpr output_signature out = s.out[O];
    if constexpr (out.reduces && out.step[0] == 0) {
      if constexpr (width != 1 && !is_whole<Count, width>) value = value.first(count, start<O>());
      V& sum = is_total(O) ? totals[O] : in_column[O];
      sum = typename body::template combination<O>{}(sum, value);
    } else {
      store<out.step[0], typename body::template combination<O>>(value, base[s.inputs + O], i,
                                                                 out.reduces || out.accumulates || adds, count);
    }
  }
};

}  // namespace run
ETCH_NAMESPACE_END

// conv: a convolution of static shape, or one of its adjoints, on register tiles, its epilogue computed on the tile before anything is
// stored.
#pragma once

#include <etch/run/body.hpp>

#include <algorithm>

namespace etch::inline ETCH_ABI::run {

namespace detail {

template <pass::sliding_axis Axis>
inline constexpr auto spans = [] {
  fixed<pass::sliding_axis::span, Axis.positions> all;
  for (int p = 0; p < Axis.positions; ++p) all[static_cast<std::size_t>(p)] = Axis.at(p);
  return all;
}();

/// Whether every position has all taps, so that their number is a constant.
template <pass::sliding_axis Axis>
inline constexpr bool has_no_border = [] {
  for (auto const& each : spans<Axis>)
    if (each.count != Axis.taps) return false;
  return true;
}();

/// Covers 0 ... N by strips of `Width`, the last one narrower: `f(width, start)`.
template <int N, int Width>
void in_strips(auto f) {
  int i = 0;
  for (; i + Width <= N; i += Width) f(std::integral_constant<int, Width>{}, i);
  if constexpr (N % Width != 0) f(std::integral_constant<int, N % Width>{}, i);
}

}  // namespace detail

/// Runs the convolution of signature `S`, of which only what the epilogue makes is stored.
template <auto S>
struct conv {
  static constexpr auto s = S;  // a copy, for the reason given in body.hpp
  static constexpr pass::convolution c = s.product;
  using T = scalar_of<s.type>;

  static void run(std::byte* const* pointers, std::byte const* a_bytes, std::byte const* b_bytes) {
    T const* const a = reinterpret_cast<T const*>(a_bytes);
    T const* const b = reinterpret_cast<T const*>(b_bytes);
    for (int g = 0; g < c.groups; ++g) {
      if constexpr (c.contracts_batch) taps(pointers, a + g * c.a_group, b + g * c.b_group, g * c.columns);
      else positions(pointers, a + g * c.a_group, b + g * c.b_group, g * c.columns);
    }
  }

 private:
  using span = pass::sliding_axis::span;
  static constexpr int width = pass::detail::lane_count(s.type, c.batch);
  using V = typename number_of_width<T, width>::type;

  // Fewer images than fill a register may lie at any distance.
  static constexpr std::int64_t a_batch = width == 1 ? c.a[0] : 1, b_batch = width == 1 ? c.b[0] : 1;

  template <int Count>
  static V load(T const* from) {
    if constexpr (width == 1) return *from;
    else return V::template load<Count>(from);
  }
  static void save(V value, T* to) {
    if constexpr (width == 1) *to = value;
    else value.template store<width>(to);
  }

  template <int Axis>
  static span span_at(int position) {
    return detail::spans<c.axis[Axis]>[static_cast<std::size_t>(position)];
  }
  template <int Axis>
  static int count(span const& of) {
    if constexpr (detail::has_no_border<c.axis[Axis]>) return c.axis[Axis].taps;
    else return of.count;
  }

  // ---- registers run along the batch ----

  static void positions(std::byte* const* pointers, T const* a, T const* b, int first_column) {
    constexpr int packets = (c.batch + width - 1) / width;
    detail::in_strips<packets, c.rows_of_tile>([&](auto rows, int p) {
      detail::in_strips<c.columns, c.columns_of_tile>([&](auto columns, int j) {
        for (int y = 0; y < c.axis[1].positions; ++y)
          for (int x = 0; x < c.axis[0].positions; ++x) {
            outer_index const at{0, x, y, first_column + j};
            if constexpr (c.batch % width == 0) tile<rows, width, columns>(pointers, a, b, p * width, j, at);
            else if (p + rows == packets) tile<rows, c.batch % width, columns>(pointers, a, b, p * width, j, at);
            else tile<rows, width, columns>(pointers, a, b, p * width, j, at);
          }
      });
    });
  }

  /// `Packets` registers along the batch (the last with `Last` entries) by `Columns` channels, at one position.
  template <int Packets, int Last, int Columns>
  static void tile(std::byte* const* pointers, T const* a, T const* b, int i, int j, outer_index const& at) {
    V sum[Columns][Packets];
    unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
      unrolled<Packets>([&](auto p) __attribute__((always_inline)) { sum[q][p] = V(T(0)); });
    });
    span const x = span_at<0>(static_cast<int>(at[1])), y = span_at<1>(static_cast<int>(at[2]));
    T const* a_y = a + i * a_batch + x.first_entry * c.a[1] + y.first_entry * c.a[2];
    T const* b_y = b + x.first_tap * c.b[1] + y.first_tap * c.b[2] + j * c.b[3];
    for (int ty = 0; ty < count<1>(y); ++ty, a_y += c.axis[1].entry_step() * c.a[2], b_y += c.axis[1].tap_step() * c.b[2]) {
      T const *a_x = a_y, *b_x = b_y;
      for (int tx = 0; tx < count<0>(x); ++tx, a_x += c.axis[0].entry_step() * c.a[1], b_x += c.axis[0].tap_step() * c.b[1]) {
        T const *column = a_x, *row = b_x;
        for (int k = 0; k < c.channels; ++k, column += c.a[3], row += c.b[0]) {
          V v[Packets];
          unrolled<Packets>([&](auto p) __attribute__((always_inline)) {
            constexpr int entries = p == Packets - 1 ? Last : width;
            v[p] = load<entries>(column + p * width * a_batch);
          });
          unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
            V const w(row[q * c.b[3]]);
            unrolled<Packets>([&](auto p) __attribute__((always_inline)) { sum[q][p] = multiply_add(v[p], w, sum[q][p]); });
          });
        }
      }
    }
    // Through memory, for the reason given in gemm.hpp.
    alignas(64) T entries[Columns][Packets * width];
    unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
      unrolled<Packets>([&](auto p) __attribute__((always_inline)) { save(sum[q][p], entries[q] + p * width); });
    });
    outer_index to = at;
    for (int q = 0; q < Columns; ++q, ++to[3]) {
      std::byte* base[body::pointer_count];
      body::template advance<1>(pointers, to, base);
      for (int p = 0; p < Packets - (Last == width ? 0 : 1); ++p)
        finish<V, width>(base, i + p * width, to, load<width>(entries[q] + p * width));
      if constexpr (Last != width) finish<V, Last>(base, i + (Packets - 1) * width, to, load<width>(entries[q] + (Packets - 1) * width));
    }
  }

  // ---- registers run along the batch, which is summed ----

  static constexpr int row_axis = c.rows_are_channels ? 2 : 0;
  static constexpr int rows_in_all = c.rows_are_channels ? c.channels : c.axis[0].positions;
  static constexpr std::int64_t row_step = c.rows_are_channels ? c.a[3] : c.axis[0].of_position * c.a[1];

  static void taps(std::byte* const* pointers, T const* a, T const* b, int first_column) {
    detail::in_strips<c.columns, c.columns_of_tile>([&](auto columns, int j) {
      T const* const b_j = b + j * c.b[3];
      for (int other = 0; other < (c.rows_are_channels ? c.axis[0].positions : c.channels); ++other)
        for (int y = 0; y < c.axis[1].positions; ++y)
          detail::in_strips<rows_in_all, c.rows_of_tile>([&](auto rows, int i) {
            int const x = c.rows_are_channels ? other : i, channel = c.rows_are_channels ? i : other;
            inner_tile<rows, columns>(pointers, a + channel * c.a[3], b_j, {x, y, channel, first_column + j});
          });
    });
  }

  template <int Rows, int Columns>
  static void inner_tile(std::byte* const* pointers, T const* a, T const* b, outer_index const& at) {
    V sum[Rows][Columns];
    unrolled<Rows>([&](auto p) __attribute__((always_inline)) {
      unrolled<Columns>([&](auto q) __attribute__((always_inline)) { sum[p][q] = V(T(0)); });
    });
    // Positions x of the result from `begin` to `end` have an entry under every row of the tile; some rows have further ones.
    int begin = 0, end = c.axis[0].taps;
    auto const span_of = [&](int row) { return span_at<0>(static_cast<int>(at[0]) + (c.rows_are_channels ? 0 : row)); };
    for (int row = 0; row < (detail::has_no_border<c.axis[0]> ? 0 : c.rows_are_channels ? 1 : Rows); ++row) {
      span const x = span_of(row);
      begin = std::max(begin, x.first_tap);
      end = std::min(end, x.first_tap + x.count);
    }
    if (end < begin) end = begin;
    span const y = span_at<1>(static_cast<int>(at[1]));
    T const* a_y = a + y.first_entry * c.a[2] + (c.axis[0].of_position * at[0] + c.axis[0].offset) * c.a[1];
    T const* b_y = b + y.first_tap * c.b[2];
    for (int ty = 0; ty < count<1>(y); ++ty, a_y += c.axis[1].of_tap * c.a[2], b_y += c.b[2]) {
      for (int x = begin; x < end; ++x) add<0, Rows>(sum, a_y + c.axis[0].of_tap * x * c.a[1], b_y + x * c.b[1]);
      if constexpr (!detail::has_no_border<c.axis[0]> && !c.rows_are_channels)
        unrolled<Rows>([&](auto row) {
          span const mine = span_of(row);
          for (int x = mine.first_tap; x < mine.first_tap + mine.count; ++x)
            if (x < begin || x >= end) add<row, 1>(sum, a_y + c.axis[0].of_tap * x * c.a[1], b_y + x * c.b[1]);
        });
    }
    T total[Rows][Columns];
    unrolled<Columns>([&](auto q) __attribute__((always_inline)) {
      unrolled<Rows>([&](auto p) __attribute__((always_inline)) {
        if constexpr (width == 1) total[p][q] = sum[p][q];
        else total[p][q] = sum[p][q].across([](V u, V v) { return u + v; });
      });
    });
    outer_index to = at;
    for (int q = 0; q < Columns; ++q, ++to[3])
      for (int p = 0; p < Rows; ++p) {
        to[row_axis] = at[row_axis] + p;
        std::byte* base[scalar_body::pointer_count];
        scalar_body::template advance<1>(pointers, to, base);
        finish<T, 1>(base, to[0], to, total[p][q]);
      }
  }

  /// Adds what the whole batch contributes at one position to `Rows` rows of the tile, from row `First` on.
  template <int First, int Rows, std::size_t AllRows, std::size_t Columns>
  [[gnu::always_inline]] static void add(V (&sum)[AllRows][Columns], T const* a, T const* b) {
    auto const advance = [&](auto entries, int n) __attribute__((always_inline)) {
      V v[Columns];
      unrolled<Columns>([&](auto q) __attribute__((always_inline)) { v[q] = load<entries>(b + q * c.b[3] + n * b_batch); });
      unrolled<Rows>([&](auto p) __attribute__((always_inline)) {
        V const u = load<entries>(a + (First + p) * row_step + n * a_batch);
        unrolled<Columns>([&](auto q) __attribute__((always_inline)) { sum[First + p][q] = multiply_add(u, v[q], sum[First + p][q]); });
      });
    };
    detail::in_strips<c.batch, width>([&](auto entries, int n) __attribute__((always_inline)) { advance(entries, n); });
  }

  // ---- both ----

  using body = run::body<S, V>;
  using scalar_body = run::body<S, T>;

  /// The epilogue for the first `Count` entries from position `i` on the first axis on.
  template <class Number, int Count>
  static void finish(std::byte* const* base, std::ptrdiff_t i, outer_index const& at, Number tile) {
    using finishing = run::body<S, Number>;
    auto const v = finishing::template evaluate<Count>(base, i, at, tile);
    [&]<std::size_t... O>(std::index_sequence<O...>) {
      (finishing::template store<O, Count>(base[s.inputs + O], i, v.of[s.out[O].value], s.out[O].accumulates), ...);
    }
    (std::make_index_sequence<s.outputs>{});
  }
};

}  // namespace etch::inline ETCH_ABI::run

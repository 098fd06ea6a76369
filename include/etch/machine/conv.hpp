// conv: a convolution of static shape, or one of its adjoints, on register tiles, its epilogue computed on
// the tile before anything is stored.
#pragma once

#include <etch/machine/body.hpp>
#include <etch/machine/dispatch.hpp>
#include <etch/machine/simd_transpose.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace run {

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

/// The sums of `count` registers, in `to`, which has room for `Width` numbers; of numbers where they are. The last
/// square is of the last registers, or repeats the last one.
template <class T, int Width>
struct register_sums {
  static T const* run(T const* from, int count, [[maybe_unused]] T* to) {
    if constexpr (Width == 1) return from;
    else {
      for (int i = 0; i < count; i += Width) {
        int const first = std::max(0, std::min(i, count - Width));
        simd_square<T, Width> square;
#pragma GCC unroll 16
        for (int r = 0; r < Width; ++r) square.load(r, from + std::min(first + r, count - 1) * Width);
        square.store_sums(to + first);
      }
      return to;
    }
  }
};

/// Covers 0 ... N by strips of `Width`, the last one narrower: `f(width, start)`.
template <int N, int Width>
void in_loop_tiles(auto f) {
  int i = 0;
  for (; i + Width <= N; i += Width) f(std::integral_constant<int, Width>{}, i);
  if constexpr (N % Width != 0) f(std::integral_constant<int, N % Width>{}, i);
}

}  // namespace detail

/// Runs the convolution of signature `S`, of which only what the epilogue makes is stored.
template <auto S, vectors Set = machine_vectors>
struct conv {
  static constexpr auto const& s = unpacked<S>;
  static constexpr pass::convolution c = s.product;
  using T = scalar_of<s.type>;

  static void run(std::byte* const* pointers, std::byte const* a_bytes, std::byte const* b_bytes,
                  [[maybe_unused]] std::byte* scratch) {
    T const* a = reinterpret_cast<T const*>(a_bytes);
    T const* const b = reinterpret_cast<T const*>(b_bytes);
    [[maybe_unused]] T* sums = reinterpret_cast<T*>(scratch);
    if constexpr (c.copy.images > 0) {
      copy_with_borders(a, sums);
      a = sums;
      sums += c.copy.size();
    }
    int images = c.batch;
    if constexpr (s.counted != 0) images = static_cast<int>(counted_in(s, pointers));
    for (int g = 0; g < c.groups; ++g) {
      if constexpr (c.contracts_batch)
        taps(pointers, a + g * c.a_group, b + g * c.b_group, g * c.columns, sums, images);
      else positions(pointers, a + g * c.a_group, b + g * c.b_group, g * c.columns, images);
    }
  }

 private:
  using span = pass::sliding_axis::span;
  static constexpr int width = pass::detail::lane_count(s.type, c.batch, Set);
  using V = typename number_of_width<T, width>::type;

  // Fewer images than fill a register may lie at any distance.
  static constexpr std::int64_t a_batch = width == 1 ? c.a[0] : 1, b_batch = width == 1 ? c.b[0] : 1;

  template <int Count>
  ETCH_DETAIL_INLINED static V load(T const* from) {
    if constexpr (width == 1) return *from;
    else return V::template load<Count>(from);
  }
  static constexpr int some = 0;  ///< so many entries of a register as is said at run time; the others are 0
  template <int Count>
  [[gnu::always_inline]] static V load_of(T const* from, [[maybe_unused]] int count) {
    if constexpr (Count != some) return load<Count>(from);
    else if constexpr (width == 1) return count > 0 ? *from : T(0);
    else return V::load(from, count);
  }
  ETCH_DETAIL_INLINED static void save(V value, T* to) {
    if constexpr (width == 1) *to = value;
    else value.template store<width>(to);
  }

  static void copy_with_borders(T const* from, T* to) {
    work_on_memory();
    constexpr pass::bordered_copy copy = c.copy;
    for (int channel = 0; channel < copy.channels; ++channel)
      for (int y = 0; y < copy.lines; ++y) {
        T const* const line = from + channel * copy.step[3] + y * copy.step[2];
        to = std::fill_n(to, copy.images * copy.before, T(0));
        for (int x = 0; x < copy.entries; ++x)
          for (int n = 0; n < copy.images; ++n) *to++ = line[x * copy.step[1] + n * copy.step[0]];
        to = std::fill_n(to, copy.images * copy.after, T(0));
      }
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

  static void positions(std::byte* const* pointers, T const* a, T const* b, int first_column,
                        [[maybe_unused]] int images) {
    work_on_memory();
    constexpr int packets = (c.batch + width - 1) / width;
    detail::in_loop_tiles<packets, c.rows_of_tile>([&](auto rows, int p) {
      // Registers are whole: behind the images that count there is memory that holds nothing else.
      if constexpr (s.counted != 0)
        if (p * width >= images) return;
      detail::in_loop_tiles<c.columns, c.columns_of_tile>([&](auto columns, int j) {
        for (int y = 0; y < c.axis[1].positions; ++y)
          detail::in_loop_tiles<c.axis[0].positions, c.places_of_tile>([&](auto places, int x) {
            outer_index const at{0, x, y, first_column + j};
            if constexpr (c.batch % width == 0)
              run_tile<rows, width, places, columns>(pointers, a, b, p * width, j, at);
            else if (p + rows == packets)
              run_tile<rows, c.batch % width, places, columns>(pointers, a, b, p * width, j, at);
            else run_tile<rows, width, places, columns>(pointers, a, b, p * width, j, at);
          });
      });
    });
  }

  /// `Packets` registers along the batch (the last with `Last` entries) at `Places` neighbouring
  /// positions, by `Columns` channels.
  template <int Packets, int Last, int Places, int Columns>
  struct tile {
    ETCH_DETAIL_INLINED static void run(std::byte* const* pointers, T const* a, T const* b, int i, int j,
                                        outer_index const& at) {
      V sum[Columns * Places * Packets];
#pragma GCC unroll 32
      for (int r = 0; r < Columns * Places * Packets; ++r) sum[r] = V(T(0));
      constexpr pass::sliding_axis across = c.axis[0];
      // Taps from `first` to `last` meet an entry at every place of the tile; at some places there are further ones.
      int const here = static_cast<int>(at[1]);
      int first = span_at<0>(here).first_tap, last = first + count<0>(span_at<0>(here)) * across.tap_step();
      if constexpr (!detail::has_no_border<across>)
        for (int x = 1; x < Places; ++x) {
          span const other = span_at<0>(here + x);
          first = std::max(first, other.first_tap);
          last = std::min(last, other.first_tap + other.count);
        }
      last = std::max(first, last);
      span const y = span_at<1>(static_cast<int>(at[2]));
      a += i * a_batch + y.first_entry * c.a[2];
      b += y.first_tap * c.b[2] + j * c.b[3];
      auto const entry = [&](int tap) {
        return (across.of_position * here + across.of_tap * tap + across.offset) / across.of_entry * c.a[1];
      };
      for (int k = 0; k < c.channels; k += c.channels_of_block) {
        int const channels = std::min(c.channels_of_block, c.channels - k);
        T const *a_y = a + k * c.a[3], *b_y = b + k * c.b[0];
        for (int ty = 0; ty < count<1>(y);
             ++ty, a_y += c.axis[1].entry_step() * c.a[2], b_y += c.axis[1].tap_step() * c.b[2]) {
          for (int t = first; t < last; t += across.tap_step())
            add_channels<Places, Packets, Last, Columns, Places>(sum, a_y + entry(t), b_y + t * c.b[1], channels);
          if constexpr (Places > 1 && !detail::has_no_border<across>)
#pragma GCC unroll 32
            for (int x = 0; x < Places; ++x) {
              span const mine = span_at<0>(here + x);
              for (int t = mine.first_tap; t < mine.first_tap + mine.count; ++t)
                if (t < first || t >= last)
                  add_channels<1, Packets, Last, Columns, Places>(
                      sum + x * Packets, a_y + entry(t) + x * across.of_position * c.a[1], b_y + t * c.b[1], channels);
            }
        }
      }
      // Through memory, for the reason given in gemm.hpp.
      alignas(64) T entries[Columns * Places * Packets * width];
#pragma GCC unroll 32
      for (int r = 0; r < Columns * Places * Packets; ++r) save(sum[r], entries + r * width);
      for (int q = 0; q < Columns; ++q)
        for (int x = 0; x < Places; ++x) {
          outer_index const to{0, at[1] + x, at[2], at[3] + q};
          std::byte* base[body::pointer_count];
          body::advance(pointers, to, base);
          T const* const from = entries + (q * Places + x) * Packets * width;
          for (int p = 0; p < Packets - (Last == width ? 0 : 1); ++p)
            finish<V, width>(base, i + p * width, to, load<width>(from + p * width));
          if constexpr (Last != width)
            finish<V, Last>(base, i + (Packets - 1) * width, to, load<width>(from + (Packets - 1) * width));
        }
    }
  };
  template <int... Tile>
  static void run_tile(std::byte* const* pointers, T const* a, T const* b, int i, int j, outer_index const& at) {
    run_apart<tile<Tile...>, Set, std::byte* const*, T const*, T const*, int, int, outer_index const&>(pointers, a, b,
                                                                                                       i, j, at);
  }

  /// Adds what so many channels contribute under one tap, at the first `Places` of the places in `sum`.
  template <int Places, int Packets, int Last, int Columns, int AllPlaces>
  [[gnu::always_inline]] static void add_channels(V* sum, T const* column, T const* row, int channels) {
    for (int k = 0; k < channels; ++k, column += c.a[3], row += c.b[0]) {
      V v[Places * Packets];
#pragma GCC unroll 32
      for (int x = 0; x < Places; ++x) {
        T const* const at = column + x * c.axis[0].of_position * c.a[1];
#pragma GCC unroll 32
        for (int p = 0; p < Packets - 1; ++p) v[x * Packets + p] = load<width>(at + p * width * a_batch);
        v[x * Packets + Packets - 1] = load<Last>(at + (Packets - 1) * width * a_batch);
      }
#pragma GCC unroll 32
      for (int q = 0; q < Columns; ++q) {
        V const w(row[q * c.b[3]]);
        V* const to = sum + q * AllPlaces * Packets;
#pragma GCC unroll 32
        for (int r = 0; r < Places * Packets; ++r) to[r] = multiply_add(v[r], w, to[r]);
      }
    }
  }

  // ---- registers run along the batch, which is summed ----

  static constexpr int row_axis = c.rows_are_channels ? 2 : 0;
  static constexpr std::int64_t row_step = c.rows_are_channels ? c.a[3] : c.axis[0].of_position * c.a[1];

  static void taps(std::byte* const* pointers, T const* a, T const* b, int first_column, T* sums,
                   [[maybe_unused]] int images) {
    work_on_memory();
    detail::in_loop_tiles<c.columns, c.columns_of_tile>([&](auto columns, int j) {
      detail::in_loop_tiles<c.channels, c.channels_of_block>([&](auto channels, int first_channel) {
        T const* const b_j = b + j * c.b[3];
        bool fresh = true;
        detail::in_loop_tiles<c.batch, width>([&](auto entries, int n) {
          if constexpr (s.counted != 0)
            if (n >= images && n > 0) return;
          for (int begin = 0; begin < c.axis[1].taps; begin += c.taps_of_block, fresh = false) {
            T* waiting = sums;
            each_tile<channels>([&](auto rows, int x, int y, int channel) {
              T const *const a_n = a + (first_channel + channel) * c.a[3] + n * a_batch, *const b_n = b_j + n * b_batch;
              bool is_whole = true;
              if constexpr (s.counted != 0) is_whole = n + entries <= images;
              if (is_whole)
                run_apart<tap_tile<rows, columns, entries>, Set>(a_n, b_n, x, y, begin, waiting, fresh, +entries);
              if constexpr (s.counted != 0)
                if (!is_whole)
                  run_apart<tap_tile<rows, columns, some>, Set>(a_n, b_n, x, y, begin, waiting, fresh, images - n);
              waiting += rows * columns * width;
            });
          }
        });
        T const* waiting = sums;
        each_tile<channels>([&](auto rows, int x, int y, int channel) {
          constexpr int count = rows * columns;
          // g++ 12 misplaces the array in a leaf function where it would like more than a number's alignment.
          alignas(64) T room[std::max(count, width)];
          T const* const total = run_apart<detail::register_sums<T, width>, Set>(waiting, count, +room);
          waiting += count * width;
          outer_index at{x, y, first_channel + channel, first_column + j};
          for (int p = 0; p < rows; ++p, ++at[row_axis])
            for (int q = 0; q < columns; ++q) {
              outer_index const to{at[0], at[1], at[2], at[3] + q};
              std::byte* base[scalar_body::pointer_count];
              scalar_body::advance(pointers, to, base);
              finish<T, 1>(base, to[0], to, total[p * columns + q]);
            }
        });
      });
    });
  }

  /// Calls `f(rows, x, y, channel)` for every tile of `Channels` channels: its number of rows, and
  /// the tap and channel of the first.
  template <int Channels>
  static void each_tile(auto f) {
    if constexpr (c.rows_are_channels) {
      for (int x = 0; x < c.axis[0].positions; ++x)
        for (int y = 0; y < c.axis[1].positions; ++y)
          detail::in_loop_tiles<Channels, c.rows_of_tile>([&](auto rows, int channel) { f(rows, x, y, channel); });
    } else {
      for (int channel = 0; channel < Channels; ++channel)
        for (int y = 0; y < c.axis[1].positions; ++y)
          detail::in_loop_tiles<c.axis[0].positions, c.rows_of_tile>([&](auto rows, int x) { f(rows, x, y, channel); });
    }
  }

  /// Adds to the registers at `waiting` what `Entries` images contribute at the positions of the result from
  /// row `begin` on, one block of them.
  template <int Rows, int Columns, int Entries>
  struct tap_tile {
    ETCH_DETAIL_INLINED static void run(T const* a, T const* b, int tap_x, int tap_y, int begin, T* waiting, bool fresh,
                                        int entries) {
      V sum[Rows * Columns];
#pragma GCC unroll 32
      for (int r = 0; r < Rows * Columns; ++r) sum[r] = fresh ? V(T(0)) : load<width>(waiting + r * width);
      // Positions from `first` to `last` have an entry under every row of the tile; some rows have further ones.
      int first = 0, last = c.axis[0].taps;
      auto const span_of = [&](int row) { return span_at<0>(tap_x + (c.rows_are_channels ? 0 : row)); };
      for (int row = 0; row < (detail::has_no_border<c.axis[0]> ? 0 : c.rows_are_channels ? 1 : Rows); ++row) {
        span const x = span_of(row);
        first = std::max(first, x.first_tap);
        last = std::min(last, x.first_tap + x.count);
      }
      last = std::max(first, last);
      span const rows_under = span_at<1>(tap_y);
      int const from = std::max(begin, rows_under.first_tap);
      int const to = std::min({begin + c.taps_of_block, rows_under.first_tap + rows_under.count, c.axis[1].taps});
      std::int64_t const across = c.axis[0].of_position * tap_x + c.axis[0].offset,
                         down = c.axis[1].of_position * tap_y + c.axis[1].offset;
      for (int y = from; y < to; ++y) {
        T const* const a_y = a + (c.axis[1].of_tap * y + down) * c.a[2] + across * c.a[1];
        T const* const b_y = b + y * c.b[2];
        auto const add_between = [&](int row, auto rows, int x, int end) __attribute__((always_inline)) {
          for (; x < end; ++x)
            add<rows, Entries, Columns>(sum + row * Columns, a_y + row * row_step + c.axis[0].of_tap * x * c.a[1],
                                        b_y + x * c.b[1], entries);
        };
        add_between(0, count_of<Rows>{}, first, last);
        if constexpr (!detail::has_no_border<c.axis[0]> && !c.rows_are_channels)
#pragma GCC unroll 32
          for (int row = 0; row < Rows; ++row) {
            span const mine = span_of(row);
            int const end = mine.first_tap + mine.count;
            add_between(row, count_of<1>{}, mine.first_tap, std::min(first, end));
            add_between(row, count_of<1>{}, last, end);
          }
      }
#pragma GCC unroll 32
      for (int r = 0; r < Rows * Columns; ++r) save(sum[r], waiting + r * width);
    }
  };

  /// Adds what `Entries` images contribute at one position to the first `Rows` of the rows in `sum`.
  template <int Rows, int Entries, int Columns>
  [[gnu::always_inline]] static void add(V* sum, T const* a, T const* b, int entries) {
    V v[Columns];
#pragma GCC unroll 32
    for (int q = 0; q < Columns; ++q) v[q] = load_once(load_of<Entries>(b + q * c.b[3], entries));
#pragma GCC unroll 32
    for (int p = 0; p < Rows; ++p) {
      V const u = load_of<Entries>(a + p * row_step, entries);
#pragma GCC unroll 32
      for (int q = 0; q < Columns; ++q) sum[p * Columns + q] = multiply_add(u, v[q], sum[p * Columns + q]);
    }
  }

  // ---- both ----

  using body = run::body<S, V>;
  using scalar_body = run::body<S, T>;

  /// The epilogue for the first `Count` entries from position `i` on the first axis on.
  template <class Number, int Count>
  ETCH_DETAIL_INLINED static void finish(std::byte* const* base, std::ptrdiff_t i, outer_index const& at, Number tile) {
    using finishing = run::body<S, Number>;
    auto const v = finishing::evaluate(base, i, at, tile, count_of<Count>{});
    [&]<std::size_t... O>(std::index_sequence<O...>) {
      (store<s.out[O].step[0], typename finishing::template combination<O>>(v.of[s.out[O].value], base[s.inputs + O], i,
                                                                            s.out[O].accumulates, count_of<Count>{}),
       ...);
    }(std::make_index_sequence<s.outputs>{});
  }
};

}  // namespace run
ETCH_NAMESPACE_END

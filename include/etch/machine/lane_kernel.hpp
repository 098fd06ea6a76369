// lane_kernel: loops and products whose entries are registers, one point in each lane.
#pragma once

#include <etch/machine/body.hpp>
#include <etch/machine/dispatch.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// The entry number `at` of what lies at `base`: one of each lane, or a number that is the same in all lanes.
template <class V, element From>
[[gnu::always_inline]] inline V entry_in_lanes(std::byte const* base, std::ptrdiff_t at) {
  using T = math::scalar_in<V>;
  auto const* const from = reinterpret_cast<scalar_of<From> const*>(base);
  if constexpr (!is_lanes(From)) return V(static_cast<T>(from[at]));
  else if constexpr (width_of<V> == 1) return static_cast<T>(from[at * points_in(From)]);  // moved to its lane
  else if constexpr (!std::same_as<T, scalar_of<From>>) return V::gather(from + at * points_in(From), 1);
  else return V::load(from + at * points_in(From));
}

constexpr std::ptrdiff_t offset(steps const& step, outer_index const& i) {
  return i.entry[0] * step.entry[0] + i.entry[1] * step.entry[1] + i.entry[2] * step.entry[2] +
         i.entry[3] * step.entry[3];
}
/// Input `In` of a loop at `i`.
template <input_signature In, class V>
[[gnu::always_inline]] inline V input_in_lanes([[maybe_unused]] std::byte const* base,
                                               [[maybe_unused]] outer_index const& i, [[maybe_unused]] V tile) {
  using T = math::scalar_in<V>;
  if constexpr (In.from == pass::source::tile) return tile;
  else if constexpr (In.from == pass::source::constant) return V(static_cast<T>(value_of(In.bits)));
  else if constexpr (In.from == pass::source::index)
    return V(static_cast<T>(offset(In.step, i) + static_cast<std::ptrdiff_t>(static_cast<std::int64_t>(In.bits))));
  else return entry_in_lanes<V, In.type>(base, offset(In.step, i));
}

/// The signature whose packed form `Key` stands for.
template <class Key>
inline constexpr auto unpacked_by_key = unpack_signature(content_of(Key{}));

/// Runs the loop or the product whose signature `Key` stands for: bodies of points are long, and so are their words.
/// Additions take place in the order of the iteration space, the same in all lanes.
template <class Key, vectors Set = machine_vectors, element A = element::f64, element B = element::f64>
struct lane_kernel {
  static constexpr auto const& s = unpacked_by_key<Key>;
  using T = scalar_of<s.type>;
  static constexpr int points = points_in(s.type), computed = points_at_a_time(s.type, Set);
  /// Lanes that are computed at a time: a register of them, or one.
  static constexpr int width = std::is_floating_point_v<T> && sizeof(T) * computed >= 16 ? computed : 1;
  using V = typename number_of_width<T, width>::type;
  static constexpr int value_count = s.inputs + s.steps_count;

  /// Whether a product is added to what its storage holds, and nothing else becomes of it.
  static constexpr bool grows_in_place =
      s.steps_count == 0 && s.outputs == 1 && s.out[0].accumulates && !s.out[0].reduces;

  [[gnu::always_inline]] static void visit(std::byte* const* pointers, outer_index const& i, V tile) {
    visit(pointers, i, tile, std::make_index_sequence<s.inputs>{}, std::make_index_sequence<s.steps_count>{},
          std::make_index_sequence<s.outputs>{});
  }
  template <std::size_t... I, std::size_t... K, std::size_t... O>
  [[gnu::always_inline]] static void visit(std::byte* const* pointers, outer_index const& i, V tile,
                                           std::index_sequence<I...>, std::index_sequence<K...>,
                                           std::index_sequence<O...>) {
    V value[value_count];
    ((value[I] = input_in_lanes<s.in[I]>(pointers[I], i, tile)), ...);
    ((value[s.inputs + K] = compute<s.code[K].op>(value, s.code[K].operand)), ...);
    (store<1, combiner<s.out[O].reduces, s.out[O].op>>(value[s.out[O].value], pointers[s.inputs + O],
                                                       offset(s.out[O].step, i) * points, !is_first_visit(s.out[O], i),
                                                       count_of<width>{}),
     ...);
  }

  /// Calls `f(index)` at every point of the iteration space but the first axis.
  [[gnu::always_inline]] static void each_row(auto f) {
    outer_index i{};
    for (i[3] = 0; i[3] < s.extent[3]; ++i[3])
      for (i[2] = 0; i[2] < s.extent[2]; ++i[2])
        for (i[1] = 0; i[1] < s.extent[1]; ++i[1]) f(i);
  }

  [[gnu::always_inline]] static void run(std::byte* const* pointers) {
    if constexpr (width == computed) run_whole(pointers);
    else
      for (int lane = 0; lane < computed; ++lane) run_whole(moved_to(pointers, lane).to);
  }
  /// Does so for a product of what lies at `a` and `b`: a few rows at a time in registers.
  [[gnu::always_inline]] static void run(std::byte* const* pointers, std::byte const* a, std::byte const* b) {
    if constexpr (width == computed) run_whole(pointers, a, b);
    else
      for (int lane = 0; lane < computed; ++lane)
        run_whole(moved_to(pointers, lane).to, of_lane<A>(a, lane), of_lane<B>(b, lane));
  }
  /// Adds a product to what its storage holds, as `grows_in_place`, for so many registers of points. Operands in lanes
  /// lie `apart` bytes from one register's to the next's.
  [[gnu::always_inline]] static void jam(std::byte* const* pointers, std::byte const* a, std::byte const* b,
                                         int registers, std::ptrdiff_t apart) {
    static_assert(grows_in_place, "a product is jammed where it is added to a sum and nothing else");
    if constexpr (width == computed) jam_whole(pointers, a, b, registers, apart);
    else
      for (int lane = 0; lane < computed; ++lane)
        jam_whole(moved_to(pointers, lane).to, of_lane<A>(a, lane), of_lane<B>(b, lane), registers, apart);
  }

 private:
  struct pointers_to_lane {
    std::byte* to[s.inputs + s.outputs];
  };
  static pointers_to_lane moved_to(std::byte* const* pointers, int lane) {
    pointers_to_lane p;
    for (std::size_t i = 0; i < s.inputs; ++i)
      p.to[i] = pointers[i] + (is_lanes(s.in[i].type) ? lane * bytes_of(entry_of(s.in[i].type)) : 0);
    for (std::size_t o = s.inputs; o < s.inputs + s.outputs; ++o)
      p.to[o] = pointers[o] + lane * static_cast<int>(sizeof(T));
    return p;
  }
  template <element Type>
  static std::byte const* of_lane(std::byte const* base, int lane) {
    return is_lanes(Type) ? base + lane * bytes_of(entry_of(Type)) : base;
  }
  [[gnu::always_inline]] static void run_whole(std::byte* const* pointers) {
    each_row([&](outer_index i) __attribute__((always_inline)) {
      for (i[0] = 0; i[0] < s.extent[0]; ++i[0]) visit(pointers, i, V(T(0)));
    });
  }

  [[gnu::always_inline]] static void run_whole(std::byte* const* pointers, std::byte const* a, std::byte const* b) {
    if constexpr (grows_in_place) return jam_whole(pointers, a, b, 1, 0);
    constexpr pass::contraction const& c = s.product;
    constexpr int rows = c.m < 8 ? c.m : 8, rest = c.m % rows;
    each_row([&](outer_index const& i) __attribute__((always_inline)) {
      std::ptrdiff_t const from_a = i[2] * c.a_batch[0] + i[3] * c.a_batch[1];
      std::ptrdiff_t const from_b = i[2] * c.b_batch[0] + i[3] * c.b_batch[1] + i[1] * c.b[1];
      int row = 0;
      for (; row + rows <= c.m; row += rows) strip<rows>(pointers, a, b, from_a, from_b, row, i);
      if constexpr (rest != 0) strip<rest>(pointers, a, b, from_a, from_b, row, i);
    });
  }
  template <int Rows>
  [[gnu::always_inline]] static void strip(std::byte* const* pointers, std::byte const* a, std::byte const* b,
                                           std::ptrdiff_t from_a, std::ptrdiff_t from_b, int row, outer_index i) {
    constexpr pass::contraction const& c = s.product;
    V sum[Rows];
    for (V& each : sum) each = V(T(0));
    for (int k = 0; k < c.k; ++k) {
      V const right = entry_in_lanes<V, B>(b, from_b + k * c.b[0]);
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r)
        sum[r] = multiply_add(entry_in_lanes<V, A>(a, from_a + (row + r) * c.a[0] + k * c.a[1]), right, sum[r]);
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
      i[0] = row + r;
      visit(pointers, i, sum[r]);
    }
  }

  /// The extent of equal tiles that cover `all` with at most `most` each, the last of them smaller if need be.
  static constexpr int tiled(int all, int most) {
    int const tiles = (all + most - 1) / most;
    return (all + tiles - 1) / tiles;
  }
  [[gnu::always_inline]] static void jam_whole(std::byte* const* pointers, std::byte const* a, std::byte const* b,
                                               int registers, std::ptrdiff_t apart) {
    constexpr int free = registers_of(Set), rows = tiled(s.product.m, free == 32 ? 6 : 4),
                  columns = tiled(s.product.n, (free - 1) / (rows + 1));
    outer_index i{};
    for (i[3] = 0; i[3] < s.extent[3]; ++i[3])
      for (i[2] = 0; i[2] < s.extent[2]; ++i[2])
        each_tile<s.product.n, columns>([&](int column, auto c) __attribute__((always_inline)) {
          each_tile<s.product.m, rows>([&](int row, auto r) __attribute__((always_inline)) {
            i[0] = row, i[1] = column;
            jam_tile<r, c>(pointers, a, b, i, registers, apart);
          });
        });
  }
  template <int All, int Extent>
  [[gnu::always_inline]] static void each_tile(auto f) {
    int at = 0;
    for (; at + Extent <= All; at += Extent) f(at, count_of<Extent>{});
    if constexpr (All % Extent != 0) f(at, count_of<All % Extent>{});
  }
  /// Loads the sums, adds to them what all registers of points give, and stores them.
  template <int Rows, int Columns>
  [[gnu::always_inline]] static void jam_tile(std::byte* const* pointers, std::byte const* a, std::byte const* b,
                                              outer_index const& i, int registers, std::ptrdiff_t apart) {
    constexpr pass::contraction const& c = s.product;
    // What is known of a place stands apart from what is not: it becomes a part of the instruction.
    constexpr std::int64_t one_a = is_lanes(A) ? points_in(A) * sizeof(scalar_of<A>) : sizeof(scalar_of<A>),
                           one_b = is_lanes(B) ? points_in(B) * sizeof(scalar_of<B>) : sizeof(scalar_of<B>);
    T* const sums = reinterpret_cast<T*>(pointers[s.inputs]) + offset(s.out[0].step, i) * points;
    auto const at = [sums](int r, int n) __attribute__((always_inline)) {
      return sums + (r * s.out[0].step[0] + n * s.out[0].step[1]) * points;
    };
    V sum[Columns][Rows];
#pragma GCC unroll 32
    for (int n = 0; n < Columns; ++n)
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) sum[n][r] = read<V, 1>(at(r, n), count_of<width>{});
    a += (i[0] * c.a[0] + i[2] * c.a_batch[0] + i[3] * c.a_batch[1]) * one_a;
    b += (i[1] * c.b[1] + i[2] * c.b_batch[0] + i[3] * c.b_batch[1]) * one_b;
    for (int p = 0; p < registers; ++p) {
      for (int k = 0; k < c.k; ++k) {
        V right[Columns];
#pragma GCC unroll 32
        for (int n = 0; n < Columns; ++n) right[n] = entry_in_lanes<V, B>(b + k * c.b[0] * one_b, n * c.b[1]);
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
          V const left = entry_in_lanes<V, A>(a + k * c.a[1] * one_a, r * c.a[0]);
#pragma GCC unroll 32
          for (int n = 0; n < Columns; ++n) sum[n][r] = multiply_add(left, right[n], sum[n][r]);
        }
      }
      if constexpr (is_lanes(A)) a += apart;
      if constexpr (is_lanes(B)) b += apart;
    }
#pragma GCC unroll 32
    for (int n = 0; n < Columns; ++n)
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) write(sum[n][r], at(r, n), count_of<width>{});
  }
};

}  // namespace run
ETCH_NAMESPACE_END

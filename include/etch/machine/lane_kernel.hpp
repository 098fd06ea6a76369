// lane_kernel: loops and products whose entries are registers, one point in each lane.
#pragma once

#include <etch/machine/body.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// The entry number `at` of what lies at `base`: a register, or a number that is the same in all lanes.
template <class V, element From>
[[gnu::always_inline]] inline V entry_in_lanes(std::byte const* base, std::ptrdiff_t at) {
  using T = typename V::scalar_type;
  if constexpr (is_lanes(From)) return V::load(reinterpret_cast<T const*>(base) + at * V::width);
  else return V(static_cast<T>(reinterpret_cast<scalar_of<From> const*>(base)[at]));
}

/// The signature whose packed form `Key` stands for.
template <class Key>
inline constexpr auto unpacked_by_key = unpack_signature(content_of(Key{}));

/// Runs the loop or the product whose signature `Key` stands for: bodies of points are long, and so are their words.
/// Additions take place in the order of the iteration space, the same in all lanes.
template <class Key, element A = element::f64, element B = element::f64>
struct lane_kernel {
  static constexpr auto const& s = unpacked_by_key<Key>;
  using T = scalar_of<entry_of(s.type)>;
  using V = lanes<T>;
  static_assert(sizeof(V) == register_bytes, "etch: the lanes of a kernel over points fill one register");
  static constexpr int value_count = s.inputs + s.steps_count;

  static constexpr std::ptrdiff_t offset(steps const& step, outer_index const& i) {
    return i[0] * step[0] + i[1] * step[1] + i[2] * step[2] + i[3] * step[3];
  }

  /// Where output `O` lies at `i`.
  template <std::size_t O>
  [[gnu::always_inline]] static T* place(std::byte* const* pointers, outer_index const& i) {
    return reinterpret_cast<T*>(pointers[s.inputs + O]) + offset(s.out[O].step, i) * V::width;
  }
  /// Whether a product is added to what its storage holds, and nothing else becomes of it.
  static constexpr bool grows_in_place =
      s.steps_count == 0 && s.outputs == 1 && s.out[0].accumulates && !s.out[0].reduces;

  template <std::size_t I>
  [[gnu::always_inline]] static V input(std::byte* const* pointers, outer_index const& i, V tile) {
    constexpr input_signature in = s.in[I];
    if constexpr (in.from == pass::source::tile) return tile;
    else if constexpr (in.from == pass::source::constant) return V(static_cast<T>(value_of(in.bits)));
    else if constexpr (in.from == pass::source::index)
      return V(static_cast<T>(offset(in.step, i) + static_cast<std::ptrdiff_t>(static_cast<std::int64_t>(in.bits))));
    else return entry_in_lanes<V, in.type>(pointers[I], offset(in.step, i));
  }

  /// Whether no entry that output `O` combines has been visited before `i`, and its storage
  /// holds nothing to be added to.
  template <std::size_t O>
  [[gnu::always_inline]] static bool first_visit(outer_index const& i) {
    if constexpr (s.out[O].accumulates) return false;
    else if constexpr (!s.out[O].reduces) return true;
    for (std::size_t axis = 0; axis < max_rank; ++axis)
      if (s.out[O].step[axis] == 0 && i[axis] != 0) return false;
    return true;
  }

  [[gnu::always_inline]] static void visit(std::byte* const* pointers, outer_index const& i, V tile) {
    V value[value_count];
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      ((value[I] = input<I>(pointers, i, tile)), ...);
    }(std::make_index_sequence<s.inputs>{});
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      ((value[s.inputs + I] = compute<s.code[I]>(value)), ...);
    }(std::make_index_sequence<s.steps_count>{});
    [&]<std::size_t... O>(std::index_sequence<O...>)
        __attribute__((always_inline)) { (leave<O>(pointers, i, value), ...); }(std::make_index_sequence<s.outputs>{});
  }

  template <std::size_t O>
  [[gnu::always_inline]] static void leave(std::byte* const* pointers, outer_index const& i, V const* value) {
    constexpr output_signature o = s.out[O];
    T* const to = place<O>(pointers, i);
    V y = value[o.value];
    if (!first_visit<O>(i)) {
      if constexpr (o.reduces) y = op_at<o.op>::combine(V::load(to), y);
      else y = V::load(to) + y;
    }
    y.store(to);
  }

  /// Calls `f(index)` at every point of the iteration space but the first axis.
  [[gnu::always_inline]] static void each_row(auto f) {
    outer_index i{};
    for (i[3] = 0; i[3] < s.extent[3]; ++i[3])
      for (i[2] = 0; i[2] < s.extent[2]; ++i[2])
        for (i[1] = 0; i[1] < s.extent[1]; ++i[1]) f(i);
  }

  [[gnu::always_inline]] static void run(std::byte* const* pointers) {
    each_row([&](outer_index i) __attribute__((always_inline)) {
      for (i[0] = 0; i[0] < s.extent[0]; ++i[0]) visit(pointers, i, V(T(0)));
    });
  }

  /// Does so for a product of what lies at `a` and `b`: a few rows at a time in registers.
  [[gnu::always_inline]] static void run(std::byte* const* pointers, std::byte const* a, std::byte const* b) {
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

 private:
  template <int Rows>
  [[gnu::always_inline]] static void strip(std::byte* const* pointers, std::byte const* a, std::byte const* b,
                                           std::ptrdiff_t from_a, std::ptrdiff_t from_b, int row, outer_index i) {
    constexpr pass::contraction const& c = s.product;
    V sum[Rows];
    unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
      i[0] = row + r;
      if constexpr (grows_in_place) sum[r] = V::load(place<0>(pointers, i));
      else sum[r] = V(T(0));
    });
    for (int k = 0; k < c.k; ++k) {
      V const right = entry_in_lanes<V, B>(b, from_b + k * c.b[0]);
      unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
        sum[r] = multiply_add(entry_in_lanes<V, A>(a, from_a + (row + r) * c.a[0] + k * c.a[1]), right, sum[r]);
      });
    }
    unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
      i[0] = row + r;
      if constexpr (grows_in_place) sum[r].store(place<0>(pointers, i));
      else visit(pointers, i, sum[r]);
    });
  }
};

}  // namespace run
ETCH_NAMESPACE_END

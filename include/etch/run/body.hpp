// body: the element-wise part of a kernel, evaluated for one register of entries.
#pragma once

#include <etch/run/lanes.hpp>
#include <etch/run/packed_signature.hpp>

namespace etch::inline ETCH_ABI::run {

using math::multiply_add;

/// Calls `f(i)` with i = 0 ... N-1 as integral constants. Callers mark `f` always_inline too: a call left in a tile spills its registers.
template <int N>
[[gnu::always_inline]] inline void unrolled(auto&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) { (f(std::integral_constant<int, I>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

/// Position along the outer axes of an iteration space; the first axis is the register's.
using outer_index = fixed<std::ptrdiff_t, max_rank>;

// The pieces of a body are functions of their own few template arguments, not of the whole signature: their names stay short.

/// The first `Count` entries `Step` entries apart, as a register of `V`.
template <class V, std::int64_t Step, int Count, class From>
[[gnu::always_inline]] inline V read(From const* from) {
  using T = math::scalar_in<V>;
  if constexpr (width_of<V> == 1) return static_cast<T>(*from);
  else if constexpr (Step == 0) return V(static_cast<T>(*from));
  else if constexpr (Step == 1 && std::same_as<From, T>) return V::template load<Count>(from);
  else return V::template gather<Count>(from, Step);
}

/// Input `In` of a body whose first entry on the first axis is at `at`.
template <input_signature In, class T, int Count, class V>
[[gnu::always_inline]] inline V load(std::byte const* base, std::ptrdiff_t at, outer_index const& outer, V tile) {
  if constexpr (In.from == pass::source::tile) {
    return tile;
  } else if constexpr (In.from == pass::source::constant) {
    return V(static_cast<T>(value_of(In.bits)));
  } else if constexpr (In.from == pass::source::index) {
    constexpr steps step = In.step;
    std::ptrdiff_t start = at * step[0] + static_cast<std::ptrdiff_t>(static_cast<std::int64_t>(In.bits));
    for (std::size_t axis = 1; axis < max_rank; ++axis) start += outer[axis] * step[axis];
    if constexpr (width_of<V> == 1) return static_cast<T>(start);
    else return multiply_add(V::count_up(), V(static_cast<T>(step[0])), V(static_cast<T>(start)));
  } else {
    using From = scalar_of<In.type>;
    constexpr std::int64_t step = In.step[0];
    return read<V, step, Count>(reinterpret_cast<From const*>(base) + at * step);
  }
}

/// The result of one instruction on the values before it.
template <step_signature Step, class V>
[[gnu::always_inline]] inline V compute(V const* value) {
  using Op = op_at<Step.op>;
  constexpr int a = Step.operand[0], b = Step.operand[1], c = Step.operand[2];
  if constexpr (Op::arity == 1) return Op::value(value[a]);
  else if constexpr (Op::arity == 2) return Op::value(value[a], value[b]);
  else return Op::value(value[a], value[b], value[c]);
}

/// The body of packed signature `S` over numbers `V`: lanes, or a scalar. `at` is the position of the register's first entry on the first axis.
template <auto S, class V>
struct body {
  static constexpr auto const& s = unpacked<S>;
  using T = scalar_of<s.type>;
  static constexpr int width = width_of<V>;
  static constexpr int value_count = s.inputs + s.steps_count;
  static constexpr int pointer_count = s.inputs + s.outputs;
  using pointers = std::byte* const*;

  struct values {
    V of[value_count];
  };

  /// Loads the inputs and runs the instructions for the first `Count` entries of a register.
  template <int Count>
  [[gnu::always_inline]] static inline values evaluate(pointers base, std::ptrdiff_t at, outer_index const& outer, V tile) {
    values v;
    load_inputs<Count, false>(v, base, at, outer, tile);
    compute_all(v);
    return v;
  }

  /// Loads what is the same all along a row. Compilers would load it for every register: for all they know, results are stored there.
  [[gnu::always_inline]] static inline void hold(values& v, pointers base, outer_index const& outer) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (
          [&]() __attribute__((always_inline)) {
            if constexpr (is_held(I)) v.of[I] = load<s.in[I], T, width>(base[I], 0, outer, V(T(0)));
          }(),
          ...);
    }
    (std::make_index_sequence<s.inputs>{});
  }
  /// `evaluate` with what `hold` has loaded.
  template <int Count>
  [[gnu::always_inline]] static inline values evaluate_held(values v, pointers base, std::ptrdiff_t at, outer_index const& outer) {
    load_inputs<Count, true>(v, base, at, outer, V(T(0)));
    compute_all(v);
    return v;
  }

  /// The same for `Registers` registers, of the last `Last` entries, instruction by instruction: none of them waits for the others.
  template <int Registers, int Last>
  [[gnu::always_inline]] static inline void evaluate_abreast(pointers base, outer_index const& outer, values (&v)[Registers]) {
    unrolled<Registers>([&](auto r) __attribute__((always_inline)) {
      load_inputs<r + 1 == Registers ? Last : width, true>(v[r], base, r * width, outer, V(T(0)));
    });
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (unrolled<Registers>([&](auto r) __attribute__((always_inline)) { v[r].of[s.inputs + I] = compute<s.code[I]>(v[r].of); }), ...);
    }
    (std::make_index_sequence<s.steps_count>{});
  }

  /// Writes the first `Count` entries of output `O`; or combines them with what is there.
  template <std::size_t O, int Count>
  [[gnu::always_inline]] static inline void store(std::byte* base, std::ptrdiff_t at, V value, bool combine) {
    constexpr output_signature o = s.out[O];
    T* const to = reinterpret_cast<T*>(base) + at * o.step[0];
    if (combine) value = combined<O>(read<V, o.step[0], Count>(to), value);
    if constexpr (width == 1) *to = value;
    else if constexpr (o.step[0] == 1) value.template store<Count>(to);
    else value.template scatter<Count>(to, o.step[0]);
  }

  /// The two values combined as output `O` wants: its reduction, or a sum.
  template <std::size_t O>
  [[gnu::always_inline]] static inline auto combined(auto a, auto b) {
    if constexpr (s.out[O].reduces) return op_at<s.out[O].op>::combine(a, b);
    else return a + b;
  }

  /// Moves every pointer by `i[axis]` steps along the axes from `First` on.
  template <int First>
  [[gnu::always_inline]] static inline void advance(pointers from, outer_index const& i, std::byte** to) {
    [&]<std::size_t... P>(std::index_sequence<P...>) __attribute__((always_inline)) {
      ((to[P] = from[P] + displacement<First, P>(i)), ...);
    }
    (std::make_index_sequence<pointer_count>{});
  }

 private:
  static constexpr bool is_held(std::size_t i) { return s.in[i].from == pass::source::memory && s.in[i].step[0] == 0; }

  /// Loads all inputs, or all that `hold` has not loaded.
  template <int Count, bool Held>
  [[gnu::always_inline]] static inline void load_inputs(values& v, pointers base, std::ptrdiff_t at, outer_index const& outer, V tile) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (
          [&]() __attribute__((always_inline)) {
            if constexpr (!(Held && is_held(I))) v.of[I] = load<s.in[I], T, Count>(base[I], at, outer, tile);
          }(),
          ...);
    }
    (std::make_index_sequence<s.inputs>{});
  }

  [[gnu::always_inline]] static inline void compute_all(values& v) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      ((v.of[s.inputs + I] = compute<s.code[I]>(v.of)), ...);
    }
    (std::make_index_sequence<s.steps_count>{});
  }

  /// How far `i` moves pointer `P`, in bytes.
  template <int First, std::size_t P>
  [[gnu::always_inline]] static inline std::ptrdiff_t displacement(outer_index const& i) {
    constexpr steps step = [] {
      if constexpr (P < s.inputs) return s.in[P].step;
      else return s.out[P - s.inputs].step;
    }();
    constexpr std::int64_t bytes = [] {
      if constexpr (P < s.inputs) return bytes_of(s.in[P].type);
      else return bytes_of(s.type);
    }();
    std::ptrdiff_t entries = 0;
    unrolled<max_rank - First>([&](auto axis) __attribute__((always_inline)) { entries += i[First + axis] * step[First + axis]; });
    return entries * bytes;
  }
};

}  // namespace etch::inline ETCH_ABI::run

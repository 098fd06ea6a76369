// body: the element-wise part of a kernel, evaluated for one register of entries.
#pragma once

#include <etch/machine/lanes.hpp>
#include <etch/machine/packed_signature.hpp>
#include <etch/machine/turns.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

using math::multiply_add;

/// Calls `f(i)` with i = 0 ... N-1 as integral constants. Callers mark `f` always_inline too: a call
/// left in a tile spills its registers.
template <int N>
[[gnu::always_inline]] inline void unrolled(auto&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}

/// The register `x`, which g++ 12 would load once more wherever it is an operand.
template <class V>
[[gnu::always_inline]] inline V load_once(V x) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
  if constexpr (width_of<V> > 1) asm("" : "+v"(x.p));
#endif
  return x;
}

/// Position along the outer axes of an iteration space; the first axis is the register's.
using outer_index = fixed<std::ptrdiff_t, max_rank>;

// The pieces of a body are functions of their own few template arguments, not of the whole
// signature: their names stay short, and many bodies have them in common.

/// How many entries of a register are meant: a constant of this type, or an `int` where that is known at run time.
template <int N>
using count_of = std::integral_constant<int, N>;
template <class Count, int Width>
inline constexpr bool is_whole = false;
template <int Width>
inline constexpr bool is_whole<count_of<Width>, Width> = true;

/// The first `count` entries `Step` entries apart, as a register of `V`.
template <class V, std::int64_t Step, class From, class Count>
[[gnu::always_inline]] inline V read(From const* from, [[maybe_unused]] Count count) {
  using T = math::scalar_in<V>;
  if constexpr (width_of<V> == 1) return static_cast<T>(*from);
  else if constexpr (Step == 0) return V(static_cast<T>(*from));
  else if constexpr (Step != 1 || !std::same_as<From, T>) return V::gather(from, Step, count);
  else if constexpr (is_whole<Count, width_of<V>>) return V::load(from);
  else return V::load(from, count);
}

/// Writes the first `count` entries of a register where they adjoin.
template <class V, class Count>
[[gnu::always_inline]] inline void write(V value, math::scalar_in<V>* to, [[maybe_unused]] Count count) {
  if constexpr (width_of<V> == 1) *to = value;
  else if constexpr (is_whole<Count, width_of<V>>) value.store(to);
  else value.store(to, count);
}

/// How a body loads an input: as compilers like, once for all its uses, or not at all as it is there already.
enum class loading { plain, once, skipped };

/// Loads into `to` input `In` of a body, whose first entry on the first axis is at `at`.
template <input_signature In, class T, loading How, class V, class Count>
[[gnu::always_inline]] inline void load([[maybe_unused]] V& to, [[maybe_unused]] std::byte const* base,
                                        [[maybe_unused]] std::ptrdiff_t at, [[maybe_unused]] outer_index const& outer,
                                        [[maybe_unused]] V const& tile, [[maybe_unused]] Count count) {
  if constexpr (How == loading::skipped) {
    return;
  } else if constexpr (In.from == pass::source::tile) {
    to = tile;
  } else if constexpr (In.from == pass::source::constant) {
    to = V(static_cast<T>(value_of(In.bits)));
  } else if constexpr (In.from == pass::source::index) {
    constexpr steps step = In.step;
    std::ptrdiff_t start = at * step[0] + static_cast<std::ptrdiff_t>(static_cast<std::int64_t>(In.bits));
    for (std::size_t axis = 1; axis < max_rank; ++axis) start += outer[axis] * step[axis];
    if constexpr (width_of<V> == 1) to = static_cast<T>(start);
    else to = multiply_add(V::count_up(), V(static_cast<T>(step[0])), V(static_cast<T>(start)));
  } else {
    using From = scalar_of<In.type>;
    constexpr std::int64_t step = In.step[0];
    to = read<V, step>(reinterpret_cast<From const*>(base) + at * step, count);
    if constexpr (How == loading::once) to = load_once(to);
  }
}

/// The result of an instruction `Code` on the values of the numbers `operand`.
template <opcode Code, class V>
[[gnu::always_inline]] inline V compute(V const* value, fixed<int, 3> const& operand) {
  using Op = op_at<Code>;
  if constexpr (Op::arity == 1) return Op::value(value[operand.entry[0]]);
  else if constexpr (Op::arity == 2) return Op::value(value[operand.entry[0]], value[operand.entry[1]]);
  else return Op::value(value[operand.entry[0]], value[operand.entry[1]], value[operand.entry[2]]);
}

/// Computes the instructions of the numbers `turn` in `code`, which are `Count` of op `Code`. Several are lanes of one
/// register; lanes that are left repeat the last. Results lie after `inputs` other values.
template <opcode Code, int Count, class T, int... Lane>
[[gnu::always_inline]] inline void compute_turn(T* value, step_signature const* code, int const* turn, int inputs,
                                                std::integer_sequence<int, Lane...>) {
  if constexpr (Count == 1) {
    value[inputs + turn[0]] = compute<Code>(value, code[turn[0]].operand);
  } else {
    using W = lanes<T, sizeof...(Lane)>;
    W operand[op_at<Code>::arity];
    unrolled<op_at<Code>::arity>([&](auto k) __attribute__((always_inline)) {
      operand[k] = W(typename W::packet{value[code[turn[std::min(Lane, Count - 1)]].operand.entry[k]]...});
    });
    W const y = compute<Code>(operand, {0, 1, 2});
    unrolled<Count>([&](auto lane) __attribute__((always_inline)) { value[inputs + turn[lane]] = y[lane]; });
  }
}

/// Combines two values by the reduction `Op`, or adds them.
template <bool Reduces, opcode Op>
struct combiner {
  [[gnu::always_inline]] constexpr auto operator()(auto a, auto b) const {
    if constexpr (Reduces) return op_at<Op>::combine(a, b);
    else return a + b;
  }
};
/// The numbers in a register as one.
template <class V, class Combine>
[[gnu::always_inline]] inline auto across(V const& v, Combine combine) {
  if constexpr (width_of<V> == 1) return v;
  else return v.across(combine);
}

/// Writes the first `count` entries of a result whose entries lie `Step` apart, from entry `at` on; with `adds`,
/// combined with what is there.
template <std::int64_t Step, class Combine, class V, class Count>
[[gnu::always_inline]] inline void store(V value, std::byte* base, std::ptrdiff_t at, bool adds,
                                         [[maybe_unused]] Count count) {
  auto* const to = reinterpret_cast<math::scalar_in<V>*>(base) + at * Step;
  if (adds) value = Combine{}(read<V, Step>(to, count), value);
  if constexpr (width_of<V> != 1 && Step != 1) value.scatter(to, Step, count);
  else write(value, to, count);
}

/// Whether no entry that an output combines has been visited before `i`, and its storage holds nothing to be added to.
[[gnu::always_inline]] inline bool is_first_visit(output_signature const& out, outer_index const& i) {
  bool visited = out.accumulates;
#pragma GCC unroll 4
  for (std::size_t axis = 0; axis < max_rank; ++axis)
    visited = visited || (out.reduces && out.step.entry[axis] == 0 && i.entry[axis] != 0);
  return !visited;
}

/// Whether an input is the same all along a row.
constexpr bool is_held(input_signature const& in) { return in.from == pass::source::memory && in.step.entry[0] == 0; }
/// How a body of signature `s` loads each input, where those that are the same all along a row are there already or
/// not. With `once` what several instructions read stays in its register, in bodies that leave registers for it.
template <class Signature>
constexpr auto loading_of(Signature const& s, bool has_held, bool once) {
  fixed<loading, Signature::inputs> how{};
  fixed<int, Signature::inputs + Signature::steps_count> uses{};
  for (step_signature const& step : s.code)
    for (int k = 0; k < op_table.entry[step.op].arity; ++k) ++uses.entry[step.operand.entry[k]];
  for (output_signature const& out : s.out) ++uses.entry[out.value];
  for (std::size_t i = 0; i < Signature::inputs; ++i) {
    input_signature const& in = s.in.entry[i];
    if (has_held && is_held(in)) how.entry[i] = loading::skipped;
    else if (once && Signature::inputs <= 4 && uses.entry[i] > 1 && in.from == pass::source::memory &&
             in.step.entry[0] == 1)
      how.entry[i] = loading::once;
  }
  return how;
}

/// Bytes from one entry to the next along each axis, for every pointer of a kernel: inputs, then outputs.
template <class Signature>
constexpr auto strides_of(Signature const& s) {
  fixed<steps, Signature::inputs + Signature::outputs> all;
  for (std::size_t p = 0; p < all.size(); ++p)
    for (std::size_t axis = 0; axis < max_rank; ++axis)
      all.entry[p].entry[axis] = p < Signature::inputs
                                     ? s.in.entry[p].step.entry[axis] * bytes_of(s.in.entry[p].type)
                                     : s.out.entry[p - Signature::inputs].step.entry[axis] * bytes_of(s.type);
  return all;
}

/// Writes `start` to every entry of an output that a kernel over `extent` combines entries into: its neighbours are
/// `step` bytes apart, 0 along the axes that are combined.
template <class T>
inline void start_entries(std::byte* to, auto const& extent, steps const& step, T start) {
  auto const count = [&](std::size_t axis) { return step.entry[axis] == 0 ? 1 : extent.entry[axis]; };
  for (int l = 0; l < count(3); ++l)
    for (int k = 0; k < count(2); ++k)
      for (int j = 0; j < count(1); ++j)
        for (int i = 0; i < count(0); ++i)
          *reinterpret_cast<T*>(to + i * step.entry[0] + j * step.entry[1] + k * step.entry[2] + l * step.entry[3]) =
              start;
}

/// The body of packed signature `S` over numbers `V`: lanes, or a scalar. `at` is the position of the
/// register's first entry on the first axis.
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
  /// Whether any input is the same all along a row.
  static constexpr bool holds_any = std::any_of(s.in.begin(), s.in.end(), is_held);

  /// Loads the inputs and runs the instructions for the first `count` entries of a register.
  template <class Count>
  [[gnu::always_inline]] static inline values evaluate(pointers base, std::ptrdiff_t at, outer_index const& outer,
                                                       V const& tile, Count count) {
    values v;
    fill<false>(v, base, at, outer, tile, count, each_input{}, each_step{});
    return v;
  }

  /// Loads what is the same all along a row. Compilers would load it for every register: for all
  /// they know, results are stored there.
  [[gnu::always_inline]] static inline void hold(values& v, pointers base, outer_index const& outer) {
    load_held(v, base, outer, each_input{});
  }
  /// `evaluate` with what `hold` has loaded.
  template <class Count>
  [[gnu::always_inline]] static inline values evaluate_held(values v, pointers base, std::ptrdiff_t at,
                                                            outer_index const& outer, Count count) {
    fill<true>(v, base, at, outer, V(T(0)), count, each_input{}, each_step{});
    return v;
  }
  /// `evaluate_held` for two registers, the second of the last `count` entries, instruction by instruction: neither
  /// waits for the other.
  template <class Count>
  [[gnu::always_inline]] static inline void evaluate_abreast(values (&v)[2], pointers base, outer_index const& outer,
                                                             Count count) {
    fill_abreast(v, base, outer, count, each_input{}, each_step{});
  }

  /// How output `O` combines two values.
  template <std::size_t O>
  using combination = combiner<s.out[O].reduces, s.out[O].op>;

  /// Moves every pointer by `i[axis]` steps along the axes from the second on. Steps are those of
  /// the signature, or others in bytes.
  [[gnu::always_inline]] static inline void advance(pointers from, outer_index const& i, std::byte** to,
                                                    steps const* by = strides.entry) {
#pragma GCC unroll 256
    for (int p = 0; p < pointer_count; ++p)
      to[p] = from[p] + i[1] * by[p].entry[1] + i[2] * by[p].entry[2] + i[3] * by[p].entry[3];
  }

  /// Copies all pointers, for a row that is the only one.
  [[gnu::always_inline]] static inline void copy(pointers from, std::byte** to) {
#pragma GCC unroll 256
    for (int p = 0; p < pointer_count; ++p) to[p] = from[p];
  }

  /// The steps of all pointers along the second axis, in bytes.
  struct column_steps {
    std::ptrdiff_t by[pointer_count];

    [[gnu::always_inline]] inline explicit column_steps(steps const* all) {
      for (int p = 0; p < pointer_count; ++p) by[p] = all[p].entry[1];
    }
    [[gnu::always_inline]] inline void advance(std::byte** pointer) const {
      for (int p = 0; p < pointer_count; ++p) pointer[p] += by[p];
    }
  };

  /// Bytes from one entry to the next along each axis, for every pointer.
  static constexpr auto strides = strides_of(s);

 private:
  using each_input = std::make_index_sequence<s.inputs>;
  using each_step = std::make_index_sequence<s.steps_count>;

  // Packs are expanded in functions, not in lambdas: a closure in every instantiation of a body
  // costs compilers more than its code.

  /// How each input is loaded, where those that `hold` loads are there or not.
  template <bool HasHeld>
  static constexpr auto how = loading_of(s, HasHeld, width > 1 && std::is_floating_point_v<T>);

  /// Loads the inputs, but what `hold` has loaded, and runs the instructions.
  template <bool HasHeld, class Count, std::size_t... I, std::size_t... K>
  [[gnu::always_inline]] static inline void fill(values& v, pointers base, std::ptrdiff_t at, outer_index const& outer,
                                                 V const& tile, Count count, std::index_sequence<I...>,
                                                 std::index_sequence<K...>) {
    (load<s.in[I], T, how<HasHeld>[I]>(v.of[I], base[I], at, outer, tile, count), ...);
    if constexpr (has_turns()) compute_in_turns(v, std::make_index_sequence<static_cast<std::size_t>(in_turn.size)>{});
    else ((v.of[s.inputs + K] = compute<s.code[K].op>(v.of, s.code[K].operand)), ...);
  }
  template <class Count, std::size_t... I, std::size_t... K>
  [[gnu::always_inline]] static inline void fill_abreast(values (&v)[2], pointers base, outer_index const& outer,
                                                         Count count, std::index_sequence<I...>,
                                                         std::index_sequence<K...>) {
    (load<s.in[I], T, how<true>[I]>(v[0].of[I], base[I], 0, outer, V(T(0)), count_of<width>{}), ...);
    (load<s.in[I], T, how<true>[I]>(v[1].of[I], base[I], width, outer, V(T(0)), count), ...);
    ((v[0].of[s.inputs + K] = compute<s.code[K].op>(v[0].of, s.code[K].operand),
      v[1].of[s.inputs + K] = compute<s.code[K].op>(v[1].of, s.code[K].operand)),
     ...);
  }
  template <std::size_t... I>
  [[gnu::always_inline]] static inline void load_held(values& v, pointers base, outer_index const& outer,
                                                      std::index_sequence<I...>) {
    (load<s.in[I], T, (is_held(s.in[I]) ? loading::plain : loading::skipped)>(v.of[I], base[I], 0, outer, V(T(0)),
                                                                              count_of<width>{}),
     ...);
  }

  static constexpr turns<s.steps_count> in_turn = turns_of(s.code, s.inputs, widest<T>);
  static constexpr bool has_turns() {
    if constexpr (width == 1 && widest<T> > 1 && is_one_entry(s)) return in_turn.longest > 1;
    else return false;
  }
  template <std::size_t... Turn>
  [[gnu::always_inline]] static inline void compute_in_turns(values& v, std::index_sequence<Turn...>) {
    (compute_turn<s.code[in_turn.step[in_turn.begin[Turn]]].op, in_turn.begin[Turn + 1] - in_turn.begin[Turn]>(
         v.of, s.code.entry, in_turn.step.entry + in_turn.begin[Turn], s.inputs,
         std::make_integer_sequence<int, width_for<T, 2>(in_turn.longest)>{}),
     ...);
  }
};

}  // namespace run
ETCH_NAMESPACE_END

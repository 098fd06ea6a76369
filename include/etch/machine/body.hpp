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

/// Keeps g++ 12 from loading the register `x` once more wherever it is an operand.
template <class V>
[[gnu::always_inline]] inline void load_once([[maybe_unused]] V& x) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
  if constexpr (width_of<V> > 1) asm("" : "+v"(x.p));
#endif
}

/// Position along the outer axes of an iteration space; the first axis is the register's.
using outer_index = fixed<std::ptrdiff_t, max_rank>;

// The pieces of a body are functions of their own few template arguments, not of the whole
// signature: their names stay short.

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

/// Loads into `to` input `In` of a body, whose first entry on the first axis is at `at`;
/// with `Skip` it is there already.
template <input_signature In, class T, bool Skip, class V, class Count>
[[gnu::always_inline]] inline void load([[maybe_unused]] V& to, [[maybe_unused]] std::byte const* base,
                                        [[maybe_unused]] std::ptrdiff_t at, [[maybe_unused]] outer_index const& outer,
                                        [[maybe_unused]] V const& tile, [[maybe_unused]] Count count) {
  if constexpr (Skip) {
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
  /// Whether input `i` is the same all along a row, and whether any is.
  static constexpr bool is_held(std::size_t i) { return s.in[i].from == pass::source::memory && s.in[i].step[0] == 0; }
  static constexpr bool holds_any() {
    for (std::size_t i = 0; i < s.inputs; ++i)
      if (is_held(i)) return true;
    return false;
  }

  /// Loads the inputs and runs the instructions for the first `count` entries of a register.
  template <class Count>
  [[gnu::always_inline]] static inline values evaluate(pointers base, std::ptrdiff_t at, outer_index const& outer,
                                                       V const& tile, Count count) {
    values v;
    load_inputs<false>(v, base, at, outer, tile, count, each_input{});
    compute_all(v, each_step{});
    return v;
  }

  /// Loads what is the same all along a row. Compilers would load it for every register: for all
  /// they know, results are stored there.
  [[gnu::always_inline]] static inline void hold(values& v, pointers base, outer_index const& outer) {
    load_held(v, base, outer, each_input{});
  }
  /// `evaluate` with what `hold` has loaded.
  template <int Count>
  [[gnu::always_inline]] static inline values evaluate_held(values v, pointers base, std::ptrdiff_t at,
                                                            outer_index const& outer) {
    load_inputs<true>(v, base, at, outer, V(T(0)), count_of<Count>{}, each_input{});
    compute_all(v, each_step{});
    return v;
  }

  /// Evaluates `Registers` registers, of the last `Last` entries, instruction by instruction:
  /// none of them waits for the others.
  template <int Registers, int Last>
  [[gnu::always_inline]] static inline void evaluate_abreast(pointers base, outer_index const& outer,
                                                             values (&v)[Registers]) {
    unrolled<Registers>([&](auto r) __attribute__((always_inline)) {
      load_inputs<true>(v[r], base, r * width, outer, V(T(0)), count_of<(r + 1 == Registers ? Last : width)>{},
                        each_input{});
    });
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (unrolled<Registers>([&](auto r)
                               __attribute__((always_inline)) { v[r].of[s.inputs + I] = compute<s.code[I]>(v[r].of); }),
       ...);
    }(each_step{});
  }

  /// Writes the first `count` entries of output `O`; with `adds`, combined with what is there.
  template <std::size_t O, class Count>
  [[gnu::always_inline]] static inline void store(std::byte* base, std::ptrdiff_t at, V value, bool adds,
                                                  [[maybe_unused]] Count count) {
    constexpr output_signature o = s.out[O];
    T* const to = reinterpret_cast<T*>(base) + at * o.step[0];
    if (adds) value = combination<O>{}(read<V, o.step[0]>(to, count), value);
    if constexpr (width != 1 && o.step[0] != 1) value.scatter(to, o.step[0], count);
    else write(value, to, count);
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

  /// Loads all inputs, or all that `hold` has not loaded.
  template <bool Held, class Count, std::size_t... I>
  [[gnu::always_inline]] static inline void load_inputs(values& v, pointers base, std::ptrdiff_t at,
                                                        outer_index const& outer, V const& tile, Count count,
                                                        std::index_sequence<I...>) {
    (load<s.in[I], T, (Held && is_held(I))>(v.of[I], base[I], at, outer, tile, count), ...);
    (keep<I>(v.of[I]), ...);
  }
  /// How often the body reads or stores input `i`.
  static constexpr int uses(std::size_t i) {
    int n = 0;
    for (step_signature const& step : s.code)
      for (std::size_t k = 0; k < static_cast<std::size_t>(op_table.entry[step.op].arity); ++k)
        n += step.operand[k] == static_cast<int>(i);
    for (output_signature const& out : s.out) n += out.value == static_cast<int>(i);
    return n;
  }
  /// Keeps input `I` in its register until its last use, in bodies that leave registers for it.
  template <std::size_t I>
  [[gnu::always_inline]] static inline void keep([[maybe_unused]] V& input) {
    constexpr bool is_loaded = s.in[I].from == pass::source::memory && s.in[I].step[0] == 1;
    if constexpr (is_loaded && width > 1 && std::is_floating_point_v<T> && s.inputs <= 4 && uses(I) > 1) {
      V once = input;
      load_once(once);
      input = once;
    }
  }
  template <std::size_t... I>
  [[gnu::always_inline]] static inline void load_held(values& v, pointers base, outer_index const& outer,
                                                      std::index_sequence<I...>) {
    (load<s.in[I], T, !is_held(I)>(v.of[I], base[I], 0, outer, V(T(0)), count_of<width>{}), ...);
  }
  template <std::size_t... I>
  [[gnu::always_inline]] static inline void compute_all(values& v, std::index_sequence<I...>) {
    if constexpr (has_turns()) compute_in_turns(v, std::make_index_sequence<static_cast<std::size_t>(in_turn.size)>{});
    else ((v.of[s.inputs + I] = compute<s.code[I]>(v.of)), ...);
  }

  static constexpr turns<s.steps_count> in_turn = turns_of(s.code, s.inputs, widest<T>);
  static constexpr bool has_turns() {
    if constexpr (width == 1 && widest<T> > 1 && is_one_entry(s)) return in_turn.longest > 1;
    else return false;
  }
  template <std::size_t... Turn>
  [[gnu::always_inline]] static inline void compute_in_turns(values& v, std::index_sequence<Turn...>) {
    (compute_turn<in_turn.begin[Turn], in_turn.begin[Turn + 1]>(v), ...);
  }
  template <int Begin, int End>
  [[gnu::always_inline]] static inline void compute_turn(values& v) {
    constexpr int step = in_turn.step[Begin];
    if constexpr (End - Begin == 1) v.of[s.inputs + step] = compute<s.code[step]>(v.of);
    else compute_in_lanes<Begin, End>(v, std::make_index_sequence<width_for<T, 2>(in_turn.longest)>{});
  }
  /// Computes the turn from `Begin` to `End`, an instruction in each lane; lanes that are left repeat the last.
  template <int Begin, int End, std::size_t... Lane>
  [[gnu::always_inline]] static inline void compute_in_lanes(values& v, std::index_sequence<Lane...>) {
    using W = lanes<T, sizeof...(Lane)>;
    constexpr step_signature in_lanes{s.code[in_turn.step[Begin]].op, {0, 1, 2}};
    W operand[op_at<in_lanes.op>::arity];
    unrolled<std::extent_v<decltype(operand)>>([&](auto k) __attribute__((always_inline)) {
      operand[k] =
          W(typename W::packet{v.of[s.code[in_turn.step[std::min<std::size_t>(Begin + Lane, End - 1)]].operand[k]]...});
    });
    W const y = compute<in_lanes>(operand);
    unrolled<End - Begin>(
        [&](auto lane) __attribute__((always_inline)) { v.of[s.inputs + in_turn.step[Begin + lane]] = y[lane]; });
  }
};

}  // namespace run
ETCH_NAMESPACE_END

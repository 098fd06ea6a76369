// loop_of_numbers: a loop each step of which is one kernel on single numbers. What it hands on, adds up and shares
// stays in registers: through memory, each step would wait until the one before is stored and loaded again.
#pragma once

#include <etch/machine/body.hpp>
#include <etch/machine/description.hpp>
#include <etch/machine/loop.hpp>

#include <cstddef>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace run {

/// The words of the first kernel of the program `Body`.
template <class Body>
inline constexpr auto first_kernel = pass::words_of<Body::schedule.word_count(0)>(Body::schedule, 0);

/// By output of a loop: which result of the only kernel of its body it is.
template <class Signature>
constexpr auto results_by_output(Signature const&, auto const& d) {
  fixed<int, Signature::outputs> result{};
  for (int& each : result.entry) each = -1;
  for (int r = 0; r < d.kernel.outputs; ++r) result.entry[d.at.entry[d.kernel.inputs + r].position] = r;
  return result;
}

/// Whether each operand of the only kernel, which `d` describes, of the body of loop `s` is a number of an argument,
/// and each output of the body a number that it leaves.
constexpr bool is_on_numbers(auto const& s, auto const& d) {
  using place = pass::location::place;
  if (is_lanes(d.kernel.type) || !is_one_entry(d.kernel) || d.kernel.outputs != s.outputs) return false;
  for (int i = 0; i < d.kernel.inputs; ++i) {
    if (d.kernel.in.entry[i].from != pass::source::memory) continue;
    pass::location const& at = d.at.entry[i];
    if (at.in != place::argument) return false;
    bool const is_carry = s.in.entry[at.position].kind == loop_input::carry;
    if (is_carry && (at.offset != 0 || d.kernel.in.entry[i].type != d.kernel.type)) return false;
  }
  for (int r = 0; r < s.outputs; ++r)
    if (pass::location const& at = d.at.entry[d.kernel.inputs + r]; at.in != place::output || at.offset != 0)
      return false;
  auto const result = results_by_output(s, d);
  for (int o = 0; o < s.outputs; ++o)
    if (s.out.entry[o].bytes != bytes_of(d.kernel.type) || result.entry[o] < 0) return false;
  return true;
}

/// Whether `loop_of_numbers` runs the loop of `Call`.
template <class Call>
consteval bool is_loop_of_numbers() {
  constexpr auto const& s = Call::signature;
  using body = typename Call::body;
  if constexpr (body::schedule.kernel_count != 1 || s.counted || s.counts || s.gate >= 0 || s.snapshots > 0) {
    return false;
  } else if constexpr (size_of_kernel<first_kernel<body>>.computes != pass::form::elementwise) {
    return false;
  } else {
    constexpr auto added = accumulated_in_step(s, true, Call::accumulated);
    for (int o = 0; o < s.outputs; ++o)
      if (s.out.entry[o].carry >= 0 && added.contains(o)) return false;
    return is_on_numbers(s, description<first_kernel<body>, accumulation<0>{}>);
  }
}

/// Runs the loop of `Call`. Summands are added in the order of the steps, and last to what their storage holds.
template <class Call>
struct loop_of_numbers {
  static constexpr auto const& s = Call::signature;
  static constexpr auto const& d = description<first_kernel<typename Call::body>, accumulation<0>{}>;
  static constexpr auto kernel = d.kernel;
  using body = run::body<pack_signature<kernel>(), scalar_of<kernel.type>>;
  using T = typename body::T;
  static constexpr auto result = results_by_output(s, d);
  static constexpr auto added = accumulated_in_step(s, true, Call::accumulated);

  ETCH_DETAIL_INLINED static status run(std::byte const* const* operands, std::byte* const* results, std::byte*) {
    state now;
    begin(now, operands, each_input{}, each_output{});
    for (int n = 0; n < s.count; ++n) {
      int const p = s.backward ? s.count - 1 - n : n;
      load(now, {operands, results, nullptr}, {s.count, n, p, s.backward ? p + 1 : p - 1}, each_input{});
      now.values = body::evaluate_held(now.values, nowhere, 0, {}, count_of<1>{});
      leave(now, results, p, each_output{});
    }
    end(now, results, each_output{});
    return status::ok;
  }

 private:
  static constexpr std::byte* nowhere[body::pointer_count]{};  // all that lies in memory is loaded before
  using each_input = std::make_index_sequence<kernel.inputs>;
  using each_output = std::make_index_sequence<s.outputs>;
  struct state {
    typename body::values values;  // of the kernel
    T of[s.outputs];               // what is handed on or added up in each output
  };

  static constexpr bool is_read(std::size_t i) { return kernel.in.entry[i].from == pass::source::memory; }
  static constexpr int operand(std::size_t i) { return d.at.entry[i].position; }
  template <std::size_t I>
  [[gnu::always_inline]] static inline T number(std::byte const* operand) {
    using From = scalar_of<kernel.in.entry[I].type>;
    return static_cast<T>(*reinterpret_cast<From const*>(operand + d.at.entry[I].offset));
  }
  /// The operand with which the carry of output `o` begins.
  static constexpr int beginning(std::size_t o) {
    for (int i = 0; i < s.own_inputs; ++i)
      if (s.in.entry[i].kind == loop_input::carry && s.in.entry[i].carry == s.out.entry[o].carry) return i;
    return -1;
  }

  template <std::size_t... I, std::size_t... O>
  [[gnu::always_inline]] static inline void begin(state& now, std::byte const* const* operands,
                                                  std::index_sequence<I...>, std::index_sequence<O...>) {
    (begin_input<I>(now, operands), ...);
    (begin_output<O>(now, operands), ...);
  }
  template <std::size_t I>
  [[gnu::always_inline]] static inline void begin_input(state& now, std::byte const* const* operands) {
    if constexpr (is_read(I))
      if constexpr (s.in.entry[operand(I)].kind == loop_input::captured)
        now.values.of[I] = number<I>(operands[operand(I)]);
  }
  template <std::size_t O>
  [[gnu::always_inline]] static inline void begin_output(state& now, std::byte const* const* operands) {
    if constexpr (s.out.entry[O].carry >= 0) now.of[O] = *reinterpret_cast<T const*>(operands[beginning(O)]);
    else now.of[O] = static_cast<T>(-0.0);  // to which a first -0 can be added
  }

  template <std::size_t... I>
  [[gnu::always_inline]] static inline void load(state& now, loop_storage const& from, loop_step const& step,
                                                 std::index_sequence<I...>) {
    (load_input<I>(now, from, step), ...);
  }
  template <std::size_t I>
  [[gnu::always_inline]] static inline void load_input(state& now, loop_storage const& from, loop_step const& step) {
    if constexpr (is_read(I)) {
      constexpr input_of_step in = s.in.entry[operand(I)];
      constexpr int handed = carry_output_of(s, operand(I));
      if constexpr (in.kind == loop_input::carry) now.values.of[I] = now.of[handed];
      else if constexpr (in.kind != loop_input::captured)
        now.values.of[I] = number<I>(read_at<in, s.out.entry[handed]>(from, operand(I), handed, step));
    }
  }

  template <std::size_t... O>
  [[gnu::always_inline]] static inline void leave(state& now, std::byte* const* results, int p,
                                                  std::index_sequence<O...>) {
    (leave_output<O>(now, now.values.of[kernel.out.entry[result.entry[O]].value], results[O], p), ...);
  }
  template <std::size_t O>
  [[gnu::always_inline]] static inline void leave_output(state& now, T value, std::byte* to, int p) {
    constexpr output_of_step out = s.out.entry[O];
    if constexpr (out.carry >= 0) now.of[O] = value;
    if constexpr (out.kind == loop_output::sum) now.of[O] += value;
    if constexpr (out.kind == loop_output::stack) write<O>(value, to + p * out.bytes);
  }
  template <std::size_t... O>
  [[gnu::always_inline]] static inline void end(state const& now, std::byte* const* results,
                                                std::index_sequence<O...>) {
    (end_output<O>(now.of[O], results[O]), ...);
  }
  template <std::size_t O>
  [[gnu::always_inline]] static inline void end_output(T value, std::byte* to) {
    constexpr output_of_step out = s.out.entry[O];
    if constexpr (out.kind == loop_output::sum || (out.kind == loop_output::carry && out.has_result))
      write<O>(value, to);
  }
  template <std::size_t O>
  [[gnu::always_inline]] static inline void write(T value, std::byte* to) {
    T& there = *reinterpret_cast<T*>(to);
    there = added.contains(O) ? there + value : value;
  }
};

/// The code of the loop of `Call`, which is none of points.
template <class Call, vectors Set>
using step_by_step = typename std::conditional_t<is_loop_of_numbers<Call>(), std::type_identity<loop_of_numbers<Call>>,
                                                 std::type_identity<repeat<Call, Set>>>::type;

}  // namespace run
ETCH_NAMESPACE_END

// loop: runs the body of a loop step by step, each step on its own slices, carries handed on by pointer.
#pragma once

#include <etch/machine/body.hpp>

#include <cstddef>
#include <cstring>

ETCH_NAMESPACE_BEGIN
namespace run {

/// One operand of a loop.
struct input_of_step {
  loop_input kind{};
  std::int64_t step = 0;  ///< bytes from one entry of the last axis to the next
  int carry = -1;
};
/// One output of a loop's body.
struct output_of_step {
  loop_output kind{};
  bool has_result = false;
  int carry = -1;
  std::int64_t bytes = 0;   ///< of one step
  std::int64_t spare = -1;  ///< of a carry: offset of its buffers between steps in the scratch memory
  int begins_with = -1;     ///< of a carry that alternates with its operand: that operand
};

/// How a loop runs.
template <int Inputs, int Outputs>
struct loop_signature {
  static constexpr int inputs = Inputs, outputs = Outputs;
  int count = 0;
  bool backward = false;
  int gate = -1;
  element gate_type{};
  fixed<input_of_step, Inputs> in{};
  fixed<output_of_step, Outputs> out{};
  fixed<int, Outputs> carry_output{};  ///< by carry
};

template <int Inputs, int Outputs>
constexpr loop_signature<Inputs, Outputs> loop_signature_of(pass::scheduled_kernel const& k, std::int64_t body_bytes) {
  loop_signature<Inputs, Outputs> s{k.count, k.backward, k.gate};
  if (k.gate >= 0) s.gate_type = k.inputs[static_cast<std::size_t>(k.gate)].type;
  int carries = 0;
  fixed<int, Inputs> operand{};  // by carry, -1 where it stays as it is
  for (std::size_t i = 0; i < Inputs; ++i) {
    pass::placed const& p = k.inputs[i];
    s.in[i].kind = static_cast<loop_input>(p.role);
    s.in[i].step = p.extent.size() / k.count * bytes_of(p.type);
    if (s.in[i].kind != loop_input::carry) continue;
    operand[static_cast<std::size_t>(carries)] = p.bits != 0 ? static_cast<int>(i) : -1;
    s.in[i].carry = carries++;
  }
  std::int64_t spare = pass::padded(body_bytes);
  for (std::size_t i = 0; i < Outputs; ++i) {
    pass::placed const& p = k.results[i];
    std::int64_t const bytes = p.extent.size() * bytes_of(p.type);
    s.out[i] = {static_cast<loop_output>(p.role),
                p.reduces,
                p.value,
                bytes,
                spare,
                p.value >= 0 ? operand[static_cast<std::size_t>(p.value)] : -1};
    spare += pass::spare_buffers(s.out[i].kind, p.reduces, s.out[i].begins_with >= 0, k.count) * pass::padded(bytes);
    if (p.value >= 0) s.carry_output[static_cast<std::size_t>(p.value)] = static_cast<int>(i);
  }
  return s;
}

/// The outputs of a step that are added to what is there: sums after the first step, and whatever is to
/// be added to what was there before.
template <int Inputs, int Outputs, int N>
constexpr output_set<Outputs> accumulated_in_step(loop_signature<Inputs, Outputs> const& s, bool first,
                                                  accumulation<N> const& results) {
  output_set<Outputs> outputs;
  for (int i = 0; i < Outputs; ++i)
    if ((!first && s.out.entry[i].kind == loop_output::sum) || (N > 0 && results.entry[i])) outputs.insert(i);
  return outputs;
}

/// The storage that a loop is given: buffers outside, and the body's workspace with the spare buffers behind it.
struct loop_storage {
  std::byte const* const* operands;
  std::byte* const* results;
  std::byte* scratch;
};
/// A step of a loop of `count`: the `nth` one, at `position`, behind the one at `before`.
struct loop_step {
  int count, nth, position, before;
};

// The pieces of a loop are functions of their own few template arguments, as those of a body are.

/// The place where output `o` is written in the step at position `at`, the `nth`.
template <output_of_step Out>
inline std::byte* written_at(loop_storage const& in, int o, int count, int nth, int at) {
  if constexpr (Out.kind == loop_output::stack) return in.results[o] + at * Out.bytes;
  else if constexpr (Out.kind == loop_output::sum) return in.results[o];
  else {
    if (Out.has_result && (count - 1 - nth) % 2 == 0) return in.results[o];
    if constexpr (Out.begins_with >= 0)
      if (nth % 2 == 1) return const_cast<std::byte*>(in.operands[Out.begins_with]);  // memory of the workspace
    return in.scratch + Out.spare + (!Out.has_result && nth % 2 == 1 ? pass::padded(Out.bytes) : 0);
  }
}
/// The place where operand `i` of a step is read; a carry is output `carry_output` of the step before.
template <input_of_step In, output_of_step CarryOutput>
inline std::byte const* read_at(loop_storage const& from, int i, int carry_output, loop_step const& step) {
  std::byte const* const operand = from.operands[i];
  int const p = step.position;
  if constexpr (In.kind == loop_input::slice) return operand + p * In.step;
  else if constexpr (In.kind == loop_input::before) return p == 0 ? from.operands[i + 1] : operand + (p - 1) * In.step;
  else if constexpr (In.kind == loop_input::after)
    return p == step.count - 1 ? from.operands[i + 1] : operand + (p + 1) * In.step;
  else if constexpr (In.kind == loop_input::carry)
    return step.nth == 0 ? operand : written_at<CarryOutput>(from, carry_output, step.count, step.nth - 1, step.before);
  else return operand;
}
/// The output that hands on what operand `i` of loop `s` is; that of no carry is any.
constexpr int carry_output_of(auto const& s, int i) {
  return s.in.entry[i].carry < 0 ? 0 : s.carry_output.entry[s.in.entry[i].carry];
}

/// Leaves in output `O` of a step that does not run a carry as the step read it, else nothing. `IsAdded` says that
/// outputs are added to what their storage holds.
template <int O, bool IsAdded, class Call>
inline void pass_on(std::byte const* const* arguments, std::byte* to, bool is_first) {
  static constexpr auto const& s = Call::signature;
  constexpr output_of_step out = s.out.entry[O];
  if constexpr (out.carry >= 0) {
    constexpr int from = [] {
      for (int i = 0; i < s.inputs; ++i)
        if (s.in.entry[i].carry == out.carry) return i;
      return -1;
    }();
    if (to != arguments[from]) std::memmove(to, arguments[from], static_cast<std::size_t>(out.bytes));
  } else if constexpr (!IsAdded) {
    if (out.kind == loop_output::stack || is_first) std::memset(to, 0, static_cast<std::size_t>(out.bytes));
  }
}

/// Runs the loop of `Call::signature`, each step the executable `Call::body`. `operands` and `results` are the buffers
/// outside, `scratch` is the body's workspace and behind it the spare buffers. Results that `Call::accumulated` names
/// are added to what their storage holds.
template <class Call>
[[gnu::noinline]] status repeat(std::byte const* const* operands, std::byte* const* results, std::byte* scratch) {
  static constexpr auto const& s = Call::signature;
  static constexpr auto in_first = accumulated_in_step(s, true, Call::accumulated),
                        in_others = accumulated_in_step(s, false, Call::accumulated);
  loop_storage const storage{operands, results, scratch};
  std::byte const* arguments[s.inputs == 0 ? 1 : s.inputs];
  std::byte* outputs[s.outputs];
  status outcome = status::ok;
  for (int n = 0; n < s.count; ++n) {
    int const p = s.backward ? s.count - 1 - n : n, before = s.backward ? p + 1 : p - 1;
    loop_step const step{s.count, n, p, before};
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((arguments[I] =
            read_at<s.in.entry[I], s.out.entry[carry_output_of(s, I)]>(storage, I, carry_output_of(s, I), step)),
       ...);
    }(std::make_integer_sequence<int, s.inputs>{});
    [&]<int... O>(std::integer_sequence<int, O...>) {
      ((outputs[O] = written_at<s.out.entry[O]>(storage, O, s.count, n, p)), ...);
    }(std::make_integer_sequence<int, s.outputs>{});
    if constexpr (s.gate >= 0)
      if (*reinterpret_cast<scalar_of<s.gate_type> const*>(arguments[s.gate]) == 0) {
        [&]<int... O>(std::integer_sequence<int, O...>) {
          (pass_on<O, in_first.contains(O), Call>(arguments, outputs[O], n == 0), ...);
        }(std::make_integer_sequence<int, s.outputs>{});
        continue;
      }
    outcome |= n == 0 ? Call::body::template run<in_first>(arguments, outputs, scratch)
                      : Call::body::template run<in_others>(arguments, outputs, scratch);
  }
  return outcome;
}

}  // namespace run
ETCH_NAMESPACE_END

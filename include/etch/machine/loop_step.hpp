// loop_step: how a loop runs, and where each of its steps reads and writes.
#pragma once

#include <etch/machine/body.hpp>

#include <cstddef>

ETCH_NAMESPACE_BEGIN
namespace run {

/// One operand of a loop.
struct input_of_step {
  loop_input kind{};
  std::int64_t step = 0;  ///< bytes from one entry of the last axis to the next
  int carry = -1;
  int sampled = -1;  ///< which sampled carry it is, or, of its snapshots in the loop that takes them, which output
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
  int own_inputs = 0;                  ///< of the body; behind them come what sampled carries need
  int snapshots = 0;                   ///< of sampled carries, 0 if there are none
  bool runs_again = false;             ///< whether it computes those between the snapshots again
  bool counted = false;  ///< whether `count` is a bound of the number of steps, which stands before the operands
  bool counts = false;   ///< whether operands and a step's arguments have the count of entries before them
  std::int64_t spare_again = 0;  ///< where it leaves those: offset of two buffers each in the scratch memory

  /// The first input for sampled carry `q` from input `from` on.
  constexpr int input_of(int q, int from) const {
    while (in.entry[from].sampled != q) ++from;
    return from;
  }
  /// The number of sampled carries.
  constexpr int sampled() const {
    int found = 0;
    for (int i = 0; runs_again && i < own_inputs; ++i) found += in.entry[i].sampled >= 0;
    return found;
  }
};

template <int Inputs, int Outputs>
constexpr loop_signature<Inputs, Outputs> loop_signature_of(pass::scheduled_kernel const& k, std::int64_t body_bytes) {
  loop_signature<Inputs, Outputs> s{k.count, k.backward, k.gate};
  s.own_inputs = k.own_inputs;
  s.snapshots = k.snapshots;
  s.runs_again = !k.again.empty();
  s.counts = k.space.counted != 0;
  s.counted = k.space.counted == 1;
  if (k.gate >= 0) s.gate_type = k.inputs[static_cast<std::size_t>(k.gate)].type;
  int carries = 0;
  fixed<int, Inputs> operand{};  // by carry, -1 where it stays as it is
  for (std::size_t i = 0; i < Inputs; ++i) {
    pass::placed const& p = k.inputs[i];
    s.in[i].kind = static_cast<loop_input>(p.role);
    s.in[i].step = (p.step[0] != 0 ? p.step[0] : p.extent.size() / k.count) * bytes_of(p.type);
    s.in[i].sampled = k.snapshots > 0 ? p.value - 1 : -1;
    if (s.in[i].kind != loop_input::carry || static_cast<int>(i) >= s.own_inputs) continue;
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
  s.spare_again = spare;
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

}  // namespace run
ETCH_NAMESPACE_END

// loop: runs the body of a loop step by step, each step on its own slices, carries handed on by pointer.
#pragma once

#include <etch/base/revolve.hpp>
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
  std::int64_t spare_again = 0;        ///< where it leaves those: offset of two buffers each in the scratch memory

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
  if (k.gate >= 0) s.gate_type = k.inputs[static_cast<std::size_t>(k.gate)].type;
  int carries = 0;
  fixed<int, Inputs> operand{};  // by carry, -1 where it stays as it is
  for (std::size_t i = 0; i < Inputs; ++i) {
    pass::placed const& p = k.inputs[i];
    s.in[i].kind = static_cast<loop_input>(p.role);
    s.in[i].step = p.extent.size() / k.count * bytes_of(p.type);
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

/// Takes the snapshots of the sampled carries of the loop of `Call::signature` while it runs, if it has any.
template <class Call>
class snapshots {
 public:
  static constexpr auto const& s = Call::signature;

  /// Copies what step `n` has left in `outputs`, if it is to be kept.
  void after(int n, loop_storage const& in, std::byte* const* outputs) {
    if (n + 1 != next_.next) return;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (copy<s.own_inputs + I>(in, outputs), ...);
    }(std::make_integer_sequence<int, s.inputs - s.own_inputs>{});
    next_.take();
  }

 private:
  etch::detail::first_snapshots next_{s.count, s.snapshots};

  template <int I>
  void copy(loop_storage const& in, std::byte* const* outputs) const {
    constexpr input_of_step stack = s.in.entry[I];
    auto* const to = const_cast<std::byte*>(in.operands[I]) + next_.taken * stack.step;  // memory of the workspace
    std::memcpy(to, outputs[stack.sampled], static_cast<std::size_t>(stack.step));
  }
};

/// The sampled carries that the steps of the loop of `Call::signature` on its way back begin with: snapshots, and what
/// the executable `Call::again` makes of the nearest one. Snapshots that are done with make room for others.
template <class Call>
class carries_again {
 public:
  static constexpr auto const& s = Call::signature;

  explicit carries_again(loop_storage const& in) : in_(in) {
    for (etch::detail::first_snapshots first(s.count, s.snapshots); first.next >= 0; first.take())
      position_[++taken_] = first.next;
  }

  /// Finds the carries that step `p` begins with, for each step once and from the last one on.
  status find(int p) {
    status outcome = status::ok;
    for (;;) {
      int const from = position_[taken_], left = s.snapshots - taken_;
      each([&](auto q) {
        constexpr int begin = s.input_of(q, s.own_inputs);
        now_[q] = taken_ == 0 ? in_.operands[begin] : snapshot<q>(taken_);
      });
      if (from == p) {
        if (taken_ > 0) --taken_;
        return outcome;
      }
      bool const keeps = left > 0;
      int const to = keeps ? from + etch::detail::steps_to_snapshot(p - from + 1, left + 1) : p;
      for (int n = from; n < to; ++n) outcome |= step(n, keeps && n + 1 == to);
      if (!keeps) return outcome;
      position_[++taken_] = to;
    }
  }
  /// Sampled carry `q`.
  std::byte const* now(int q) const { return now_[q]; }

 private:
  static constexpr int count = s.sampled();

  loop_storage const& in_;
  int position_[s.snapshots + 1] = {};  // of the beginning and the snapshots, which each step needs less of
  int taken_ = 0;
  std::byte const* now_[count];

  static void each(auto f) {
    [&]<int... Q>(std::integer_sequence<int, Q...>) {
      (f(std::integral_constant<int, Q>{}), ...);
    }(std::make_integer_sequence<int, count>{});
  }
  static constexpr std::int64_t bytes_of(int q) { return s.in.entry[s.input_of(q, 0)].step; }
  static constexpr std::int64_t spare_of(int q) {
    std::int64_t at = s.spare_again;
    for (int before = 0; before < q; ++before) at += 2 * pass::padded(bytes_of(before));
    return at;
  }
  template <int Q>
  std::byte* snapshot(int number) const {
    constexpr int stack = s.input_of(Q, 0);
    return const_cast<std::byte*>(in_.operands[stack]) +
           (number - 1) * s.in.entry[stack].step;  // memory of the workspace
  }

  /// Runs step `n` again. What it leaves is the next snapshot, or waits for the step after it.
  status step(int n, bool is_snapshot) {
    std::byte const* arguments[s.inputs - s.own_inputs];
    std::byte* outputs[count];
    loop_step const at{s.count, n, n, n - 1};
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((arguments[I] = argument<s.own_inputs + I>(at)), ...);
    }(std::make_integer_sequence<int, s.inputs - s.own_inputs>{});
    each([&](auto q) {
      constexpr std::int64_t spare = spare_of(q), other = pass::padded(bytes_of(q));
      outputs[q] = is_snapshot ? snapshot<q>(taken_ + 1) : in_.scratch + spare + (n % 2 == 0 ? 0 : other);
    });
    each([&](auto q) { now_[q] = outputs[q]; });
    return Call::again::template run<output_set<count>{}>(arguments, outputs, in_.scratch);
  }
  template <int I>
  std::byte const* argument(loop_step const& at) const {
    constexpr input_of_step input = s.in.entry[I];
    if constexpr (input.sampled >= 0) return now_[input.sampled];
    else return read_at<input, output_of_step{}>(in_, I, 0, at);
  }
};

/// Runs the loop of `Call::signature`, each step the executable `Call::body`. `operands` and `results` are the buffers
/// outside, `scratch` is the body's workspace and behind it the spare buffers. Results that `Call::accumulated` names
/// are added to what their storage holds.
template <class Call>
[[gnu::noinline]] status repeat(std::byte const* const* operands, std::byte* const* results, std::byte* scratch) {
  static constexpr auto const& s = Call::signature;
  static constexpr auto in_first = accumulated_in_step(s, true, Call::accumulated),
                        in_others = accumulated_in_step(s, false, Call::accumulated);
  static constexpr bool takes_snapshots = s.snapshots > 0 && !s.runs_again;
  struct nothing {
    explicit nothing(loop_storage const&) {}
  };
  loop_storage const storage{operands, results, scratch};
  std::byte const* arguments[s.own_inputs == 0 ? 1 : s.own_inputs];
  std::byte* outputs[s.outputs];
  status outcome = status::ok;
  [[maybe_unused]] std::conditional_t<takes_snapshots, snapshots<Call>, int> kept{};
  [[maybe_unused]] std::conditional_t<s.runs_again, carries_again<Call>, nothing> again(storage);
  for (int n = 0; n < s.count; ++n) {
    int const p = s.backward ? s.count - 1 - n : n, before = s.backward ? p + 1 : p - 1;
    loop_step const step{s.count, n, p, before};
    if constexpr (s.runs_again) outcome |= again.find(p);
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((arguments[I] =
            read_at<s.in.entry[I], s.out.entry[carry_output_of(s, I)]>(storage, I, carry_output_of(s, I), step)),
       ...);
      if constexpr (s.runs_again)
        ((s.in.entry[I].sampled >= 0 && p > 0 ? void(arguments[I] = again.now(s.in.entry[I].sampled)) : void()), ...);
    }(std::make_integer_sequence<int, s.own_inputs>{});
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
    if constexpr (takes_snapshots) kept.after(n, storage, outputs);
  }
  return outcome;
}

}  // namespace run
ETCH_NAMESPACE_END

// repeat: runs the body of a loop step by step, each step on its own slices, carries handed on by pointer.
#pragma once

#include <etch/run/body.hpp>

#include <cstddef>

namespace etch::inline ETCH_ABI::run {

/// One operand of a loop.
struct repeated_input {
  feed kind{};
  std::int64_t step = 0;  ///< bytes from one entry of the last axis to the next
  int carry = -1;
};
/// One output of a loop's body.
struct repeated_output {
  yield kind{};
  bool has_result = false;
  int carry = -1;
  std::int64_t bytes = 0;   ///< of one step
  std::int64_t spare = -1;  ///< of a carry: offset of its buffers between steps in the scratch memory
  int begins_with = -1;     ///< of a carry that alternates with its operand: that operand
};

/// How a loop runs.
template <int Inputs, int Outputs>
struct repeat_signature {
  static constexpr int inputs = Inputs, outputs = Outputs;
  int count = 0;
  bool backward = false;
  fixed<repeated_input, Inputs> in{};
  fixed<repeated_output, Outputs> out{};
  fixed<int, Outputs> carry_output{};  ///< by carry
};

template <int Inputs, int Outputs>
constexpr repeat_signature<Inputs, Outputs> repeat_signature_of(pass::scheduled_kernel const& k, std::int64_t body_bytes) {
  repeat_signature<Inputs, Outputs> s{k.count, k.backward};
  int carries = 0;
  fixed<int, Inputs> operand{};  // by carry, -1 where it stays as it is
  for (std::size_t i = 0; i < Inputs; ++i) {
    pass::placed const& p = k.inputs[i];
    s.in[i].kind = static_cast<feed>(p.role);
    s.in[i].step = p.extent.size() / k.count * bytes_of(p.type);
    if (s.in[i].kind != feed::carry) continue;
    operand[static_cast<std::size_t>(carries)] = p.bits != 0 ? static_cast<int>(i) : -1;
    s.in[i].carry = carries++;
  }
  std::int64_t spare = pass::padded(body_bytes);
  for (std::size_t i = 0; i < Outputs; ++i) {
    pass::placed const& p = k.results[i];
    std::int64_t const bytes = p.extent.size() * bytes_of(p.type);
    s.out[i] = {
        static_cast<yield>(p.role), p.reduces, p.value, bytes, spare, p.value >= 0 ? operand[static_cast<std::size_t>(p.value)] : -1};
    spare += pass::spare_buffers(s.out[i].kind, p.reduces, s.out[i].begins_with >= 0, k.count) * pass::padded(bytes);
    if (p.value >= 0) s.carry_output[static_cast<std::size_t>(p.value)] = static_cast<int>(i);
  }
  return s;
}

/// The outputs of a step that are added to what is there: sums after the first step, and whatever is to be added to what was there before.
template <auto S, bool First, int N>
consteval accumulation<S.outputs> accumulated_in_step(accumulation<N> const& results) {
  accumulation<S.outputs> outputs;
  for (std::size_t i = 0; i < S.outputs; ++i) outputs[i] = (!First && S.out[i].kind == yield::sum) || (N > 0 && results[i]);
  return outputs;
}

/// Runs the loop `S`, each step `Body` (an executable). `operands` and `results` are the buffers outside, `scratch` is the body's workspace
/// and behind it the spare buffers. Results that `Accumulated` names are added to what their storage holds.
template <auto S, class Body, auto Accumulated>
[[gnu::noinline]] status repeat(std::byte const* const* operands, std::byte* const* results, std::byte* scratch) {
  static constexpr auto s = S;
  std::byte const* arguments[s.inputs == 0 ? 1 : s.inputs];
  std::byte* outputs[s.outputs];
  status outcome = status::ok;
  for (int n = 0; n < s.count; ++n) {
    int const p = s.backward ? s.count - 1 - n : n, before = s.backward ? p + 1 : p - 1;
    // Where output `o` is written in the step at position `at`, the `nth`.
    auto const target = [&](auto o, int nth, int at) -> std::byte* {
      constexpr repeated_output out = s.out[o];
      if constexpr (out.kind == yield::stack) return results[o] + at * out.bytes;
      else if constexpr (out.kind == yield::sum) return results[o];
      else {
        if (out.has_result && (s.count - 1 - nth) % 2 == 0) return results[o];
        if constexpr (out.begins_with >= 0)
          if (nth % 2 == 1) return const_cast<std::byte*>(operands[out.begins_with]);  // memory of the workspace
        return scratch + out.spare + (!out.has_result && nth % 2 == 1 ? pass::padded(out.bytes) : 0);
      }
    };
    unrolled<s.inputs>([&](auto i) {
      constexpr repeated_input in = s.in[i];
      std::byte const* const operand = operands[i];
      if constexpr (in.kind == feed::slice) arguments[i] = operand + p * in.step;
      else if constexpr (in.kind == feed::before) arguments[i] = p == 0 ? operands[i + 1] : operand + (p - 1) * in.step;
      else if constexpr (in.kind == feed::after) arguments[i] = p == s.count - 1 ? operands[i + 1] : operand + (p + 1) * in.step;
      else if constexpr (in.kind == feed::carry)
        arguments[i] = n == 0 ? operand : target(std::integral_constant<int, s.carry_output[in.carry]>{}, n - 1, before);
      else arguments[i] = operand;
    });
    unrolled<s.outputs>([&](auto o) { outputs[o] = target(o, n, p); });
    outcome |= n == 0 ? Body::template run<accumulated_in_step<S, true>(Accumulated)>(arguments, outputs, scratch)
                      : Body::template run<accumulated_in_step<S, false>(Accumulated)>(arguments, outputs, scratch);
  }
  return outcome;
}

}  // namespace etch::inline ETCH_ABI::run

// loop: runs the body of a loop step by step, each step on its own slices, carries handed on by pointer.
#pragma once

#include <etch/machine/carries_again.hpp>
#include <etch/machine/dispatch.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace run {

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

/// Leaves 0 in the sums of a loop without steps, unless they are added to what their storage holds.
template <class Call>
void start_sums(std::byte* const* results) {
  static constexpr auto const& s = Call::signature;
  static constexpr auto added = accumulated_in_step(s, true, Call::accumulated);
  for (int o = 0; o < s.outputs; ++o)
    if (s.out.entry[o].kind == loop_output::sum && !added.contains(o))
      std::memset(results[o], 0, static_cast<std::size_t>(s.out.entry[o].bytes));
}

/// Whether a gate is 0, in all lanes if there are several.
template <element Type, vectors Set>
inline bool is_shut(std::byte const* gate) {
  auto const* const lane = reinterpret_cast<scalar_of<Type> const*>(gate);
  for (int i = 0; i < points_at_a_time(Type, vectors_around<Set>); ++i)
    if (lane[i] != 0) return false;
  return true;
}

/// Whether a loop may go on with its last step at the first that does not run: its gate is a carry and stays 0, and
/// steps leave nothing but carries.
constexpr bool ends_when_shut(auto const& s) {
  if (s.gate < 0 || s.in.entry[s.gate].kind != loop_input::carry || s.snapshots > 0) return false;
  for (int o = 0; o < s.outputs; ++o)
    if (s.out.entry[o].kind != loop_output::carry) return false;
  return true;
}

/// Runs the loop of `Call::signature`, each step the executable `Call::body`. `operands` and `results` are the buffers
/// outside, `scratch` is the body's workspace and behind it the spare buffers. Results that `Call::accumulated` names
/// are added to what their storage holds.
template <class Call, vectors Set>
struct repeat {
  ETCH_DETAIL_INLINED static status run(std::byte const* const* operands, std::byte* const* results,
                                        std::byte* scratch) {
    static constexpr auto const& s = Call::signature;
    static constexpr auto in_first = accumulated_in_step(s, true, Call::accumulated),
                          in_others = accumulated_in_step(s, false, Call::accumulated);
    static constexpr bool takes_snapshots = s.snapshots > 0 && !s.runs_again;
    struct nothing {
      explicit nothing(loop_storage const&) {}
    };
    loop_storage const storage{operands, results, scratch};
    std::byte const* all[1 + s.own_inputs];
    std::byte const** const arguments = all + 1;
    if constexpr (s.counts) arguments[-1] = operands[-1];
    std::byte* outputs[s.outputs];
    status outcome = status::ok;
    [[maybe_unused]] std::conditional_t<takes_snapshots, snapshots<Call>, int> kept{};
    [[maybe_unused]] std::conditional_t<s.runs_again, carries_again<Call, Set>, nothing> again(storage);
    int all_steps = s.count;
    if constexpr (s.counted) {
      all_steps = *reinterpret_cast<int const*>(operands[-1]);
      if (all_steps == 0) start_sums<Call>(results);
    }
    for (int n = 0; n < all_steps; ++n) {
      int const p = s.backward ? all_steps - 1 - n : n, before = s.backward ? p + 1 : p - 1;
      loop_step const step{all_steps, n, p, before};
      if constexpr (s.runs_again) outcome |= again.find(p);
      [&]<int... I>(std::integer_sequence<int, I...>) {
        ((arguments[I] =
              read_at<s.in.entry[I], s.out.entry[carry_output_of(s, I)]>(storage, I, carry_output_of(s, I), step)),
         ...);
        if constexpr (s.runs_again)
          ((s.in.entry[I].sampled >= 0 && p > 0 ? void(arguments[I] = again.now(s.in.entry[I].sampled)) : void()), ...);
      }(std::make_integer_sequence<int, s.own_inputs>{});
      if constexpr (ends_when_shut(s))
        if (is_shut<s.gate_type, Set>(arguments[s.gate])) n = all_steps - 1;
      [&]<int... O>(std::integer_sequence<int, O...>) {
        ((outputs[O] = written_at<s.out.entry[O]>(storage, O, all_steps, n, p)), ...);
      }(std::make_integer_sequence<int, s.outputs>{});
      if constexpr (s.gate >= 0)
        if (is_shut<s.gate_type, Set>(arguments[s.gate])) {
          [&]<int... O>(std::integer_sequence<int, O...>) {
            (pass_on<O, in_first.contains(O), Call>(arguments, outputs[O], n == 0), ...);
          }(std::make_integer_sequence<int, s.outputs>{});
          continue;
        }
      outcome |= n == 0 ? run_body<typename Call::body, in_first, Set>(arguments, outputs, scratch)
                        : run_body<typename Call::body, in_others, Set>(arguments, outputs, scratch);
      if constexpr (takes_snapshots) kept.after(n, storage, outputs);
    }
    return outcome;
  }
};

}  // namespace run
ETCH_NAMESPACE_END

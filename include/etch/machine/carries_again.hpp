// carries_again: the snapshots that a loop takes of its carries, and the carries between them, which the loop that goes
// back computes again. The schedule is that of Revolve (base/revolve.hpp).
#pragma once

#include <etch/base/revolve.hpp>
#include <etch/machine/dispatch.hpp>
#include <etch/machine/loop_step.hpp>

#include <cstddef>
#include <cstring>

ETCH_NAMESPACE_BEGIN
namespace run {

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
template <class Call, vectors Set>
class carries_again {
 public:
  static constexpr auto const& s = Call::signature;

  explicit carries_again(loop_storage const& in)
      : in_(in), position_(reinterpret_cast<int*>(in.scratch + spare_of(count))) {
    position_[0] = 0;
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
  int* position_;  // of the beginning and of the snapshots that are taken
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
    std::byte const* all[1 + s.inputs - s.own_inputs];
    std::byte const** const arguments = all + 1;
    if constexpr (s.counts) arguments[-1] = in_.operands[-1];
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
    return run_body<typename Call::again, output_set<count>{}, Set>(arguments, outputs, in_.scratch);
  }
  template <int I>
  std::byte const* argument(loop_step const& at) const {
    constexpr input_of_step input = s.in.entry[I];
    if constexpr (input.sampled >= 0) return now_[input.sampled];
    else return read_at<input, output_of_step{}>(in_, I, 0, at);
  }
};

}  // namespace run
ETCH_NAMESPACE_END

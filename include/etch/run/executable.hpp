// executable: the straight-line function of a program: one kernel call after the other, every pointer a constant offset.
#pragma once

#include <etch/core/packed_graph.hpp>
#include <etch/run/call.hpp>

namespace etch::inline ETCH_ABI::run {

template <auto Packed>
struct executable;

/// The workspace of the body of every loop of `Program`.
template <class Program>
consteval auto workspaces_of_loops() {
  return [&]<int... Loop>(std::integer_sequence<int, Loop...>) {
    return fixed<std::int64_t, sizeof...(Loop)>{{executable<pass::packed_body<Program, Loop>()>::plan.bytes...}};
  }
  (std::make_integer_sequence<int, pass::detail::loop_count<Program>>{});
}

/// The program of the pruned graph in `Packed`: its content is its identity, so equal programs are one type and one symbol.
template <auto Packed>
struct executable {
  static constexpr auto graph = unpack<Packed>();
  static constexpr auto assembled = freeze([] { return pass::assemble(executable::graph); });
  static constexpr auto materialised = freeze([] { return pass::materialise(executable::assembled); });
  static constexpr auto values = pass::make_values<executable>();
  static constexpr auto groups = pass::make_grouping<executable>();
  static constexpr auto loop_bytes = workspaces_of_loops<executable>();
  static constexpr auto plan = pass::make_plan<executable>();
  static constexpr auto schedule = pass::make_schedule<executable>();

  /// Computes all outputs. `arguments` are the leaves, `outputs` the value and then the gradients; outputs at positions from `From` to
  /// before `To` are added to what their storage holds. `workspace` has `plan.bytes` bytes at a multiple of 64. Returns whether every op
  /// succeeded.
  template <int From, int To>
  static status run(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace) {
    status outcome = status::ok;
    in_chunks<From, To>({arguments, outputs, workspace, &outcome},
                        std::make_integer_sequence<int, (schedule.kernel_count + chunk - 1) / chunk>{});
    return outcome;
  }
  /// The same, with all gradients added or none.
  template <bool Accumulate>
  static status run(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace) {
    return run<1, Accumulate ? std::numeric_limits<int>::max() : 1>(arguments, outputs, workspace);
  }

 private:
  static constexpr int chunk = 64;  // clang folds at most 256 operands at once

  template <int From, int To, int... C>
  static void in_chunks(buffers const& where, std::integer_sequence<int, C...>) {
    (calls<From, To, C * chunk>(where, std::make_integer_sequence<int, std::min(chunk, schedule.kernel_count - C * chunk)>{}), ...);
  }
  template <int From, int To, int First, int... K>
  static void calls(buffers const& where, std::integer_sequence<int, K...>) {
    (call<words_of<executable, First + K>(), accumulation_of<First + K>({From, To})>::run(where), ...);
  }
  /// `a` where kernel `K` writes to such an output, else nothing: so that equal kernels are one call.
  template <int K>
  static consteval accumulation accumulation_of(accumulation a) {
    return a.first < a.last && schedule.last_output.entry[K] >= a.first ? a : accumulation{};
  }
};

}  // namespace etch::inline ETCH_ABI::run

// executable: the straight-line function of a program: one kernel call after the other, every pointer a constant offset.
#pragma once

#include <etch/core/packed_graph.hpp>
#include <etch/run/call.hpp>

namespace etch::inline ETCH_ABI::run {

/// The program of the pruned graph in `Packed`: its content is its identity, so equal programs are one type and one symbol.
template <auto Packed>
struct executable {
  static constexpr auto graph = unpack<Packed>();
  static constexpr auto assembled = freeze([] { return pass::assemble(executable::graph); });
  static constexpr auto materialised = freeze([] { return pass::materialise(executable::assembled); });
  static constexpr auto values = pass::make_values<executable>();
  static constexpr auto groups = pass::make_grouping<executable>();
  static constexpr auto plan = pass::make_plan<executable>();
  static constexpr auto schedule = pass::make_schedule<executable>();

  /// Computes all outputs. `arguments` are the leaves, `outputs` the value and then the gradients; with `Accumulate` the gradients are
  /// added to what their storage holds. `workspace` has `plan.bytes` bytes at a multiple of 64. Returns whether every op succeeded.
  template <bool Accumulate>
  static status run(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace) {
    status outcome = status::ok;
    in_chunks<Accumulate>({arguments, outputs, workspace, &outcome},
                          std::make_integer_sequence<int, (schedule.kernel_count + chunk - 1) / chunk>{});
    return outcome;
  }

 private:
  static constexpr int chunk = 64;  // clang folds at most 256 operands at once

  template <bool Accumulate, int... C>
  static void in_chunks(buffers const& where, std::integer_sequence<int, C...>) {
    (calls<Accumulate, C * chunk>(where, std::make_integer_sequence<int, std::min(chunk, schedule.kernel_count - C * chunk)>{}), ...);
  }
  template <bool Accumulate, int First, int... K>
  static void calls(buffers const& where, std::integer_sequence<int, K...>) {
    (call < words_of<executable, First + K>(), Accumulate && schedule.accumulates.entry[First + K] > ::run(where), ...);
  }
};

}  // namespace etch::inline ETCH_ABI::run

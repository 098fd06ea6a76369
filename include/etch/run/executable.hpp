// executable: the straight-line function of a program: one kernel call after the other, every pointer a constant offset.
#pragma once

#include <etch/core/packed_graph.hpp>
#include <etch/pass/loop_bodies.hpp>
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
  static constexpr auto loop_bytes = workspaces_of_loops<executable>();
  static constexpr auto values = pass::make_values<executable>();
  static constexpr auto groups = pass::make_grouping<executable>();
  static constexpr auto plan = pass::make_plan<executable>();
  static constexpr auto schedule = pass::make_schedule<executable>();

  static constexpr int output_count = static_cast<int>(graph.outputs.size());

  /// Computes all outputs. `arguments` are the leaves, `outputs` the value and then the gradients; those that `Accumulated` names are added
  /// to what their storage holds. `workspace` has `plan.bytes` bytes at a multiple of 64. Returns whether every op succeeded.
  template <accumulation<output_count> Accumulated>
  static status run(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace) {
    status outcome = status::ok;
    in_chunks<Accumulated>({arguments, outputs, workspace, &outcome},
                           std::make_integer_sequence<int, (schedule.kernel_count + chunk - 1) / chunk>{});
    return outcome;
  }
  /// The same, with all gradients added or none.
  template <bool Accumulate>
  static status run(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace) {
    return run<all_gradients<Accumulate>()>(arguments, outputs, workspace);
  }
  /// The same as a part of the caller, whose compiler then sees what lies where: for few kernels.
  template <bool Accumulate>
  [[gnu::always_inline]] static inline status run_in_line(std::byte const* const* arguments, std::byte* const* outputs,
                                                          std::byte* workspace) {
    status outcome = status::ok;
    in_line<all_gradients<Accumulate>(), 0>({arguments, outputs, workspace, &outcome},
                                            std::make_integer_sequence<int, schedule.kernel_count>{});
    return outcome;
  }

 private:
  static constexpr int chunk = 64;  // clang folds at most 256 operands at once

  template <bool Accumulate>
  static consteval accumulation<output_count> all_gradients() {
    accumulation<output_count> all;
    // The first entry is written too: g++ 12 takes 0 1 1 for the same template argument as 1 1 0 where the 0 in front was never written.
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = Accumulate && i > 0;
    return all;
  }

  template <auto Accumulated, int... C>
  static void in_chunks(buffers const& where, std::integer_sequence<int, C...>) {
    (calls<Accumulated, C * chunk>(where, std::make_integer_sequence<int, std::min(chunk, schedule.kernel_count - C * chunk)>{}), ...);
  }
  template <auto Accumulated, int First, int... K>
  static void calls(buffers const& where, std::integer_sequence<int, K...> kernels) {
    in_line<Accumulated, First>(where, kernels);
  }
  template <auto Accumulated, int First, int... K>
  [[gnu::always_inline]] static inline void in_line(buffers const& where, std::integer_sequence<int, K...>) {
    (call<words_of<executable, First + K>(), accumulated_by<Accumulated, First + K>()>::run(where), ...);
  }

  /// The results of kernel `K` that are added to their storage; empty where there is none, so that equal kernels are one call.
  template <auto Accumulated, int K>
  static consteval auto accumulated_by() {
    if constexpr (!schedule.accumulates.entry[K] || Accumulated == accumulation<output_count>{}) return accumulation<0>{};
    else if constexpr (constexpr auto results = accumulated_results<words_of<executable, K>()>(Accumulated); results == decltype(results){})
      return accumulation<0>{};
    else return results;
  }
};

}  // namespace etch::inline ETCH_ABI::run

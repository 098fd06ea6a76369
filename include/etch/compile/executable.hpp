// executable: the straight-line function of a program: one kernel call after the other,
// every pointer a constant offset.
#pragma once

#include <etch/compile/destination.hpp>
#include <etch/compile/kept_zeros.hpp>
#include <etch/compile/loop_bodies.hpp>
#include <etch/machine/call.hpp>
#include <etch/compile/lowering.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// The memory of the body of loop `Loop` of `Program`, and of the steps that it runs again.
template <class Program, int Loop>
consteval pass::loop_room room_of_loop() {
  using body = executable_of<pass::naming<pass::packed_body<Program, Loop>(), Program::functions>()>;
  if constexpr (pass::runs_steps_again<Program, Loop>) {
    using again = executable_of<pass::naming<pass::packed_body<Program, Loop, true>(), Program::functions>()>;
    return {std::max(body::plan.bytes, again::plan.bytes)};
  } else if constexpr (pass::is_loop_of_points<Program, Loop>) {
    return room_of_points<body>;
  } else {
    return {body::plan.bytes};
  }
}
/// Those of every loop of `Program`.
template <class Program>
consteval auto rooms_of_loops() {
  return [&]<int... Loop>(std::integer_sequence<int, Loop...>) {
    return fixed<pass::loop_room, sizeof...(Loop)>{{room_of_loop<Program, Loop>()...}};
  }(std::make_integer_sequence<int, pass::detail::loop_count<Program>>{});
}

namespace detail {

/// Whether a node of `g` picks entries by indices that are checked in this build.
constexpr bool picks_by_index(graph_view g) {
  bool any = false;
  for (node const& n : g.nodes) any = any || n.op == opcode_of<op::gather> || n.op == opcode_of<op::scatter_add>;
  return any && op::index_axis::checks_indices;
}

/// The gradients of `Outputs` outputs, or none of them; before them come the results.
template <int Outputs, bool Accumulate, int Results>
consteval output_set<Outputs> all_gradients(bool results_keep_zeros = false) {
  output_set<Outputs> all;
  if constexpr (Accumulate)
    for (int i = Results; i < Outputs; ++i) all.insert(i);
  if (results_keep_zeros) all.keeping_zeros = Results;
  return all;
}
/// Whether a kernel of `Program` leaves constant zeros in an output.
template <class Program>
consteval bool writes_any_zeros() {
  bool any = false;
  for (bool each : Program::schedule.writes_zeros) any = any || each;
  return any;
}
/// What becomes of the outputs of `Program`. The results of a `program` keep their zeros: they are its own.
template <class Program, bool Accumulate, int Results, bool AreZeroed>
inline constexpr auto outputs_of =
    all_gradients<Program::output_count, Accumulate, Results>(AreZeroed && writes_any_zeros<Program>());

/// Marks the results of kernel `k` that are in an output that `outputs` names; none at all where no result is,
/// so that equal kernels are one call.
template <int Outputs>
constexpr sequence<bool> accumulated_results(auto const& schedule, int k, output_set<Outputs> const& outputs) {
  sequence<bool> results;
  if (!schedule.accumulates.entry[k]) return results;
  bool any = false;
  for (pass::placed const& r : schedule[k].results) {
    results.push_back(r.accumulates && outputs.contains(r.at.position));
    any = any || results.back();
  }
  if (!any) results.clear();
  return results;
}
// Two functions without anything that needs destruction in their results: clang 16 takes no temporary
// that does in a template argument.
template <int Outputs>
constexpr int accumulated_count(auto const& schedule, int k, output_set<Outputs> const& outputs) {
  return static_cast<int>(accumulated_results(schedule, k, outputs).size());
}
template <int Count, int Outputs>
constexpr accumulation<Count> accumulated_by(auto const& schedule, int k, output_set<Outputs> const& outputs) {
  accumulation<Count> all;
  sequence<bool> const results = accumulated_results(schedule, k, outputs);
  for (int i = 0; i < Count; ++i) all.entry[i] = results.entry[i];
  return all;
}

}  // namespace detail

// Facts of each kernel are given by functions of the schedule, and in functions of the type `Program`: members of
// `executable` are what is made once for the whole program.

/// The call of kernel `K`; `Outputs` says what becomes of outputs.
template <class Program, auto Outputs, int K>
using call_of = call<pass::naming<detail::words_of_call<Program, Outputs, K>(), Program::functions>(),
                     detail::accumulated_by<detail::accumulated_count(Program::schedule, K, Outputs)>(Program::schedule,
                                                                                                      K, Outputs)>;

namespace detail {

template <class Program, auto Accumulated, vectors Set, int First, int... K>
[[gnu::always_inline]] inline void run_in_line(buffers const& where, std::integer_sequence<int, K...>) {
  (call_of<Program, Accumulated, First + K>::template run<Set>(where), ...);
}
/// The kernels of chunk `C` of the first `Kernels`.
template <class Program, int C, int Kernels = Program::schedule.kernel_count>
using kernels_of_chunk = std::make_integer_sequence<int, std::min(Program::chunk, Kernels - C * Program::chunk)>;
/// All chunks of them.
template <class Program, int Kernels = Program::schedule.kernel_count>
using each_chunk = std::make_integer_sequence<int, (Kernels + Program::chunk - 1) / Program::chunk>;

template <class Program, auto Accumulated, int First, int... K>
void run_chunk(buffers const& where, std::integer_sequence<int, K...>) {
  work_on_memory();
  (call_of<Program, Accumulated, First + K>::template run<any_vectors>(where), ...);
}
template <class Program, auto Accumulated, int Kernels, int... C>
void run_in_chunks(buffers const& where, std::integer_sequence<int, C...>) {
  (run_chunk<Program, Accumulated, C * Program::chunk>(where, kernels_of_chunk<Program, C, Kernels>{}), ...);
}
/// Within code that is compiled for `Set`.
template <class Program, auto Accumulated, vectors Set, int Kernels, int... C>
[[gnu::always_inline]] inline void run_chunks_for(buffers const& where, std::integer_sequence<int, C...>) {
  (run_in_line<Program, Accumulated, Set, C * Program::chunk>(where, kernels_of_chunk<Program, C, Kernels>{}), ...);
}
template <class Program, auto Accumulated, vectors Set, int First, int... K>
[[gnu::always_inline]] inline void jam_in_line(buffers const& where, int registers, std::ptrdiff_t apart,
                                               std::integer_sequence<int, K...>) {
  (call_of<Program, Accumulated, First + K>::template jam<Set>(where, registers, apart), ...);
}

/// By output: the last kernel that writes it or reads it; -1 if none does.
template <class Program>
consteval auto last_uses_of_outputs() {
  fixed<int, Program::output_count> last{};
  for (int& each : last.entry) each = -1;
  for (int k = 0; k < Program::schedule.kernel_count; ++k) {
    auto const note = [&](pass::placed const& p) {
      if (p.at.in == pass::location::place::output) last.entry[p.at.position] = k;
    };
    pass::scheduled_kernel const each = Program::schedule[k];
    note(each.a), note(each.b);
    for (pass::placed const& p : each.inputs) note(p);
    for (pass::placed const& p : each.results) note(p);
  }
  return last;
}
template <class Program>
inline constexpr auto last_uses = last_uses_of_outputs<Program>();

/// Tells that the outputs behind `Results` are ready whose last use is kernel `k`.
template <class Program, int Results>
void tell_ready(auto& ready, int k) {
  for (int o = Results; o < Program::output_count; ++o)
    if (last_uses<Program>.entry[o] == k) ready(o - Results);
}
template <class Program, auto Accumulated, int Results, int First, int... K>
void run_chunk_telling(buffers const& where, auto& ready, std::integer_sequence<int, K...>) {
  work_on_memory();
  ((call_of<Program, Accumulated, First + K>::template run<any_vectors>(where),
    tell_ready<Program, Results>(ready, First + K)),
   ...);
}
template <class Program, auto Accumulated, int Results, int... C>
void run_telling(buffers const& where, auto& ready, std::integer_sequence<int, C...>) {
  tell_ready<Program, Results>(ready, -1);
  (run_chunk_telling<Program, Accumulated, Results, C * Program::chunk>(where, ready, kernels_of_chunk<Program, C>{}),
   ...);
}

}  // namespace detail

/// The program of the pruned graph that `Key` stands for.
template <class Key>
struct executable {
  static constexpr auto graph = graph_of<Key>();
  static constexpr auto functions = functions_of(content_of(Key{}));  ///< of the user's, which it calls
  static constexpr auto assembled = freeze<graph>([] { return pass::assemble_with_outer_products(executable::graph); });
  static constexpr auto materialised = freeze<assembled>([] { return pass::materialise(executable::assembled); });
  static constexpr auto rooms = rooms_of_loops<executable>();
  static constexpr auto values = make_values<executable>();
  static constexpr auto groups = make_grouping<executable>();
  static constexpr auto plan = make_plan<executable>();
  static constexpr auto schedule = make_schedule<executable>();

  static constexpr int output_count = static_cast<int>(graph.outputs.size());
  /// Whether an argument may be named in a sentence: whether entries are picked by indices, which are checked.
  static constexpr bool names_leaves = detail::picks_by_index(graph);
  static constexpr int chunk = 64;  // clang folds at most 256 operands at once

  /// Computes all outputs, or runs the first `Kernels` kernels. `arguments` are the leaves, `outputs` the value and
  /// then the gradients; those that `Accumulated` names are added to what their storage holds. `workspace` has
  /// `plan.bytes` bytes at a multiple of 64. Returns whether every op succeeded.
  template <output_set<output_count> Accumulated, int Kernels = schedule.kernel_count>
  static status run(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace,
                    leaf_namer name = nullptr) {
    status outcome = status::ok;
    detail::run_in_chunks<executable, Accumulated, Kernels>({arguments, outputs, workspace, &outcome, name},
                                                            detail::each_chunk<executable, Kernels>{});
    return outcome;
  }
  /// Does so as a part of the caller, which is compiled for `Set`.
  template <output_set<output_count> Accumulated, vectors Set, int Kernels = schedule.kernel_count>
  [[gnu::always_inline]] static inline status run_within(std::byte const* const* arguments, std::byte* const* outputs,
                                                         std::byte* workspace) {
    status outcome = status::ok;
    detail::run_chunks_for<executable, Accumulated, Set, Kernels>({arguments, outputs, workspace, &outcome},
                                                                  detail::each_chunk<executable, Kernels>{});
    return outcome;
  }
  /// Runs the kernels behind the first `Kernels`, products in lanes that are added to outputs, for so many registers of
  /// points. The pointers are those of the first register; what lies in lanes is `apart` bytes from it in the next.
  template <output_set<output_count> Accumulated, vectors Set, int Kernels>
  [[gnu::always_inline]] static inline void jam(std::byte const* const* arguments, std::byte* const* outputs,
                                                std::byte* workspace, int registers, std::ptrdiff_t apart) {
    status outcome = status::ok;
    detail::jam_in_line<executable, Accumulated, Set, Kernels>(
        {arguments, outputs, workspace, &outcome}, registers, apart,
        std::make_integer_sequence<int, schedule.kernel_count - Kernels>{});
  }
  /// Runs with all gradients added or none; so many of the first outputs are results. `ResultsAreZeroed` says that
  /// their memory held zeros before the first call and is written by these calls alone.
  template <bool Accumulate, int Results = 1, bool ResultsAreZeroed = false>
  static status run(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace,
                    leaf_namer name = nullptr) {
    return run<detail::outputs_of<executable, Accumulate, Results, ResultsAreZeroed>>(arguments, outputs, workspace,
                                                                                      name);
  }
  /// Calls `ready(k)` for all gradients, in the order of `run_telling`.
  template <int Results, class Ready>
  static void tell_all([[maybe_unused]] Ready& ready) {
    if constexpr (!std::is_same_v<Ready, etch::detail::nobody>)
      for (int k = -1; k < schedule.kernel_count; ++k) detail::tell_ready<executable, Results>(ready, k);
  }
  /// Runs so and calls `ready(k)` as soon as nothing is left to do with gradient `k`.
  template <bool Accumulate, int Results, bool ResultsAreZeroed = false>
  static status run_telling(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace,
                            leaf_namer name, auto& ready) {
    status outcome = status::ok;
    detail::run_telling<executable, detail::outputs_of<executable, Accumulate, Results, ResultsAreZeroed>, Results>(
        {arguments, outputs, workspace, &outcome, name}, ready, detail::each_chunk<executable>{});
    return outcome;
  }
  /// Runs as a part of the caller, whose compiler then sees what lies where: for few kernels.
  template <bool Accumulate, int Results = 1, bool ResultsAreZeroed = false>
  [[gnu::always_inline]] static inline status run_in_line(std::byte const* const* arguments, std::byte* const* outputs,
                                                          std::byte* workspace, leaf_namer name = nullptr) {
    work_on_memory();
    status outcome = status::ok;
    detail::run_in_line<executable, detail::outputs_of<executable, Accumulate, Results, ResultsAreZeroed>, any_vectors,
                        0>({arguments, outputs, workspace, &outcome, name},
                           std::make_integer_sequence<int, schedule.kernel_count>{});
    return outcome;
  }
};

}  // namespace run
ETCH_NAMESPACE_END

// loop_bytes: the memory of a program's loops as a function of the number of steps, read off one compiled program.
#pragma once

#include <etch/compile/program.hpp>
#include <etch/transform/scan.hpp>

ETCH_NAMESPACE_BEGIN

/// Bytes that grow evenly with the number of steps.
struct affine_bytes {
  std::int64_t fixed = 0, per_segment = 0;
  int segment = 1;  ///< steps

  constexpr std::int64_t operator()(std::int64_t steps) const { return fixed + steps / segment * per_segment; }
  friend constexpr bool operator==(affine_bytes const&, affine_bytes const&) = default;
};

/// The memory that loops take.
struct loop_bytes {
  affine_bytes kept;  ///< computed values that stay in memory, from the steps forward to the steps backward
  std::int64_t running =
      0;               ///< while one of them runs: the workspace of its body, and carries on their way to the next step
  bool again = false;  ///< whether the values of every step are computed a second time, on the way back
  int snapshots = 0;   ///< the number of carries that are kept where others are computed again; 0: all are

  constexpr std::int64_t operator()(std::int64_t steps) const { return kept(steps) + running; }
  /// How often a step is computed in a call with gradients, on the average: 1 where all is kept, 2 where every step
  /// is computed a second time, and what steps run besides for the carries between snapshots.
  constexpr double runs(int steps) const {
    std::int64_t const more = snapshots > 0 ? detail::steps_run_again(steps, snapshots) : 0;
    return (again ? 2 : 1) + static_cast<double>(more) / steps;
  }
  friend constexpr bool operator==(loop_bytes const&, loop_bytes const&) = default;
};

namespace detail {

template <class Keep>
inline constexpr int steps_in_segment = 1;
template <int K>
inline constexpr int steps_in_segment<keep_every_t<K>> = K;

/// The bytes of the loops of the materialised graph `g`. Those unlike the first are left-over steps, whose number
/// stays.
constexpr loop_bytes bytes_of_loops(graph_view g, const_span<pass::kernel> kernels, int segment) {
  loop_bytes all{{0, 0, segment}, 0};
  sequence<char> taken = sequence<char>::zeros(g.nodes.size()), in_slices = taken;
  int count = 0;
  bool keeps_carries = false;
  for (pass::kernel const& k : kernels) {
    if (k.head.computes != pass::form::loop) continue;
    int const loop = pass::loop_run_by(g, k);
    loop_body const l = loop_at(g, loop);
    if (count == 0) count = l.count, keeps_carries = l.keeps_carries;
    bool const grows = l.count == count && l.keeps_carries == keeps_carries;
    all.running = std::max(all.running, pass::padded(k.head.scratch));
    all.again = all.again || (l.backward && l.keeps_carries);
    sequence<loop_input> kinds = l.in;
    pass::steps_again const again = pass::steps_again_in(g, loop);
    for (pass::input_again const& each : again.in) kinds.push_back(each.kind);
    if (again.of.exists()) all.snapshots = again.of.snapshots;
    for (std::size_t i = 0; i < k.inputs.size(); ++i) {
      taken[static_cast<std::size_t>(k.inputs[i].root)] = 1;
      if (grows && (kinds[i] == loop_input::slice || has_companion(kinds[i])))
        in_slices[static_cast<std::size_t>(k.inputs[i].root)] = 1;
    }
  }
  sequence<char> const saved = pass::residual_buffers(g, kernels);
  for (std::size_t id = 0; id < saved.size(); ++id) {
    if (!saved[id] || !taken[id]) continue;
    node const& n = g.nodes[id];
    std::int64_t const entries = n.extent.size();
    bool const is_sampled = pass::bytes_in_memory(g, static_cast<int>(id)) < entries * bytes_of(n.type);
    if (is_sampled) all.kept.fixed += pass::buffer_bytes(g, static_cast<int>(id));
    else if (in_slices[id] && entries % count == 0) all.kept.per_segment += entries / count * bytes_of(n.type);
    else all.kept.fixed += pass::padded_bytes(n);
  }
  return all;
}

}  // namespace detail

/// The memory of the loops of `Program`, whose keeping policy is `Keep`: exact where the values of a step take
/// whole cache lines, otherwise up to one cache line a value kept. Under `keep_every<K>` the number of steps is to
/// leave the same remainder as in `Program`.
template <class Program, class Keep = keep_all_t>
inline constexpr loop_bytes loop_memory = detail::bytes_of_loops(
    Program::executable::materialised, run::kernels_of<typename Program::executable>(), detail::steps_in_segment<Keep>);

ETCH_NAMESPACE_END

// facts: what the compiler knows of a program before it runs.
#pragma once

#include <etch/lower/residuals.hpp>
#include <etch/rewrite/counted.hpp>
#include <etch/compile/lowering.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// Whether this unit is compiled for speed, as far as macros tell: the levels above -O1 are the same to them.
inline constexpr bool compiler_optimises =
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && !defined(__NO_INLINE__)
    true;
#else
    false;
#endif

}  // namespace detail

/// Constants of a compiled program. What they say of the compiler's options is true of the unit that asks.
struct program_facts {
  int nodes = 0;                     ///< values in the graph of value and gradients
  std::int64_t workspace_bytes = 0;  ///< memory for intermediate values, all of it
  std::int64_t live_lower_bound_bytes =
      0;  ///< the most of it that is in use at once: no plan for these kernels in this order can be smaller
  std::int64_t unplanned_bytes =
      0;          ///< what it would be with every computed value kept, as on a tape, results excepted
  int saved = 0;  ///< values that the forward part leaves in memory and the backward part reads, arguments excepted
  std::int64_t saved_bytes = 0;  ///< their memory
  int allocations = 0;           ///< of heap memory in a call
  std::int64_t flops =
      0;  ///< floating-point operations of a call: 2 m n k a product, one an entry of an element-wise op or reduction
  std::int64_t bound = 0;  ///< how many entries can count, where as many do as a call says; 0 where that is no question
  /// Each entry that counts adds these to `flops`, `saved_bytes` and `unplanned_bytes`, which are those of the bound.
  std::int64_t flops_of_each = 0, saved_bytes_of_each = 0, unplanned_bytes_of_each = 0;
  int point_loops =
      0;  ///< loops over points (`map`, `sum_map`, `jacobian_map`), after those over the same points became one
  int point_loops_in_lanes = 0;   ///< those that take several points at a time, one in each lane of a register
  std::int64_t object_bytes = 0;  ///< `sizeof` of the program: its workspace, results and gradients
  int register_bytes =
      etch::register_bytes;  ///< of the widest vector register that kernels are compiled for; 0 without vectors
  bool optimised =
      detail::compiler_optimises;  ///< compiled with -O1 or more, not for size (-Os) and not without inlining

  /// The operations of a call where `count` entries count, the bytes that it keeps for its backward part, and those of
  /// all that it computes: affine functions of `count`. A loop over what counts whose steps look at all that counts
  /// takes less between; bytes are those of whole lines of the cache. (Workspace is planned for the bound.)
  constexpr std::int64_t flops_at(std::int64_t count) const { return flops - (bound - count) * flops_of_each; }
  constexpr std::int64_t saved_bytes_at(std::int64_t count) const {
    return saved_bytes - (bound - count) * saved_bytes_of_each;
  }
  constexpr std::int64_t unplanned_bytes_at(std::int64_t count) const {
    return unplanned_bytes - (bound - count) * unplanned_bytes_of_each;
  }
};

namespace pass {

/// Bytes, and what each entry that counts adds to them.
struct bytes_by_count {
  std::int64_t all = 0, of_each = 0;
};

/// Memory for every value of `g` that kernels compute, if each had a buffer of its own; every step of a loop has its
/// own, which are more than the loop's results.
constexpr bytes_by_count count_computed_bytes(graph_view g) {
  bytes_by_count bytes;
  for (int id = 0; id < g.size(); ++id) {
    if (facts_of(g[id]).is_loop) {
      loop_body const l = loop_at(g, id);
      bytes_by_count const step = count_computed_bytes(l.body);
      bytes.all += l.count * step.all, bytes.of_each += l.counted ? step.all : l.count * step.of_each;
    } else if (is_computed(g[id]) && !facts_of(g[id]).is_result) {
      bytes.all += padded_bytes(g[id]), bytes.of_each += bytes_of_each(g[id]);
    }
  }
  return bytes;
}

/// The workspace that the materialised graph `g` would need as on a tape: nothing is fused away, computed again or
/// reused. Outputs are not counted, nor are arguments, constants and views.
constexpr bytes_by_count count_unplanned_bytes(graph_view g) {
  bytes_by_count bytes = count_computed_bytes(g);
  for (int output : g.outputs)
    if (is_computed(g[output]) && !facts_of(g[output]).is_result)
      bytes.all -= padded_bytes(g[output]), bytes.of_each -= bytes_of_each(g[output]);
  return bytes;
}

/// A loop of points, and whether several points run at a time, one in each lane of a register.
struct points_as_run {
  int count = 0;  ///< points
  int at_a_time = 1;
  lane_obstacle why = lane_obstacle::none;
  opcode op{};  ///< that stands in the way
};
/// All loops of points in `g`, in bodies of loops too; those within points in lanes are part of these.
constexpr sequence<points_as_run> loops_of_points(graph_view g) {
  sequence<points_as_run> all;
  for (int id = 0; id < g.size(); ++id) {
    if (!facts_of(g[id]).is_loop) continue;
    loop_body const l = loop_at(g, id);
    bool goes_in = !l.points;
    if (l.points) {
      lane_form const form = in_lanes(l);
      all.push_back(
          {l.count, form.fits() ? points_in(form.body[form.body.outputs.entry[0]].type) : 1, form.why, form.op});
      goes_in = !form.fits();
    }
    if (!goes_in) continue;
    for (points_as_run const& each : loops_of_points(l.body)) all.push_back(each);
  }
  return all;
}

namespace detail {
template <class Program>
inline constexpr residuals saved = residuals_of(Program::materialised, run::kernels_of<Program>());
}

/// The facts of an executable, of which programs are objects of so many bytes.
template <class Program>
consteval program_facts facts_of_program(std::size_t object_bytes) {
  program_facts f;
  f.object_bytes = static_cast<std::int64_t>(object_bytes);
  f.nodes = Program::graph.view().size();
  f.workspace_bytes = Program::plan.bytes;
  f.live_lower_bound_bytes = Program::plan.live_bytes;
  bytes_by_count const unplanned = count_unplanned_bytes(Program::materialised);
  f.unplanned_bytes = unplanned.all, f.unplanned_bytes_of_each = unplanned.of_each;
  f.saved = detail::saved<Program>.count;
  f.saved_bytes = detail::saved<Program>.bytes, f.saved_bytes_of_each = detail::saved<Program>.bytes_of_each;
  f.flops = count_flops_as_run(Program::graph);
  if (counts(Program::graph)) {
    for (node const& n : Program::graph.nodes)
      if (n.extent.counted != 0) f.bound = n.extent[n.extent.counted - 1];
    if (f.bound != 0) f.flops_of_each = (f.flops - count_flops_as_run(at_count(Program::graph, 0))) / f.bound;
  }
  for (points_as_run const& each : loops_of_points(Program::graph)) {
    ++f.point_loops;
    f.point_loops_in_lanes += each.why == lane_obstacle::none;
  }
  return f;
}

}  // namespace pass

ETCH_NAMESPACE_END

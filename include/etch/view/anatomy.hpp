// anatomy: a compiled program laid open for text and pictures: which values the way back needs,
// where each lies, what computes it.
#pragma once

#include <etch/compile/program.hpp>
#include <etch/view/leaf_names.hpp>
#include <etch/view/memory_map.hpp>
#include <etch/view/steps.hpp>

ETCH_NAMESPACE_BEGIN

/// A type that `etch::compile` returns.
template <class P>
concept compiled_program = requires {
  typename P::executable;
  P::facts;
};

/// A value of a program, as it is shown.
struct shown_value {
  bool forward = false;   ///< the program's value needs it; what is left, only the gradients need
  bool saved = false;     ///< computed forward, it stays in memory for the gradients
  bool given = false;     ///< an argument
  bool constant = false;  ///< known to the compiler
  int owner = -1;         ///< the value whose buffer holds it, itself where that is none other
  std::string place;      ///< `workspace + 64`, `gradient 0.weight`, `in registers`, `view of %3`
};

/// Between what no plan can go below and what a program without a plan would take, in bytes.
struct memory_bounds {
  std::int64_t live = 0;       ///< the most that is alive at once
  std::int64_t unplanned = 0;  ///< every computed value in memory of its own
};

/// Names, places and sides of all values. Numbers of values are those of `graph`, in which
/// copies and joins are written out.
struct anatomy {
  graph_view graph;
  sequence<pass::kernel> kernels;
  memory_map_view memory;
  memory_bounds bounds;
  program_facts facts;
  std::vector<std::string> outputs;  ///< what they are called
  std::vector<shown_value> values;
};

namespace detail {

/// The place where the plan of `Executable` puts the buffer of node `id`; position -1 where it has none.
template <class Executable>
pass::location home_of(std::size_t id) {
  using place = pass::location::place;
  if (int const slot = Executable::plan.slot[id]; slot >= 0) return {place::output, slot, 0};
  std::int64_t const offset = Executable::plan.offset[id];
  return {place::workspace, offset < 0 ? -1 : 0, offset < 0 ? 0 : offset};
}

/// The loop that kernel `k` runs; -1 where it runs none.
inline int loop_of_kernel(anatomy const& a, pass::kernel const& k) {
  return k.head.computes == pass::form::loop ? pass::loop_run_by(a.graph, k) : -1;
}
inline int kernel_of_loop(anatomy const& a, int loop) {
  int k = 0;
  while (loop_of_kernel(a, a.kernels[static_cast<std::size_t>(k)]) != loop) ++k;
  return k;
}

/// The place of a value that a kernel computes or parts make up.
inline std::string place_in_memory(anatomy const& a, int id, pass::location const& at) {
  if (at.position < 0) return "in registers";
  if (at.in == pass::location::place::workspace) return "workspace + " + std::to_string(at.offset);
  auto const slot = static_cast<std::size_t>(at.position);
  return (a.graph.outputs[slot] == id ? "" : "in ") + a.outputs[slot];
}

}  // namespace detail

/// The anatomy of a compiled program.
template <class Executable, int... I, class... A>
anatomy anatomy_of(program<Executable, wrt<I...>, A...> const&) {
  using p = program<Executable, wrt<I...>, A...>;
  anatomy a{Executable::materialised,
            run::kernels_of<Executable>(),
            memory_map_of<Executable>,
            {p::facts.live_lower_bound_bytes, p::facts.unplanned_bytes},
            p::facts,
            {"value"},
            {}};
  for (int k = 1; k <= p::further_count; ++k) a.outputs.push_back("result " + std::to_string(k));
  std::vector<leaf_name> const leaves = leaf_names<A...>();
  for (int position : std::initializer_list<int>{I...})
    for (leaf_name const& leaf : leaves)
      if (leaf.has_gradient && std::stoi(leaf.path) == position) a.outputs.push_back("gradient " + leaf.path);

  graph_view const g = a.graph;
  sequence<char> const forward = pass::forward_part(g), saved = pass::residual_buffers(g, a.kernels);
  for (int id = 0; id < g.size(); ++id) {
    auto const at = static_cast<std::size_t>(id);
    pass::node_facts const& v = Executable::values[at];
    shown_value s{forward[at] != 0,
                  saved[at] != 0,
                  pass::is_input(g[id]),
                  v.op->is_nullary && !pass::is_input(g[id]),
                  v.owner,
                  {}};
    auto const of = [](char const* what, int other) { return what + std::to_string(other); };
    if (v.op->is_loop) s.place = of("kernel ", detail::kernel_of_loop(a, id));
    else if (g[id].op == opcode_of<op::count>) s.place = "how many entries count";
    else if (s.given) s.place = "argument " + leaves[g[id].attributes].path;
    else if (s.constant) s.place = "constant";
    else if (v.op->is_view) s.place = of("view of %", v.root);
    else if (v.op->is_assembly && !v.joined)
      s.place = of("part of %", Executable::values[static_cast<std::size_t>(g.operands(id)[0])].owner);
    else if (v.owner != id) s.place = of("in %", v.owner);
    else s.place = detail::place_in_memory(a, id, detail::home_of<Executable>(at));
    a.values.push_back(s);
  }
  return a;
}

ETCH_NAMESPACE_END

// anatomy: a compiled program laid open for text and pictures: which values the way back needs, where each lies, what computes it.
#pragma once

#include <etch/run/program.hpp>
#include <etch/view/leaf_names.hpp>
#include <etch/view/memory_map.hpp>
#include <etch/view/statement.hpp>

namespace etch::inline ETCH_ABI {

/// What `etch::compile` returns.
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
  std::string place;      ///< `workspace + 64`, `gradient 0.weight`, `in registers`, `view of %3`
};

/// Between what no plan can go below and what a program without a plan would take, in bytes.
struct memory_bounds {
  std::int64_t live = 0;       ///< the most that is alive at once
  std::int64_t unplanned = 0;  ///< every computed value in memory of its own
};

/// Names, places and sides of all values. Numbers of values are those of `graph`, in which copies and joins are written out.
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

/// Whether the first output needs it, for every node.
inline std::vector<bool> forward_values(graph_view g) {
  std::vector<bool> needed(g.nodes.size());
  if (g.outputs.empty()) return needed;
  needed[static_cast<std::size_t>(g.outputs[0])] = true;
  for (int id = g.size() - 1; id >= 0; --id)
    if (needed[static_cast<std::size_t>(id)])
      for (int operand : g.operands(id)) needed[static_cast<std::size_t>(operand)] = true;
  return needed;
}

/// Marks what is computed forward, kept in memory, and read there by kernels for the sake of values that are not forward: of these
/// themselves, or of forward values that are computed again for them.
inline void mark_saved(anatomy& a, const_span<pass::value> values, const_span<pass::membership> of) {
  std::vector<bool> needed(a.values.size()), read(a.values.size());
  for (std::size_t id = a.values.size(); id-- > 0;) {
    bool const goes_back = values[id].computed && !a.values[id].forward;
    bool const repeated = values[id].computed && !of[id].stored && needed[id];
    if (!goes_back && !repeated) continue;
    for (int operand : a.graph.operands(static_cast<int>(id))) {
      auto const root = static_cast<std::size_t>(values[static_cast<std::size_t>(operand)].root);
      bool const in_memory = of[root].stored || values[root].joined;
      needed[in_memory ? static_cast<std::size_t>(values[root].owner) : root] = true;
    }
  }
  for (pass::kernel const& k : a.kernels) {
    bool const goes_back =
        std::any_of(k.results.begin(), k.results.end(), [&](auto const& r) { return !a.values[static_cast<std::size_t>(r.node)].forward; });
    if (goes_back) for_each_buffer_read(k, [&](int root) { read[static_cast<std::size_t>(root)] = true; });
  }
  for (std::size_t id = 0; id < a.values.size(); ++id)
    a.values[id].saved = a.values[id].forward && !a.values[id].given && needed[id] && read[id];
}

/// By node, where the kernels of `Executable` leave it; nodes that none leaves in memory have position -1.
template <class Executable>
std::vector<pass::location> homes_of(const_span<pass::kernel> kernels) {
  std::vector<pass::location> homes(Executable::materialised.nodes.size(), {pass::location::place::workspace, -1, 0});
  for (pass::kernel const& k : kernels)
    for (pass::result const& r : k.results)
      homes[static_cast<std::size_t>(r.root)] = pass::find_buffer(Executable::materialised, Executable::plan, r.root, 0);
  return homes;
}

/// What the facts say, or where they do not, map and graph.
template <class Facts>
memory_bounds bounds_in(Facts const& facts, memory_map_view map, graph_view g) {
  if constexpr (requires { facts.live_lower_bound_bytes; }) return {facts.live_lower_bound_bytes, facts.unplanned_bytes};
  else return {live_bytes(map), unplanned_bytes(g)};
}

/// Where a value lies that a kernel computes or parts make up.
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
  anatomy a{Executable::materialised, pass::kernels_of<Executable>(), memory_map_of<Executable>, {}, p::facts, {"value"}, {}};
  a.bounds = detail::bounds_in(p::facts, a.memory, a.graph);
  std::vector<leaf_name> const leaves = leaf_names<A...>();
  for (int position : std::initializer_list<int>{I...})
    for (leaf_name const& leaf : leaves)
      if (leaf.has_gradient && std::stoi(leaf.path) == position) a.outputs.push_back("gradient " + leaf.path);

  graph_view const g = a.graph;
  std::vector<bool> const forward = detail::forward_values(g);
  std::vector<pass::location> const homes = detail::homes_of<Executable>(a.kernels);
  for (int id = 0; id < g.size(); ++id) {
    auto const at = static_cast<std::size_t>(id);
    pass::value const& v = Executable::values[at];
    shown_value s{forward[at], false, pass::is_input(g[id]), v.op->is_nullary && !pass::is_input(g[id]), {}};
    auto const of = [](char const* what, int other) { return what + std::to_string(other); };
    if (s.given) s.place = "argument " + leaves[g[id].attributes].path;
    else if (s.constant) s.place = "constant";
    else if (v.op->is_view) s.place = of("view of %", v.root);
    else if (v.op->is_assembly && !v.joined)
      s.place = of("part of %", Executable::values[static_cast<std::size_t>(g.operands(id)[0])].owner);
    else if (v.owner != id) s.place = of("in %", v.owner);
    else s.place = detail::place_in_memory(a, id, homes[at]);
    a.values.push_back(s);
  }
  detail::mark_saved(a, Executable::values, Executable::groups.of);
  return a;
}

}  // namespace etch::inline ETCH_ABI

// to_dot: a graph or a compiled program in Graphviz's language.
#pragma once

#include <etch/view/anatomy.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// A string of the language: quoted, `\n` between its lines.
inline std::string dot_string(std::string const& text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') quoted += "\\n";
    else quoted += c;
  }
  return quoted + "\"";
}

inline std::string dot_node(std::string const& name, std::string const& label, std::string const& attributes,
                            std::string const& indentation) {
  return indentation + name + " [label=" + dot_string(label) + attributes + "];\n";
}
inline std::string dot_edge(std::string const& from, std::string const& to, std::string const& label = "") {
  return "  " + from + " -> " + to + (label.empty() ? "" : " [style=dashed, label=" + dot_string(label) + "]") + ";\n";
}

/// The statement of a node without its type, and the type below.
inline std::string dot_label(graph_view g, int id) {
  std::string label = statement_of(g, id);
  label.replace(label.rfind(" : "), 3, "\n");
  return label;
}

/// The nodes of the body of the loop at node `id`, in a cluster named after it; nothing where that is no loop.
inline std::string dot_steps(graph_view g, int id, std::string const& name, std::string const& indentation) {
  if (!facts_of(g[id]).is_loop) return "";
  loop_body const l = loop_at(g, id);
  std::string const inner = indentation + "  ";
  std::string text = indentation + "subgraph cluster_" + name + " {\n" + inner +
                     "label=" + dot_string("each of the steps of %" + std::to_string(id)) + ";\n";
  for (int each = 0; each < l.body.size(); ++each) {
    std::string const inside = name + "_" + std::to_string(each);
    text += dot_node(inside, dot_label(l.body, each), "", inner) + dot_steps(l.body, each, inside, inner);
  }
  return text + indentation + "}\n";
}

/// Edges from operands to nodes, then for each loop those of its body: what is fed into
/// it, its own, and what it leaves.
inline std::string dot_edges(graph_view g, std::string const& prefix = "n") {
  auto const name = [&](int id) { return prefix + std::to_string(id); };
  std::string text;
  for (int id = 0; id < g.size(); ++id)
    for (int operand : g.operands(id)) text += dot_edge(name(operand), name(id));
  for (int id = 0; id < g.size(); ++id) {
    if (!facts_of(g[id]).is_loop) continue;
    loop_body const l = loop_at(g, id);
    std::string const inside = name(id) + "_";
    for (int each = 0; each < l.body.size(); ++each)
      if (node const& n = l.body[each]; n.op == opcode_of<op::input>)
        text += dot_edge(name(id), inside + std::to_string(each),
                         fed_from(g, id, l, static_cast<std::size_t>(n.attributes)));
    text += dot_edges(l.body, inside);
    for (std::size_t r = 0; r < l.out.size(); ++r)
      text += dot_edge(inside + std::to_string(l.body.outputs[r]), name(id), becomes(g, id, l, r));
  }
  return text;
}

inline constexpr auto dot_head = "digraph program {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n";

/// The nodes that `belongs` picks, in a cluster.
inline std::string dot_cluster(anatomy const& a, char const* name, auto belongs) {
  std::string text = "  subgraph cluster_" + std::string(name) + " {\n    label=\"" + name + "\";\n";
  for (int id = 0; id < a.graph.size(); ++id) {
    shown_value const& v = a.values[static_cast<std::size_t>(id)];
    if (!belongs(v)) continue;
    std::string const place = v.saved ? v.place + ", saved" : v.place;
    std::string const node = "n" + std::to_string(id);
    text += dot_node(node, dot_label(a.graph, id) + "\n" + place,
                     v.saved ? ", style=\"filled,bold\", fillcolor=\"#ffd479\"" : "", "    ");
    text += dot_steps(a.graph, id, node, "    ");
  }
  return text + "  }\n";
}

}  // namespace detail

/// A graph for Graphviz: every node with its operands; outputs have a double border.
inline std::string to_dot(graph_view g) {
  std::vector<bool> is_output(g.nodes.size());
  for (int output : g.outputs) is_output[static_cast<std::size_t>(output)] = true;
  std::string text = detail::dot_head;
  for (int id = 0; id < g.size(); ++id) {
    std::string const node = "n" + std::to_string(id);
    text += detail::dot_node(node, detail::dot_label(g, id),
                             is_output[static_cast<std::size_t>(id)] ? ", peripheries=2" : "", "  ");
    text += detail::dot_steps(g, id, node, "  ");
  }
  return text + detail::dot_edges(g) + "}\n";
}

inline std::string to_dot(anatomy const& a) {
  std::string text = detail::dot_head;
  for (int id = 0; id < a.graph.size(); ++id)
    if (shown_value const& v = a.values[static_cast<std::size_t>(id)]; v.given)
      text += detail::dot_node("n" + std::to_string(id),
                               "%" + std::to_string(id) + " = " + v.place + "\n" + type_of(a.graph[id]),
                               ", shape=ellipse", "  ");
  text += detail::dot_cluster(a, "forward", [](shown_value const& v) { return v.forward && !v.given; });
  text += detail::dot_cluster(a, "backward", [](shown_value const& v) { return !v.forward && !v.given; });
  text += detail::dot_edges(a.graph);
  for (std::size_t slot = 0; slot < a.outputs.size(); ++slot) {
    std::string const name = "out" + std::to_string(slot);
    text += "  " + name + " [label=" + detail::dot_string(a.outputs[slot]) + ", shape=ellipse, peripheries=2];\n";
    text += "  n" + std::to_string(a.graph.outputs[slot]) + " -> " + name + ";\n";
  }
  return text + "}\n";
}

/// A compiled program: values computed forward and backward in a cluster each, those kept between
/// in bold, with the place of each.
template <compiled_program P>
std::string to_dot(P const& program) {
  return to_dot(anatomy_of(program));
}

ETCH_NAMESPACE_END

// to_dot: a graph or a compiled program in Graphviz's language.
#pragma once

#include <etch/view/anatomy.hpp>

namespace etch::inline ETCH_ABI {

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

inline std::string dot_node(int id, std::string const& label, std::string const& attributes, char const* indentation) {
  return indentation + ("n" + std::to_string(id)) + " [label=" + dot_string(label) + attributes + "];\n";
}

/// The statement of a node without its type, and the type below.
inline std::string dot_label(graph_view g, int id) {
  std::string label = statement_of(g, id);
  label.replace(label.rfind(" : "), 3, "\n");
  return label;
}

inline std::string dot_edges(graph_view g) {
  std::string text;
  for (int id = 0; id < g.size(); ++id)
    for (int operand : g.operands(id)) text += "  n" + std::to_string(operand) + " -> n" + std::to_string(id) + ";\n";
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
    text += dot_node(id, dot_label(a.graph, id) + "\n" + place, v.saved ? ", style=\"filled,bold\", fillcolor=\"#ffd479\"" : "", "    ");
  }
  return text + "  }\n";
}

}  // namespace detail

/// Every node with its operands; outputs have a double border.
inline std::string to_dot(graph_view g) {
  std::vector<bool> is_output(g.nodes.size());
  for (int output : g.outputs) is_output[static_cast<std::size_t>(output)] = true;
  std::string text = detail::dot_head;
  for (int id = 0; id < g.size(); ++id)
    text += detail::dot_node(id, detail::dot_label(g, id), is_output[static_cast<std::size_t>(id)] ? ", peripheries=2" : "", "  ");
  return text + detail::dot_edges(g) + "}\n";
}

inline std::string to_dot(anatomy const& a) {
  std::string text = detail::dot_head;
  for (int id = 0; id < a.graph.size(); ++id)
    if (shown_value const& v = a.values[static_cast<std::size_t>(id)]; v.given)
      text += detail::dot_node(id, "%" + std::to_string(id) + " = " + v.place + "\n" + type_of(a.graph[id]), ", shape=ellipse", "  ");
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

/// A compiled program: values computed forward and backward in a cluster each, those kept between in bold, with the place of each.
template <compiled_program P>
std::string to_dot(P const& program) {
  return to_dot(anatomy_of(program));
}

}  // namespace etch::inline ETCH_ABI

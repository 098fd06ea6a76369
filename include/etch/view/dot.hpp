// to_dot: a graph or a compiled program in Graphviz's language.
#pragma once

#include <etch/view/value_names.hpp>

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

/// The name of a node, and its element type and shape below.
inline std::string dot_label(graph_view g, int id, name_list const& names) {
  return names[static_cast<std::size_t>(id)] + "\n" + kind_of(g, id);
}

/// The nodes of the body of the loop at node `id`, in a cluster named after it; nothing where that is no loop.
inline std::string dot_steps(graph_view g, int id, std::string const& name, name_list const& names,
                             std::string const& indentation) {
  if (!facts_of(g[id]).is_loop) return "";
  loop_body const l = loop_at(g, id);
  name_list const inside = names_of_steps(g, id, l, names);
  std::string const inner = indentation + "  ";
  std::string text = indentation + "subgraph cluster_" + name + " {\n" + inner +
                     "label=" + dot_string("each of the steps of " + names[static_cast<std::size_t>(id)]) + ";\n";
  for (int each = 0; each < l.body.size(); ++each) {
    std::string const node = name + "_" + std::to_string(each);
    text += dot_node(node, dot_label(l.body, each, inside), "", inner) + dot_steps(l.body, each, node, inside, inner);
  }
  return text + indentation + "}\n";
}

/// Edges from operands to nodes, then for each loop those of its body: what is fed into
/// it, its own, and what it leaves.
inline std::string dot_edges(graph_view g, name_list const& names, std::string const& prefix = "n") {
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
                         with_names(fed_from(g, id, l, static_cast<std::size_t>(n.attributes)), names));
    text += dot_edges(l.body, names_of_steps(g, id, l, names), inside);
    for (std::size_t r = 0; r < l.out.size(); ++r)
      text += dot_edge(inside + std::to_string(l.body.outputs[r]), name(id), with_names(becomes(g, id, l, r), names));
  }
  return text;
}

// Colours read on light and on dark paper; the paper itself is not drawn.
inline constexpr auto dot_head =
    "digraph program {\n"
    "  graph [bgcolor=transparent, color=\"#767c85\", fontcolor=\"#767c85\", fontname=\"sans-serif\"];\n"
    "  node [shape=box, color=\"#767c85\", fontcolor=\"#767c85\", fontname=\"sans-serif\", fontsize=11];\n"
    "  edge [color=\"#767c85\", fontcolor=\"#767c85\", fontname=\"sans-serif\", fontsize=10];\n";

/// The nodes that `belongs` picks, in a cluster.
inline std::string dot_cluster(anatomy const& a, name_list const& names, char const* name, auto belongs) {
  std::string text = "  subgraph cluster_" + std::string(name) + " {\n    label=\"" + name + "\";\n";
  for (int id = 0; id < a.graph.size(); ++id) {
    shown_value const& v = a.values[static_cast<std::size_t>(id)];
    if (!belongs(v)) continue;
    std::string const place = with_names(v.place, names) + (v.saved ? ", saved" : "");
    std::string const node = "n" + std::to_string(id);
    text += dot_node(node, dot_label(a.graph, id, names) + "\n" + place,
                     v.saved ? ", style=\"filled,bold\", fillcolor=\"#ffd479\", fontcolor=\"#111111\"" : "", "    ");
    text += dot_steps(a.graph, id, node, names, "    ");
  }
  return text + "  }\n";
}

}  // namespace detail

/// A graph for Graphviz: every node with its operands; outputs have a double border.
inline std::string to_dot(graph_view g) {
  std::vector<bool> is_output(g.nodes.size());
  for (int output : g.outputs) is_output[static_cast<std::size_t>(output)] = true;
  detail::name_list const names = detail::names_of_operations(g);
  std::string text = detail::dot_head;
  for (int id = 0; id < g.size(); ++id) {
    std::string const node = "n" + std::to_string(id);
    text += detail::dot_node(node, detail::dot_label(g, id, names),
                             is_output[static_cast<std::size_t>(id)] ? ", peripheries=2" : "", "  ");
    text += detail::dot_steps(g, id, node, names, "  ");
  }
  return text + detail::dot_edges(g, names) + "}\n";
}

inline std::string to_dot(anatomy const& a) {
  detail::name_list const names = detail::names_of_values(a);
  std::string text = detail::dot_head;
  for (int id = 0; id < a.graph.size(); ++id)
    if (a.values[static_cast<std::size_t>(id)].given)
      text +=
          detail::dot_node("n" + std::to_string(id), detail::dot_label(a.graph, id, names), ", shape=ellipse", "  ");
  text += detail::dot_cluster(a, names, "forward", [](shown_value const& v) { return v.forward && !v.given; });
  text += detail::dot_cluster(a, names, "backward", [](shown_value const& v) { return !v.forward && !v.given; });
  text += detail::dot_edges(a.graph, names);
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

// to_text: a graph or a compiled program as a person reads it, one numbered statement a
// line. For debugging; it allocates.
#pragma once

#include <etch/view/anatomy.hpp>

ETCH_NAMESPACE_BEGIN

/// A graph as text: every node as `%3 = matmul(%1, %2) : f32[32, 128]`, then the outputs; every line behind
/// `indentation`.
inline std::string to_text(graph_view g, std::string const& indentation = "") {
  std::string text;
  for (int id = 0; id < g.size(); ++id)
    text += indentation + statement_of(g, id) + "\n" + steps_of(g, id, indentation + "    ");
  return text + indentation + return_of(g) + "\n";
}

namespace detail {

/// The statements of the values that `belongs` picks, under a title, with the place of each in a column behind them.
inline std::string section(anatomy const& a, char const* title, auto belongs) {
  constexpr std::size_t widest = 64;
  std::vector<std::string> statements;
  std::size_t width = 0;
  for (int id = 0; id < a.graph.size(); ++id) {
    statements.push_back(statement_of(a.graph, id));
    if (belongs(a.values[static_cast<std::size_t>(id)]) && statements.back().size() <= widest)
      width = std::max(width, statements.back().size());
  }
  std::string text;
  for (std::size_t id = 0; id < statements.size(); ++id) {
    shown_value const& v = a.values[id];
    if (!belongs(v)) continue;
    statements[id].resize(std::max(width, statements[id].size()), ' ');
    text += "  " + statements[id] + "  " + v.place + (v.saved ? ", saved" : "") + "\n" +
            steps_of(a.graph, static_cast<int>(id), "      ");
  }
  return text.empty() ? text : title + ("\n" + text);
}

inline std::string numbers_of(const_span<int> ids) {
  std::string text;
  for (int id : ids) text += (text.empty() ? "%" : ", %") + std::to_string(id);
  return text;
}

inline std::string section_of_saved(anatomy const& a) {
  sequence<int> saved;
  for (int id = 0; id < a.graph.size(); ++id)
    if (a.values[static_cast<std::size_t>(id)].saved) saved.push_back(id);
  if (saved.empty()) return "saved\n  nothing\n";
  return "saved\n  " + numbers_of(saved) + ": " + std::to_string(a.facts.saved_bytes) + " bytes\n";
}

/// Describes what kernel `k` does: `product f32[32, 128] over 784, add tanh; reads %0, %1, %2; writes %5, %7`.
inline std::string kernel_in_words(anatomy const& a, std::size_t k) {
  pass::kernel const& body = a.kernels[k];
  pass::result const& first = body.results[0];
  std::string text;
  int const loop = loop_of_kernel(a, body);
  if (loop >= 0) text = "steps of %" + std::to_string(loop) + ", " + kind_of(a.graph, loop);
  else if (body.head.computes == pass::form::block)
    text = operation_of(a.graph[first.node]) + " " + type_of(a.graph[first.node]);
  else
    text = (body.head.computes == pass::form::product ? "product " : "loop ") +
           (name_of(body.head.type) + to_string(body.head.space));
  if (body.head.computes == pass::form::product)
    text += " over " + std::to_string(body.head.sliding.exists ? body.head.sliding.terms() : body.head.product.k);
  for (std::size_t i = 0; i < body.code.size(); ++i)
    text += (i == 0 ? ": " : " ") + std::string(op_table[body.code[i].op].name);
  sequence<int> read, written;
  pass::for_each_read(body, [&](pass::access const& x) {
    if (std::find(read.begin(), read.end(), x.root) == read.end()) read.push_back(x.root);
  });
  for (pass::result const& r : body.results) written.push_back(r.node);
  if (!read.empty()) text += "; reads " + numbers_of(read);
  text += "; writes " + numbers_of(written);
  for (memory_box const& b : a.memory.boxes)
    if (b.node < 0 && b.first == static_cast<int>(k))
      text += (loop >= 0 ? "; runs in workspace + " : "; packs into workspace + ") + std::to_string(b.offset) + ", " +
              std::to_string(b.bytes) + " bytes";
  return text;
}

inline std::string section_of_facts(anatomy const& a) {
  return "facts\n  values " + std::to_string(a.facts.nodes) + ", kernels " + std::to_string(a.kernels.size()) +
         ", flops " + std::to_string(a.facts.flops) + ", workspace " + std::to_string(a.facts.workspace_bytes) +
         " bytes; alive at once " + std::to_string(a.bounds.live) + ", unplanned " +
         std::to_string(a.bounds.unplanned) + "\n";
}

inline std::string reason_in_words(pass::points_as_run const& p) {
  std::string const op = std::string("`") + facts_of(node{p.op, {}, {}, 0, 0, 0}).name + "`";
  switch (p.why) {
    case pass::lane_obstacle::counts:
      return "how many entries of a value within count is known at run time";
    case pass::lane_obstacle::no_points:
      return "there is but one point";
    case pass::lane_obstacle::no_registers:
      return "there are no vector registers";
    case pass::lane_obstacle::few_points:
      return op + " runs for one lane after the other, and there are fewer points than lanes";
    case pass::lane_obstacle::op_in_branch:
      return op + " stands in a loop within steps that run at some points and not at others";
    default:
      return op + " works on one point at a time";
  }
}
/// A line for each loop over points.
inline std::string points_in_words(anatomy const& a) {
  std::string text;
  for (pass::points_as_run const& each : pass::loops_of_points(a.graph))
    text += "  points in lanes: " +
            (each.why == pass::lane_obstacle::none
                 ? "yes, " + std::to_string(each.at_a_time) + " of " + std::to_string(each.count) + " at a time"
                 : "no, because " + reason_in_words(each)) +
            "\n";
  return text;
}

/// The widths of the registers that kernels are compiled for, of which `widest` is one.
inline std::string widths_of_registers(int widest) {
  return (dispatches ? "16, 32 or " : "") + std::to_string(widest) + " bytes" +
         (dispatches ? ", as the machine has them" : "");
}

/// Two facts that change the time of a call by a factor of 5 to 25, and the memory that the program itself takes.
inline std::string section_of_compilation(anatomy const& a) {
  return std::string("compiled\n  ") + (a.facts.optimised ? "with optimisation" : "without optimisation: use -O2") +
         ", for registers of " + widths_of_registers(a.facts.register_bytes) + "; an object of " +
         std::to_string(a.facts.object_bytes) + " bytes\n";
}

}  // namespace detail

inline std::string to_text(anatomy const& a) {
  std::string text = detail::section(a, "arguments", [](shown_value const& v) { return v.given; });
  text += detail::section(a, "forward", [](shown_value const& v) { return v.forward && !v.given; });
  text += detail::section(a, "backward", [](shown_value const& v) { return !v.forward && !v.given; });
  text += return_of(a.graph) + "\n" + detail::section_of_saved(a) + "kernels\n";
  for (std::size_t k = 0; k < a.kernels.size(); ++k)
    text += "  " + std::to_string(k) + "  " + detail::kernel_in_words(a, k) + "\n";
  return text + detail::section_of_facts(a) + detail::points_in_words(a) + detail::section_of_compilation(a);
}

/// A compiled program: arguments, values computed forward and backward with the place of each, what
/// is kept between, kernels in order.
template <compiled_program P>
std::string to_text(P const& program) {
  return to_text(anatomy_of(program));
}

ETCH_NAMESPACE_END

#include <etch/view/dot.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <sstream>

using namespace etch;

namespace {

constexpr auto regression = [](auto w, auto x) { return sum(square(tanh(w * x))); };
using matrix_type = tensor<float, 8, 8>;

/// Whether a statement sets attributes of all nodes, edges or the graph.
bool is_default(std::string const& first) { return first == "graph" || first == "node" || first == "edge"; }

/// The fault of a file for Graphviz, if any, as far as `to_dot` uses the language: one statement a line,
/// strings closed, braces in pairs, each end of an edge stated once.
std::string fault_of(std::string const& dot) {
  if (dot.rfind("digraph program {\n", 0) != 0) return "not a directed graph";
  std::istringstream lines(dot);
  std::set<std::string> nodes;
  int depth = 0;
  for (std::string line; std::getline(lines, line);) {
    std::string outside;  // without the strings
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (quoted && line[i] == '\\') ++i;
      else if (line[i] == '"') quoted = !quoted;
      else if (!quoted) outside += line[i];
    }
    if (quoted) return "a string is not closed";
    if (outside.find_first_not_of(' ') != std::string::npos) outside.erase(0, outside.find_first_not_of(' '));
    if (outside.ends_with("{")) ++depth;
    else if (outside == "}") --depth;
    else if (!outside.ends_with(";")) return "a statement does not end";
    if (depth < 0) return "a brace too many";
    std::string const first = outside.substr(0, outside.find_first_of(" ;"));
    if (std::size_t const arrow = outside.find(" -> "); arrow != std::string::npos) {
      std::string const to = outside.substr(arrow + 4, outside.find_first_of(" ;", arrow + 4) - arrow - 4);
      if (!nodes.contains(first) || !nodes.contains(to)) return "an edge of an unknown node";
    } else if (outside.find(" [") != std::string::npos && !is_default(first) && !nodes.insert(first).second) {
      return "a node twice";
    }
  }
  return depth == 0 ? "" : "a brace is not closed";
}

}  // namespace

TEST_CASE("the check of files for Graphviz notices what is wrong") {
  auto const with = [](std::string const& text) { return fault_of("digraph program {\n" + text + "}\n"); };
  CHECK(with("  n0 [label=\"a\\\"b;\"];\n  n1 [label=\"\"];\n  n0 -> n1;\n") == "");
  CHECK(with("  n0 [label=\"a];\n") == "a string is not closed");
  CHECK(with("  n0 [label=\"a\"]\n") == "a statement does not end");
  CHECK(with("  n0 [label=\"a\"];\n  n0 -> n1;\n") == "an edge of an unknown node");
  CHECK(with("  n0 [label=\"a\"];\n  n0 [label=\"b\"];\n") == "a node twice");
  CHECK(with("}\n") == "a brace too many");
  CHECK(with("  subgraph a {\n") == "a brace is not closed");
  CHECK(fault_of("graph {}") == "not a directed graph");
}

TEST_CASE("a graph is one node a value, outputs with a double border") {
  graph const g = pass::trace<decltype(regression), matrix_type, matrix_type>(regression);
  CHECK(to_dot(g) ==
        "digraph program {\n"
        "  graph [bgcolor=transparent, color=\"#767c85\", fontcolor=\"#767c85\", fontname=\"sans-serif\"];\n"
        "  node [shape=box, color=\"#767c85\", fontcolor=\"#767c85\", fontname=\"sans-serif\", fontsize=11];\n"
        "  edge [color=\"#767c85\", fontcolor=\"#767c85\", fontname=\"sans-serif\", fontsize=10];\n"
        "  n0 [label=\"input 0\\nf32[8, 8]\"];\n"
        "  n1 [label=\"input 1\\nf32[8, 8]\"];\n"
        "  n2 [label=\"matmul\\nf32[8, 8]\"];\n"
        "  n3 [label=\"tanh\\nf32[8, 8]\"];\n"
        "  n4 [label=\"square\\nf32[8, 8]\"];\n"
        "  n5 [label=\"sum\\nf32[]\", peripheries=2];\n"
        "  n0 -> n2;\n"
        "  n1 -> n2;\n"
        "  n2 -> n3;\n"
        "  n3 -> n4;\n"
        "  n4 -> n5;\n"
        "}\n");
  CHECK(fault_of(to_dot(g)) == "");
}

TEST_CASE("a program has its two halves in clusters, saved values filled, arguments and outputs outside") {
  using program =
      decltype(compile([](auto w, auto x) { return sum(tanh(w * exp(w * x))); }, matrix_type{}, matrix_type{}));
  std::string const dot = to_dot(*std::make_unique<program>());
  CHECK(fault_of(dot) == "");
  std::size_t const forward = dot.find("subgraph cluster_forward {"),
                    backward = dot.find("subgraph cluster_backward {");
  CHECK(dot.find("argument 0\\nf32[8, 8]\", shape=ellipse") < forward);
  CHECK(forward < backward);
  CHECK(backward < dot.find("out1 [label=\"gradient 0\""));
  std::size_t const saved = dot.find(", saved\", style=\"filled,bold\"");
  CHECK(forward < saved);
  CHECK(saved < backward);
  CHECK(dot.find("label=\"exp\\n") < saved);
}

TEST_CASE("values of a program are named by their operation and by the user's members, never by numbers") {
  using program = decltype(compile<wrt<0>>([](auto layer, auto x) { return sum(square(tanh(layer(tanh(x))))); },
                                           nn::dense<float, 8, 8>{}, matrix_type{}));
  std::string const dot = to_dot(*std::make_unique<program>());
  CHECK(fault_of(dot) == "");
  for (char const* label : {"\"weight\\n", "\"bias\\n", "\"argument 1\\n", "\"tanh\\n", "\"tanh 2\\n"})
    CHECK_MESSAGE(dot.find(label) != std::string::npos, label);
  CHECK(dot.find('%') == std::string::npos);
}

TEST_CASE("the body of a loop is a cluster, in a loop a cluster in that; dashed edges say what goes in and comes out") {
  auto const nested = [](auto w, auto xs) {
    auto const outer = [&](auto h, auto x) { return repeat<3>([&](auto v) { return tanh(w * v + x); }, h); };
    return sum(scan(outer, zeros<8>(), xs));
  };
  graph const g = pass::trace<decltype(nested), matrix_type, matrix_type>(nested);
  std::string const dot = to_dot(g);
  CHECK(fault_of(dot) == "");
  std::string loop;
  for (int id = 0; id < g.size(); ++id)
    if (facts_of(g[id]).is_loop) loop = "n" + std::to_string(id);
  std::size_t const outer = dot.find("\n  subgraph cluster_" + loop + " {\n"),
                    inner = dot.find("\n    subgraph cluster_" + loop + "_");
  REQUIRE(outer != std::string::npos);
  REQUIRE(inner != std::string::npos);
  CHECK(outer < inner);
  CHECK(inner < dot.find("\n  }\n", outer));
  CHECK(dot.find("  " + loop + " -> " + loop + "_0 [style=dashed, label=\"") != std::string::npos);
  using program = decltype(compile(nested, matrix_type{}, matrix_type{}));
  CHECK(fault_of(to_dot(*std::make_unique<program>())) == "");
}

TEST_CASE("quotes and backslashes in labels stay in them") {
  CHECK(detail::dot_string("a\"b\\c\nd") == "\"a\\\"b\\\\c\\nd\"");
}

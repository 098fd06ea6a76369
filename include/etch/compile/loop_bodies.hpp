// loop_bodies: the bodies of a program's loops, each the content of a program of its own.
#pragma once

#include <etch/lower/loop_kernel.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The words of the body of the loop at node `loop`.
constexpr sequence<std::uint64_t> body_words(graph_view g, int loop) {
  return etch::detail::packed_words(loop_kernel_of(g, loop).loop.body);
}

namespace detail {

constexpr int count_loops(graph_view g) {
  int loops = 0;
  for (node const& n : g.nodes) loops += n.op == opcode_of<op::loop>;
  return loops;
}
/// The node of loop number `loop`.
constexpr int loop_node(graph_view g, int loop) {
  int seen = 0, id = 0;
  while (g[id].op != opcode_of<op::loop> || seen++ != loop) ++id;
  return id;
}
template <class Program>
inline constexpr int loop_count = count_loops(Program::materialised);
template <class Program, int Loop>
inline constexpr int body_word_count =
    static_cast<int>(body_words(Program::materialised, loop_node(Program::materialised, Loop)).size());

}  // namespace detail

/// The body of loop `Loop` of `Program` as a program's content.
template <class Program, int Loop>
consteval auto packed_body() {
  return etch::detail::packed_literal<detail::body_word_count<Program, Loop>>(
      body_words(Program::materialised, detail::loop_node(Program::materialised, Loop)).begin());
}

}  // namespace pass
ETCH_NAMESPACE_END

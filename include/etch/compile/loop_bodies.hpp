// loop_bodies: the bodies of a program's loops, each the content of a program of its own.
#pragma once

#include <etch/lower/loop_kernel.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The words of the body of the loop at node `loop`; or of that of the steps which it runs again, none if it does not.
constexpr sequence<std::uint64_t> body_words(graph_view g, int loop, bool again = false) {
  loop_kernel const k = loop_kernel_of(g, loop);
  if (again && !k.again.of.exists()) return {};
  return etch::detail::packed_words(again ? k.again.body : k.loop.body);
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
template <class Program, int Loop, bool Again>
inline constexpr int body_word_count =
    static_cast<int>(body_words(Program::materialised, loop_node(Program::materialised, Loop), Again).size());

}  // namespace detail

/// The body of loop `Loop` of `Program` as a program's content, or that of the steps which it runs again.
template <class Program, int Loop, bool Again = false>
consteval auto packed_body() {
  return etch::detail::packed_literal<detail::body_word_count<Program, Loop, Again>>(
      body_words(Program::materialised, detail::loop_node(Program::materialised, Loop), Again).begin());
}
/// Whether loop `Loop` of `Program` is one of points.
template <class Program, int Loop>
inline constexpr bool is_loop_of_points = is_of_points(
    words_at(graph_view(Program::materialised).pool,
             graph_view(Program::materialised)[detail::loop_node(Program::materialised, Loop)].attributes));
/// Whether loop `Loop` of `Program` runs steps of another one again.
template <class Program, int Loop>
inline constexpr bool runs_steps_again = detail::body_word_count<Program, Loop, true> > 0;

}  // namespace pass
ETCH_NAMESPACE_END

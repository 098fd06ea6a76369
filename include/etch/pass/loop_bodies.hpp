// loop_bodies: the bodies of a program's loops, each the content of a program of its own.
#pragma once

#include <etch/pass/repetition.hpp>

namespace etch::inline ETCH_ABI::pass {

/// The words of the body of the loop at node `loop`.
constexpr sequence<std::uint64_t> body_words(graph_view g, int loop) { return etch::detail::packed_words(repetition_of(g, loop).loop.body); }

namespace detail {

// Loops by their nodes' order.
template <class Program>
inline constexpr int loop_count = [] {
  int loops = 0;
  for (node const& n : Program::materialised.nodes) loops += n.op == opcode_of<op::loop>;
  return loops;
}();
template <class Program, int Loop>
consteval int loop_node() {
  int seen = 0, id = 0;
  while (Program::materialised.nodes[static_cast<std::size_t>(id)].op != opcode_of<op::loop> || seen++ != Loop) ++id;
  return id;
}
template <class Program, int Loop>
inline constexpr int body_word_count = static_cast<int>(body_words(Program::materialised, loop_node<Program, Loop>()).size());

}  // namespace detail

/// The body of loop `Loop` of `Program` as a program's content.
template <class Program, int Loop>
consteval auto packed_body() {
  packed_graph<detail::body_word_count<Program, Loop>> packed;
  sequence<std::uint64_t> const words = body_words(Program::materialised, detail::loop_node<Program, Loop>());
  for (std::size_t i = 0; i < words.size(); ++i) packed.words[i] = words[i];
  return packed;
}

}  // namespace etch::inline ETCH_ABI::pass

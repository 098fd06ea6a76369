// A program of FAMILY and a call of it.
#include "families.hpp"

auto* call = &families::FAMILY::call;

/// As many nodes as value and gradient have, loops' bodies included.
template <class Program>
constexpr int nodes() {
  return [&]<int... Loop>(std::integer_sequence<int, Loop...>) {
    return (static_cast<int>(Program::graph.nodes.size()) + ... +
            nodes<etch::run::executable_of<etch::pass::packed_body<Program, Loop>()>>());
  }(std::make_integer_sequence<int, etch::pass::detail::loop_count<Program>>{});
}
char program_nodes[nodes<families::FAMILY::program::executable>()];  // so that the object says it

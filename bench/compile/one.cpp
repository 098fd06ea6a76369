// A program of FAMILY and a call of it. With COUNT_NODES a program that prints how many nodes value and gradient have, loops' bodies included.
#include "families.hpp"

#ifdef COUNT_NODES
#include <cstdio>
template <class Program>
constexpr int nodes() {
  return [&]<int... Loop>(std::integer_sequence<int, Loop...>) {
    return (static_cast<int>(Program::graph.nodes.size()) + ... + nodes<etch::run::executable<etch::pass::packed_body<Program, Loop>()>>());
  }
  (std::make_integer_sequence<int, etch::pass::detail::loop_count<Program>>{});
}
int main() { std::printf("%d\n", nodes<families::FAMILY::program::executable>()); }
#else
auto* call = &families::FAMILY::call;
#endif

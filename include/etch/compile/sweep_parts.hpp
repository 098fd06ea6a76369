// sweep_parts: the way back through a large graph in parts. Each is a constant of its own, so that the compiler's limit
// on constant evaluation holds for each.
#pragma once

#include <etch/compile/step_limit.hpp>
#include <etch/rewrite/differentiate.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// A paused sweep as a literal with room for more; empty where it did not fit.
template <graph_size Room, int Adjoints, int Loops>
struct static_sweep {
  roomy_graph<Room> to;
  bool precise;
  int reached, adjoints, loops;
  fixed<pass::waiting_adjoint, Adjoints> waiting{};
  fixed<pass::extended_loop, Loops> extended{};

  constexpr explicit static_sweep(pass::paused_sweep const& s)
      : to(s.to),
        precise(s.to.precise),
        reached(s.reached),
        adjoints(static_cast<int>(s.waiting.size())),
        loops(static_cast<int>(s.extended.size())) {
    if (!fits()) return;
    for (int i = 0; i < adjoints; ++i) waiting.entry[i] = s.waiting.entry[i];
    for (int i = 0; i < loops; ++i) extended.entry[i] = s.extended.entry[i];
  }
  constexpr bool fits() const { return to.fits() && adjoints <= Adjoints && loops <= Loops; }
  constexpr pass::paused_sweep paused() const {
    pass::paused_sweep s{pass::copy_of(to.view()),
                         reached,
                         {waiting.begin(), waiting.begin() + adjoints},
                         {extended.begin(), extended.begin() + loops}};
    s.to.simplifying = true;
    s.to.precise = precise;
    return s;
  }
};
template <class Part, graph_size Room, int Adjoints, int Loops>
inline constexpr static_sweep<Room, Adjoints, Loops> swept_in_room{Part::swept()};

/// Part `P` of the way back through `Front::simplified`, of parts of `Nodes` nodes, from the end.
template <class Front, int Nodes, int P>
struct sweep_part {
  static constexpr graph_size size = size_of(Front::simplified);
  static constexpr pass::paused_sweep before() {
    if constexpr (P == 0) return pass::begin_sweep(Front::simplified, Front::is_precise);
    else return sweep_part<Front, Nodes, P - 1>::value().paused();
  }
  static constexpr pass::paused_sweep swept() {
    return pass::sweep_on(Front::simplified, before(), Front::wanted().nodes, size[0] - (P + 1) * Nodes);
  }
  /// The sweep behind this part, made once, or twice where it has more parts than is usual.
  static consteval auto const& value() {
    constexpr auto const& made = swept_in_room<sweep_part, room_for(size), size[1] + 1, (size[3] == 0 ? 0 : size[0])>;
    if constexpr (made.fits()) return made;
    else return swept_in_room<sweep_part, made.to.size, made.adjoints, made.loops>;
  }
};

/// The graph of `Front::simplified` with the gradients by `wanted`, the nodes of `Front::wanted()`: swept at once, or
/// in parts where one constant might take more steps than compilers allow.
template <class Front>
constexpr graph derivatives_of(const_span<int> wanted) {
  constexpr int nodes = static_cast<int>(Front::simplified.nodes.size());
  if constexpr (nodes * steps_of_derivatives <= steps_surely_allowed) {
    return pass::differentiate(Front::simplified, wanted, Front::is_precise);
  } else {
    // A part first copies the graph as it has become: for large programs as many steps again, and more.
    constexpr int each = static_cast<int>(steps_surely_allowed / steps_of_derivatives) / 3;
    return pass::end_sweep(Front::simplified, sweep_part<Front, each, (nodes - 1) / each>::before(), wanted);
  }
}

}  // namespace detail
ETCH_NAMESPACE_END

// at_origin: a graph at the origin of a tangent space, where what is linear in the tangent vector is exactly nothing.
#pragma once

#include <etch/op/leaf.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

constexpr void at_origin(graph& b, sequence<int> const& origin);

/// Loop `id` of `b` with what is captured and vanishes as nothing in its body too.
constexpr term loop_at_origin(graph& to, graph_view b, int id, sequence<char> const& vanishes,
                              const_span<int> operands) {
  const_span<int> const of = b.operands(id);
  return changed_loop(to, b[id], operands, [&](loop_body& l) {
    sequence<int> origin;
    for (std::size_t i = 0; i < l.in.size(); ++i)
      if (l.in.entry[i] == loop_input::captured && vanishes.entry[of[i]]) origin.push_back(static_cast<int>(i));
    at_origin(l.body, origin);
  });
}

/// Puts zeros in the place of the inputs at positions `origin`, after all derivatives were taken. A product with such a
/// zero is one, whatever it is multiplied by: so of a retraction nothing is left but x, of its derivatives their closed
/// forms at the origin. (A zero that the user wrote is a number: its product with an infinity is NaN.)
constexpr void at_origin(graph& b, sequence<int> const& origin) {
  graph to;
  to.reserve(b.size());
  to.pool = b.pool;
  to.simplifying = true;
  int const count = b.size();
  sequence<int> at = filled(static_cast<std::size_t>(count), 0), operands;
  sequence<char> vanishes = filled(static_cast<std::size_t>(count), char{0});
  for (int id = 0; id < count; ++id) {
    node const n = b[id];
    bool any = false, all = n.arity > 0, is_nothing = false;
    for (int of : b.operands(id)) any = any || vanishes.entry[of], all = all && vanishes.entry[of];
    linearity const linear = any ? facts_of(n).linear : linearity::none;
    if (n.op == opcode_of<op::input>)
      for (int position : origin) is_nothing = is_nothing || static_cast<attribute>(position) == n.attributes;
    is_nothing = is_nothing || linear == linearity::separate || (linear == linearity::joint && all);
    term const y = is_nothing                   ? fit(constant(to, n.type, 0), n.extent)
                   : any && facts_of(n).is_loop ? loop_at_origin(to, b, id, vanishes, mapped(b, id, at, operands))
                                                : same_node(to, n, mapped(b, id, at, operands));
    at.entry[id] = y.id;
    vanishes.entry[id] = is_nothing || (all && is_constant(is<op::broadcast>(y) ? y.operand(0) : y, 0));
  }
  for (int output : b.outputs) to.outputs.push_back(at.entry[output]);
  b = to;
}

}  // namespace pass
ETCH_NAMESPACE_END

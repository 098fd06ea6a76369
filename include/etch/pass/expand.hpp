// expand: replaces composites by their definitions, once no derivative of them is wanted any more.
#pragma once

#include <etch/pass/replay.hpp>

namespace etch::inline ETCH_ABI::pass {

/// The same values without composites and without stops of gradients: what remains has a kernel.
constexpr graph expand(graph_view g) {
  return rebuild(g, true, [](graph& to, node const& n, const_span<int> operands) -> term {
    op_facts const& op = facts_of(n);
    if (op.is_loop) return changed_loop(to, n, operands, [](loop_body& l) { l.body = expand(l.body); });
    if (op.is_composite) return rules_of(n).expand(to, n, operands);
    if (n.op == opcode_of<op::stop_gradient>) return {&to, operands[0]};
    return rules_of(n).insert(to, n, operands);
  });
}

}  // namespace etch::inline ETCH_ABI::pass

// The passes as the tests call them.
#include "pass/at_run_time.hpp"

#include <etch/pass/assemble.hpp>
#include <etch/pass/differentiate.hpp>
#include <etch/pass/expand.hpp>
#include <etch/pass/materialise.hpp>
#include <etch/pass/prune.hpp>
#include <etch/pass/reassociate.hpp>
#include <etch/pass/replay.hpp>
#include <etch/pass/simplify.hpp>
#include <etch/pass/strips.hpp>
#include <etch/pass/sum_first.hpp>
#include <etch/pass/verify.hpp>
#include <etch/run/interpret.hpp>

namespace at_run_time {

using namespace etch;

std::vector<numbers> interpret(graph_view g, std::vector<numbers> const& inputs) { return run::interpret(g, inputs); }

graph simplify(graph_view g) { return pass::simplify(g); }
graph differentiate(graph_view g, const_span<int> wrt, bool precise) { return pass::differentiate(g, wrt, precise); }
graph expand(graph_view g) { return pass::expand(g); }
graph sum_first(graph_view g) { return pass::sum_first(g); }
graph reassociate(graph_view g) { return pass::reassociate(g); }
graph in_narrow_strips(graph_view g) { return pass::strips(g, 1, {0, 0, 1}); }
graph prune(graph_view g) { return pass::prune(g); }
graph assemble(graph_view g) { return pass::assemble(g); }
graph materialise(graph_view g) { return pass::materialise(g); }
graph plain(graph_view g) {
  return pass::rebuild(g, false, [](graph& to, node const& n, const_span<int> operands) -> term {
    if (facts_of(n).is_composite) return rules_of(n).expand(to, n, operands);
    if (n.op == opcode_of<op::stop_gradient>) return {&to, operands[0]};
    return pass::same_node(to, n, operands);
  });
}

char const* find_fault(graph_view g) { return pass::find_fault(g); }

}  // namespace at_run_time

// The network as a lambda that scans the sequence.
#include <etch/etch.hpp>

#include "loss.hpp"
#include "problem.hpp"

namespace lstm_problem {

rival const here{"etch", [](data const& d, parameters& g) {
                   static auto step =
                       etch::compile<etch::wrt<0, 1>>(loss, d.model.main, d.model.extra, d.state, d.sequence);
                   return step(d.model.main, d.model.extra, d.state, d.sequence, etch::into(g.main, g.extra));
                 }};

}  // namespace lstm_problem

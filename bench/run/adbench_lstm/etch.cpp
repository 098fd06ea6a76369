// The network as a lambda that scans the sequence.
#include <etch/etch.hpp>

#include "loss.hpp"
#include "problem.hpp"

namespace lstm_problem {

namespace {

auto& program() {
  static data d;
  static auto step = etch::compile<etch::wrt<0, 1>>(loss, d.model.main, d.model.extra, d.state, d.sequence);
  return step;
}

}  // namespace

rival etch_rival() {
  return {
      "etch",
      [](data const& d, parameters& g) { return program()(d.model.main, d.model.extra, d.state, d.sequence, etch::into(g.main, g.extra)); },
      static_cast<double>(std::remove_reference_t<decltype(program())>::facts.flops)};
}

}  // namespace lstm_problem

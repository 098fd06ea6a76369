// The interpreter as the tests call it.
#include "run/interpreted.hpp"

#include <etch/run/interpret.hpp>

std::vector<std::vector<double>> reference::interpreted(etch::graph_view g, std::vector<std::vector<double>> const& inputs) {
  return etch::run::interpret(g, inputs);
}

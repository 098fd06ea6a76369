// interpreted: run::interpret, compiled once for all tests that call it at run time. Every unit with a call of its own would hold all ops.
#pragma once

#include <etch/core/graph.hpp>

#include <vector>

namespace reference {

/// The outputs of a graph without composites, from the entries of its leaves.
std::vector<std::vector<double>> interpreted(etch::graph_view g, std::vector<std::vector<double>> const& inputs);

}  // namespace reference

// The loss as a scan over the steps, compiled.
#include "loss.hpp"
#include "problem.hpp"

namespace {

constinit auto step = etch::compile(lstm_loss::loss<lstm::batch>, lstm::model{}, lstm::series{});

bench::rival<lstm> const here(
    "etch", [](lstm::inputs const& i, lstm::gradient& g) { return step(i.weights, i.x, etch::into(g)); },
    decltype(step)::facts.workspace_bytes);

}  // namespace

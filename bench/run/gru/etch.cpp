// The loss as a scan over the steps, compiled.
#include "loss.hpp"
#include "problem.hpp"

namespace {

constinit auto step = etch::compile(gru_loss::loss<gru::batch>, gru::model{}, gru::series{});

bench::rival<gru> const here(
    "etch", [](gru::inputs const& i, gru::gradient& g) { return step(i.weights, i.x, etch::into(g)); },
    decltype(step)::facts.workspace_bytes);

}  // namespace

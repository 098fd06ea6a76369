// The loss as a lambda, compiled.
#include "problem.hpp"

namespace {

constinit auto step = etch::compile<etch::wrt<0>>(gpt_loss, gpt2::gradient{}, decltype(gpt2::inputs::text){},
                                                  decltype(gpt2::inputs::following){});

// Parameters, gradient, both of Adam's moments and the workspace are known when this is compiled.
static_assert(4 * sizeof(gpt2::gradient) + static_cast<std::size_t>(decltype(step)::facts.workspace_bytes) <=
              2'600ull << 20);

bench::rival<gpt2> const here(
    "etch", [](gpt2::inputs const& i, gpt2::gradient& g) { return step(i.model, i.text, i.following, etch::into(g)); },
    decltype(step)::facts.workspace_bytes);

}  // namespace

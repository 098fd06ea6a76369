// The losses as lambdas, compiled.
#include "problem.hpp"

namespace {

constexpr auto of_block = [](auto block, auto x) { return sum(square(block(x))); };

constinit auto block =
    etch::compile<etch::wrt<0>>(of_block, transformer::gradient{}, decltype(transformer::inputs::x){});
constinit auto whole = etch::compile<etch::wrt<0>>(gpt_loss, small_gpt::gradient{}, decltype(small_gpt::inputs::text){},
                                                   decltype(small_gpt::inputs::following){});

bench::rival<transformer> const one(
    "etch", [](transformer::inputs const& i, transformer::gradient& g) { return block(i.model, i.x, etch::into(g)); },
    decltype(block)::facts.workspace_bytes);
bench::rival<small_gpt> const all(
    "etch",
    [](small_gpt::inputs const& i, small_gpt::gradient& g) {
      return whole(i.model, i.text, i.following, etch::into(g));
    },
    decltype(whole)::facts.workspace_bytes);

}  // namespace

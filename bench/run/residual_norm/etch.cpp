// The loss as a lambda, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace {

constexpr auto loss = []<class Model>(Model const& model, auto x) {
  auto const convolved = [&]<std::size_t Layer>(auto const& h, std::integral_constant<std::size_t, Layer>) {
    return model[Layer].norm.train(etch::conv2d<1, 1>(h, model[Layer].kernel));
  };
  auto const through = [&]<std::size_t Layer>(auto const& self, auto h, std::integral_constant<std::size_t, Layer> at) {
    if constexpr (Layer == residual_norm::layers) return h;
    else {
      auto const inner = relu(convolved(h, at));
      return self(self, h + convolved(inner, std::integral_constant<std::size_t, Layer + 1>{}),
                  std::integral_constant<std::size_t, Layer + 2>{});
    }
  };
  return sum(square(through(through, x, std::integral_constant<std::size_t, 0>{})));
};

constinit auto program = etch::compile<etch::wrt<0>>(loss, residual_norm::gradient{}, residual_norm::image{});

bench::rival<residual_norm> const here(
    "etch",
    [](residual_norm::inputs const& i, residual_norm::gradient& g) { return program(i.model, i.x, etch::into(g)); },
    decltype(program)::facts.workspace_bytes);

}  // namespace

// The loss as a scan over the steps, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace {

/// The state (h, c) after input `x`.
constexpr auto cell = [](auto const& layer, auto const& x, auto const& state) {
  auto const [h, c] = state;
  auto const [i, f, g, o] = etch::split<0, 4>(layer.input * x + layer.recurrent * h + layer.bias);
  auto const next = cwise_product(sigmoid(f), c) + cwise_product(sigmoid(i), tanh(g));
  return std::tuple{cwise_product(sigmoid(o), tanh(next)), next};
};

constexpr auto loss = [](auto layers, auto xs) {
  auto const zero = std::tuple{etch::zeros<lstm::width, lstm::batch>(), etch::zeros<lstm::width, lstm::batch>()};
  auto const states = etch::scan(
      [&](auto carry, auto x) {
        auto const first = cell(layers[0], x, std::get<0>(carry));
        auto const second = cell(layers[1], std::get<0>(first), std::get<1>(carry));
        return etch::step{std::tuple{first, second}, std::get<0>(second)};
      },
      std::tuple{zero, zero}, xs);
  return sum(square(states.y));
};

constinit auto step = etch::compile(loss, lstm::model{}, lstm::series{});

bench::rival<lstm> const here(
    "etch", [](lstm::inputs const& i, lstm::gradient& g) { return step(i.weights, i.x, etch::into(g)); },
    decltype(step)::facts.workspace_bytes);

}  // namespace

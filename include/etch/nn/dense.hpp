// dense: the fully connected layer.
#pragma once

#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>
#include <etch/nn/bias.hpp>
#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// weight * x + bias, for x of shape `[In]` or `[In, batch]`.
template <class T, int In, int Out, bool Bias = true>
struct dense {
  param<T, Out, In> weight;
  param<T, Out> bias;
  ETCH_MEMBERS(dense, weight, bias)

  static constexpr int inputs = In, outputs = Out;

  constexpr auto operator()(auto const& x) const { return weight * x + bias; }
  /// Tells `nn::init` how to fill the parameters.
  constexpr void initialise(auto const& draw) { draw(weight, In, Out), draw.zero(bias); }
};

/// weight * x.
template <class T, int In, int Out>
struct dense<T, In, Out, no_bias> {
  param<T, Out, In> weight;
  ETCH_MEMBERS(dense, weight)

  static constexpr int inputs = In, outputs = Out;

  constexpr auto operator()(auto const& x) const { return weight * x; }
  constexpr void initialise(auto const& draw) { draw(weight, In, Out); }
};

}  // namespace nn
ETCH_NAMESPACE_END

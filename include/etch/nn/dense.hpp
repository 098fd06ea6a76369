// dense: the fully connected layer.
#pragma once

#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>
#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// weight * x + bias, for x of shape `[In]` or `[In, batch]`.
template <class T, int In, int Out>
struct dense {
  param<T, Out, In> weight;
  param<T, Out> bias;
  ETCH_MEMBERS(dense, weight, bias)

  static constexpr int inputs = In, outputs = Out;

  constexpr auto operator()(auto const& x) const { return weight * x + bias; }
  /// Tells `nn::init` how to fill the parameters.
  constexpr void initialise(auto const& draw) { draw(weight, In, Out), draw.zero(bias); }
};

}  // namespace nn
ETCH_NAMESPACE_END

// bias: whether a layer has one.
#pragma once

#include <etch/base/namespace.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// The last argument of a layer that has no bias, as before a normalisation, which would take it off again:
/// `dense<T, 64, 64, no_bias>`. PyTorch's `bias=False`, Flax's `use_bias=False`.
inline constexpr bool no_bias = false;

}  // namespace nn
ETCH_NAMESPACE_END

// Shapes of scalars of a tape: tensors made of them, by the functions that make tensors of traced scalars.
#pragma once

#include <etch/op/concat.hpp>
#include <etch/op/prod.hpp>
#include <etch/op/reshape.hpp>

ETCH_NAMESPACE_BEGIN

/// A number of a tape as a tensor of one entry, in the shape `Dims`.
template <int... Dims, tape_scalar X>
auto reshape(X const& x) {
  return reshape<Dims...>(x.on_graph());
}
/// A number of a tape as a vector of one entry.
template <tape_scalar X>
auto flatten(X const& x) {
  return flatten(x.on_graph());
}
/// A number of a tape, repeated in the shape `Dims`.
template <int... Dims, tape_scalar X>
auto broadcast(X const& x) {
  return broadcast<Dims...>(x.on_graph());
}
/// The product of one entry: the number.
template <tape_scalar X>
auto prod(X const& x) {
  return prod(x.on_graph());
}

ETCH_NAMESPACE_END

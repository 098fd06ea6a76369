// dropout: entries left out at random while a model is trained.
#pragma once

#include <etch/op/random.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// `layer(x, key)`, for training, sets each entry to 0 with a probability of `Percent` / 100 and divides the others by
/// what is left, as `etch::dropout` does; `layer(x)`, for inference, is x. The key is an integer that the loss is
/// called with, a new one for each step, or a `random_key`: where a key is given to several layers of one model, each
/// takes a fold of its own, as `sequential` and `residual` see to. A layer of your own in them that holds such layers
/// takes `(x, key)` too, and hands the key on.
template <int Percent>
struct dropout {
  static_assert(Percent >= 0 && Percent <= 100, "etch: dropout's rate is given in percent");

  constexpr auto operator()(auto const& x) const { return x; }
  constexpr auto operator()(auto const& x, auto const& key) const { return etch::dropout(x, key, Percent / 100.0); }
};

namespace detail {

/// `layer(x, key)` for layers that draw random numbers, `layer(x)` for the others.
template <class Layer, class X, class Seed>
constexpr auto with_key(Layer const& layer, X const& x, random_key<Seed> const& key) {
  if constexpr (requires { layer(x, key); }) return layer(x, key);
  else return layer(x);
}

}  // namespace detail

}  // namespace nn
ETCH_NAMESPACE_END

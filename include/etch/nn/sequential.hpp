// sequential, residual: layers one after the other, and around others.
#pragma once

#include <etch/core/members.hpp>
#include <etch/nn/dropout.hpp>

#include <tuple>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// Layers applied one after the other. A layer is a struct template over the element tag with its parameters as
/// members, or has no members: `sequential<float, dense<float, 784, 32>, activation::tanh, dense<float, 32, 10>>`.
/// Layer i is `get<i>()`. With a key, as in `model(x, key)`, layer i draws its random numbers from `key.fold(i)`.
template <class T, class... Layer>
struct sequential {
  std::tuple<Layer...> layers;
  ETCH_MEMBERS(sequential, layers)

  template <int I>
  constexpr auto& get() {
    return std::get<I>(layers);
  }
  template <int I>
  constexpr auto const& get() const {
    return std::get<I>(layers);
  }

  constexpr auto operator()(auto const& x) const {
    return from<0>(x, [](auto const& layer, auto const& input, std::size_t) { return layer(input); });
  }
  constexpr auto operator()(auto const& x, etch::detail::key auto const& key) const {
    return from<0>(x, [own = etch::detail::key_of(key)](auto const& layer, auto const& input, std::size_t i) {
      return detail::with_key(layer, input, own.fold(i));
    });
  }

 private:
  template <std::size_t I>
  constexpr auto from(auto const& x, auto const& apply) const {
    if constexpr (I == sizeof...(Layer)) return x;
    else return from<I + 1>(apply(std::get<I>(layers), x, I), apply);
  }
};

/// x + layer(x).
template <class T, class Layer>
struct residual {
  Layer layer;
  ETCH_MEMBERS(residual, layer)

  constexpr auto operator()(auto const& x) const { return x + layer(x); }
  constexpr auto operator()(auto const& x, etch::detail::key auto const& key) const {
    return x + detail::with_key(layer, x, etch::detail::key_of(key));
  }
};

}  // namespace nn
ETCH_NAMESPACE_END

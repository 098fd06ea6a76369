// sequential, residual: layers one after the other, and around others.
#pragma once

#include <etch/core/members.hpp>

#include <tuple>

namespace etch::inline ETCH_ABI::nn {

/// Layers applied one after the other. A layer is a struct template over the element tag with its parameters as members, or has no members:
/// `sequential<float, dense<float, 784, 32>, activation::tanh, dense<float, 32, 10>>`. Layer i is `get<i>()`.
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

  constexpr auto operator()(auto const& x) const { return from<0>(x); }

 private:
  template <std::size_t I>
  constexpr auto from(auto const& x) const {
    if constexpr (I == sizeof...(Layer)) return x;
    else return from<I + 1>(std::get<I>(layers)(x));
  }
};

/// x + layer(x).
template <class T, class Layer>
struct residual {
  Layer layer;
  ETCH_MEMBERS(residual, layer)

  constexpr auto operator()(auto const& x) const { return x + layer(x); }
};

}  // namespace etch::inline ETCH_ABI::nn

// Layers without parameters: pooling, flattening, activations, and any function of one value, for
// use in `sequential` and in models.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// `etch::max_pool` as a layer.
template <int Size, int Stride = Size>
struct max_pool {
  constexpr auto operator()(auto const& x) const { return etch::max_pool<Size, Stride>(x); }
};

/// `etch::avg_pool` as a layer.
template <int Size, int Stride = Size>
struct avg_pool {
  constexpr auto operator()(auto const& x) const { return etch::avg_pool<Size, Stride>(x); }
};

/// The mean of every channel: `[channels, batch]` from images `[width, height, channels,
/// batch]`, the batch left out or not.
struct global_avg_pool {
  template <static_handle X>
  constexpr auto operator()(X const& x) const {
    if constexpr (X::extent.rank == 4) return reshape<X::extent[2], X::extent[3]>(mean<0, 1>(x));
    else return reshape<X::extent[2]>(mean<0, 1>(x));
  }
};

/// All entries of each sample in one column, width fastest, then height, then channels: `[entries, batch]` from images
/// `[width, height, channels, batch]`, a vector from a single image.
struct flatten {
  template <static_handle X>
  constexpr auto operator()(X const& x) const {
    if constexpr (X::extent.rank == 4) return reshape<-1, X::extent[3]>(x);
    else return etch::flatten(x);
  }
};

/// Any function of one traced value as a layer: `nn::function<[](auto x) { return tanh(x); }>`.
template <auto F>
struct function {
  constexpr auto operator()(auto const& x) const { return F(x); }
};

/// Activations as layers, by the names of the functions that they apply: the library's, or those of x's own namespace.
namespace activation {

/// `relu` as a layer.
struct relu {
  constexpr auto operator()(auto const& x) const {
    using etch::relu;
    return relu(x);
  }
};
/// `tanh` as a layer.
struct tanh {
  constexpr auto operator()(auto const& x) const {
    using etch::tanh;
    return tanh(x);
  }
};
/// `sigmoid` as a layer.
struct sigmoid {
  constexpr auto operator()(auto const& x) const {
    using etch::sigmoid;
    return sigmoid(x);
  }
};
/// `gelu` as a layer.
struct gelu {
  constexpr auto operator()(auto const& x) const {
    using etch::gelu;
    return gelu(x);
  }
};
/// `silu` as a layer.
struct silu {
  constexpr auto operator()(auto const& x) const {
    using etch::silu;
    return silu(x);
  }
};
/// `softplus` as a layer.
struct softplus {
  constexpr auto operator()(auto const& x) const {
    using etch::softplus;
    return softplus(x);
  }
};

}  // namespace activation

}  // namespace nn
ETCH_NAMESPACE_END

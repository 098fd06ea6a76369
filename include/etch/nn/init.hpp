// Initial values of a model's parameters, from an explicit seed.
#pragma once

#include <etch/core/named_view.hpp>
#include <etch/nn/random.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn::init {

namespace detail {

/// Calls `f(layer)` for every layer in `m`, in the order of members: for what has a member `initialise`.
template <class M, class F>
constexpr void for_each_layer(M& m, F const& f) {
  if constexpr (requires { m.initialise(f); }) {
    f.next_layer();
    m.initialise(f);
  } else if constexpr (reflected<M>) {
    for_each_member<M>([&](auto i) { for_each_layer(member<i>(m), f); });
  } else if constexpr (requires { std::tuple_size<M>::value; }) {
    std::apply([&](auto&... each) { (for_each_layer(each, f), ...); }, m);
  }
}

/// Fills the parameters of a layer: `draw(weights, in, out)` where `in` numbers meet in each of `out` results,
/// `draw.zero(bias)`. Layer l draws from stream l. `scale(in, out)` is a standard deviation or a half width.
template <class Scale, class Distribution>
class drawing {
 public:
  constexpr drawing(std::uint64_t seed, Scale scale, Distribution distribution)
      : seed_(seed), scale_(scale), distribution_(distribution) {}

  constexpr void operator()(auto& weights, int in, int out) const {
    double const s = scale_(double(in), double(out));
    for (auto& w : weights) w = static_cast<std::remove_reference_t<decltype(w)>>(distribution_(random_, s));
  }
  constexpr void zero(auto& bias) const {
    for (auto& b : bias) b = 0;
  }
  constexpr void next_layer() const { random_ = generator(seed_, layer_++); }

 private:
  std::uint64_t seed_;
  Scale scale_;
  Distribution distribution_;
  mutable std::uint64_t layer_ = 0;
  mutable generator random_{0};
};

template <class M>
constexpr void fill(M& model, std::uint64_t seed, auto scale, auto distribution) {
  for_each_layer(model, drawing(seed, scale, distribution));
}

constexpr double uniform(generator& random, double width) { return random.uniform(-width, width); }
constexpr double normal(generator& random, double deviation) { return deviation * random.normal(); }

}  // namespace detail

/// Glorot's uniform initialisation, half width sqrt(6 / (in + out)): for tanh and sigmoid (X.
/// Glorot, Y. Bengio, AISTATS 2010).
template <class M>
void glorot_uniform(M& model, std::uint64_t seed) {
  detail::fill(model, seed, [](double in, double out) { return std::sqrt(6 / (in + out)); }, detail::uniform);
}
/// Glorot's normal initialisation, deviation sqrt(2 / (in + out)).
template <class M>
void glorot_normal(M& model, std::uint64_t seed) {
  detail::fill(model, seed, [](double in, double out) { return std::sqrt(2 / (in + out)); }, detail::normal);
}
/// He's uniform initialisation, half width sqrt(6 / in): for relu (K. He et al., ICCV 2015).
template <class M>
void he_uniform(M& model, std::uint64_t seed) {
  detail::fill(model, seed, [](double in, double) { return std::sqrt(6 / in); }, detail::uniform);
}
/// He's normal initialisation, deviation sqrt(2 / in).
template <class M>
void he_normal(M& model, std::uint64_t seed) {
  detail::fill(model, seed, [](double in, double) { return std::sqrt(2 / in); }, detail::normal);
}

}  // namespace nn::init
ETCH_NAMESPACE_END

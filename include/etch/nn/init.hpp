// Initial values of a model's parameters, from an explicit seed.
#pragma once

#include <etch/core/record.hpp>
#include <etch/nn/dense.hpp>
#include <etch/nn/random.hpp>

namespace etch::inline ETCH_ABI::nn::init {

namespace detail {

/// Calls `f(layer)` for every dense layer in `m`, in the order of members.
template <class M>
constexpr void for_each_layer(M& m, auto const& f) {
  if constexpr (requires { M::inputs, M::outputs, m.weight, m.bias; }) {
    f(m);
  } else if constexpr (reflected<M>) {
    for_each_member<M>([&](auto i) { for_each_layer(member<i>(m), f); });
  } else if constexpr (requires { std::tuple_size<M>::value; }) {
    std::apply([&](auto&... each) { (for_each_layer(each, f), ...); }, m);
  }
}

/// Weights from `draw(generator, scale)`, biases zero. `scale(in, out)` is a standard deviation or a half width. Layer l draws from stream
/// l.
template <class M>
constexpr void fill(M& model, std::uint64_t seed, auto scale, auto draw) {
  std::uint64_t layer = 0;
  for_each_layer(model, [&](auto& d) {
    generator random(seed, layer++);
    double const s = scale(double(d.inputs), double(d.outputs));
    for (auto& w : d.weight) w = static_cast<std::remove_reference_t<decltype(w)>>(draw(random, s));
    for (auto& b : d.bias) b = 0;
  });
}

constexpr double uniform(generator& random, double width) { return random.uniform(-width, width); }
constexpr double normal(generator& random, double deviation) { return deviation * random.normal(); }

}  // namespace detail

/// Glorot's uniform initialisation, half width sqrt(6 / (in + out)): for tanh and sigmoid (X. Glorot, Y. Bengio, AISTATS 2010).
template <class M>
void glorot_uniform(M& model, std::uint64_t seed) {
  detail::fill(
      model, seed, [](double in, double out) { return std::sqrt(6 / (in + out)); }, detail::uniform);
}
/// Glorot's normal initialisation, deviation sqrt(2 / (in + out)).
template <class M>
void glorot_normal(M& model, std::uint64_t seed) {
  detail::fill(
      model, seed, [](double in, double out) { return std::sqrt(2 / (in + out)); }, detail::normal);
}
/// He's uniform initialisation, half width sqrt(6 / in): for relu (K. He et al., ICCV 2015).
template <class M>
void he_uniform(M& model, std::uint64_t seed) {
  detail::fill(
      model, seed, [](double in, double) { return std::sqrt(6 / in); }, detail::uniform);
}
/// He's normal initialisation, deviation sqrt(2 / in).
template <class M>
void he_normal(M& model, std::uint64_t seed) {
  detail::fill(
      model, seed, [](double in, double) { return std::sqrt(2 / in); }, detail::normal);
}

}  // namespace etch::inline ETCH_ABI::nn::init

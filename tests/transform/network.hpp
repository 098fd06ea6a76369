// network: a small network with a squared error, as a traced function and by hand, a sample at a time in doubles.
#pragma once

#include "transform/values.hpp"

#include <etch/nn/dense.hpp>
#include <etch/optim/leaves.hpp>

#include <cmath>
#include <vector>

namespace networks {

constexpr int inputs = 3, outputs = 2;

template <class T, int Width>
struct network {
  etch::nn::dense<T, inputs, Width> first;
  etch::nn::dense<T, Width, Width> second;
  etch::nn::dense<T, Width, outputs> last;
  ETCH_MEMBERS(network, first, second, last)

  constexpr auto operator()(auto const& x) const { return last(tanh(second(tanh(first(x))))); }
};

template <class Network>
Network filled() {
  Network net;
  int seed = 0;
  etch::optim::for_each_leaf(net, [&]<class T>(std::size_t n, T* w) {
    ++seed;
    for (std::size_t i = 0; i < n; ++i) w[i] = static_cast<T>(0.4 * std::sin(1.3 * static_cast<double>(i + 1) * seed));
  });
  return net;
}

constexpr auto error = [](auto net, auto x, auto y) { return sum(square(net(x) - y)); };

template <class Layer, class X>
auto affine(Layer const& l, X const& x) {
  etch::tensor<double, Layer::outputs> y = l.bias;
  for (int j = 0; j < Layer::inputs; ++j)
    for (int i = 0; i < Layer::outputs; ++i) y(i) += l.weight(i, j) * x(j);
  return y;
}
template <class X>
X tanh_of(X x) {
  for (double& each : x) each = std::tanh(each);
  return x;
}
/// Adds to the gradient of a layer, and gives that of its operand.
template <class Layer, class G, class X>
X back(Layer const& l, G const& g, X const& x, Layer& gradient) {
  X to{};
  for (int j = 0; j < Layer::inputs; ++j)
    for (int i = 0; i < Layer::outputs; ++i) {
      gradient.weight(i, j) += g(i) * x(j);
      to(j) += l.weight(i, j) * g(i);
    }
  for (int i = 0; i < Layer::outputs; ++i) gradient.bias(i) += g(i);
  return to;
}
template <class X>
X behind_tanh(X g, X const& y) {
  for (std::size_t i = 0; i < g.size(); ++i) g[i] *= 1 - y[i] * y[i];
  return g;
}

/// The facts about one sample.
template <int Width>
struct sample {
  etch::tensor<double, outputs> result{};
  double value = 0;
  network<double, Width> gradient{};
  etch::tensor<double, inputs> of_x{};
  etch::tensor<double, outputs> of_y{};

  sample(network<double, Width> const& net, etch::tensor<double, inputs> const& x,
         etch::tensor<double, outputs> const& y) {
    auto const h = tanh_of(affine(net.first, x)), k = tanh_of(affine(net.second, h));
    result = affine(net.last, k);
    etch::tensor<double, outputs> g;
    for (int i = 0; i < outputs; ++i) {
      double const miss = result(i) - y(i);
      value += miss * miss;
      g(i) = 2 * miss;
      of_y(i) = -g(i);
    }
    auto const of_k = behind_tanh(back(net.last, g, k, gradient.last), k);
    of_x = back(net.first, behind_tanh(back(net.second, of_k, h, gradient.second), h), x, gradient.first);
  }
};

/// Entry `n` of the last axis of a matrix.
template <class T, int Rows, int Columns>
etch::tensor<double, Rows> column(etch::tensor<T, Rows, Columns> const& x, int n) {
  etch::tensor<double, Rows> y;
  for (int i = 0; i < Rows; ++i) y(i) = static_cast<double>(x(i, n));
  return y;
}

/// All entries of a model, one after the other.
template <class Model>
std::vector<double> entries(Model model) {
  std::vector<double> all;
  etch::optim::for_each_leaf(model, [&](std::size_t n, auto* w) {
    for (std::size_t i = 0; i < n; ++i) all.push_back(static_cast<double>(w[i]));
  });
  return all;
}

}  // namespace networks

// Second derivatives of a normalised layer and a convolution against PyTorch.
#include "golden/second_order.hpp"

namespace {

using namespace golden;

template <class T>
struct layer {
  param<T, 4, 2> x;
  param<T, 4> gain;
  param<T, 4> bias;
  ETCH_MEMBERS(layer, x, gain, bias)
};
constexpr auto normalised = [](auto m, auto weight) {
  auto const z = m.x - mean<0>(m.x);
  auto const y = z / sqrt(mean<0>(square(z)) + 1e-5);
  return sum(cwise_product(weight, tanh(cwise_product(m.gain, y) + m.bias)));
};

template <class T>
struct filter {
  param<T, 3, 3, 1, 2> K;
  param<T, 2> k;
  ETCH_MEMBERS(filter, K, k)
};
constexpr auto convolution = [](auto m, auto images) {
  return sum(square(max_pool<2>(relu(conv2d(images, m.K) + reshape<1, 1, 2>(m.k)))));
};

}  // namespace

TEST_CASE("second derivatives of a normalised layer by its input, gain and bias") {
  file const f = second_order::read_text(second_order::layer_norm);
  layer<double> m;
  assign(m.x, f.input.at("x")), assign(m.gain, f.input.at("gain")), assign(m.bias, f.input.at("bias"));
  tensor<double, 4, 2> weight;
  assign(weight, f.input.at("weight"));
  second_order::check(f, normalised, m, weight);
}

TEST_CASE("second derivatives of a convolution, rectified and pooled, by its kernel and bias") {
  file const f = second_order::read_text(second_order::convolution);
  filter<double> m;
  assign(m.K, f.input.at("K")), assign(m.k, f.input.at("k"));
  tensor<double, 6, 7, 1, 2> images;
  assign(images, f.input.at("images"));
  second_order::check(f, convolution, m, images);
}

#include <etch/etch.hpp>

#include "golden/golden.hpp"
#include "nn/derivatives.hpp"

namespace {

using namespace etch;

/// Cross-correlation by loops: y[p, q, o, n] = bias[o] + sum over taps and the channels of o's group.
template <int Stride, int Padding, int Dilation, int Groups, int W, int H, int C, int N, int K, int L, int G, int O>
double convolved_by_loops(tensor<double, W, H, C, N> const& x, tensor<double, K, L, G, O> const& w, int p, int q, int o,
                          int n) {
  static_assert(G * Groups == C);
  double sum = 0;
  for (int c = 0; c < G; ++c)
    for (int j = 0; j < L; ++j)
      for (int i = 0; i < K; ++i) {
        int const a = Stride * p + Dilation * i - Padding, b = Stride * q + Dilation * j - Padding;
        if (a >= 0 && a < W && b >= 0 && b < H) sum += x(a, b, o / (O / Groups) * G + c, n) * w(i, j, c, o);
      }
  return sum;
}

template <int Stride, int Padding, int Dilation, int Groups>
void check_conv2d() {
  nn::conv2d<double, 4, 6, 3, Stride, Padding, Dilation, Groups> layer;
  tensor<double, 8, 7, 4, 2> x;
  layers::fill(layer, 1);
  layers::fill(x, 2);
  auto const forward = [](auto l, auto in) { return l(in); };
  auto step = compile<wrt<>>(forward, layer, x);
  auto const& y = step(layer, x);
  using Y = std::remove_cvref_t<decltype(y)>;
  constexpr shape s = Y::extent;
  int wrong = 0;
  for (int n = 0; n < s[3]; ++n)
    for (int o = 0; o < s[2]; ++o)
      for (int q = 0; q < s[1]; ++q)
        for (int p = 0; p < s[0]; ++p)
          wrong += std::abs(y(p, q, o, n) - layer.bias(o) -
                            convolved_by_loops<Stride, Padding, Dilation, Groups>(x, layer.kernel, p, q, o, n)) > 1e-12;
  CHECK(wrong == 0);
}

TEST_CASE("conv2d is what loops give, for strides, paddings, dilations and groups") {
  check_conv2d<1, 0, 1, 1>();
  check_conv2d<2, 1, 1, 1>();
  check_conv2d<1, 2, 2, 2>();
  check_conv2d<3, 1, 1, 2>();
}

TEST_CASE("a depthwise layer convolves every channel on its own") {
  using layer_type = nn::depthwise_conv2d<double, 4, 3, 1, 1, 1, 2>;
  static_assert(std::is_same_v<layer_type, nn::conv2d<double, 4, 8, 3, 1, 1, 1, 4>>);
  layer_type layer;
  tensor<double, 5, 4, 4> x;
  layers::fill(layer, 3);
  layers::fill(x, 4);
  layers::check_derivatives(wrt<0, 1>{}, [](auto l, auto in) { return sum(square(l(in))); }, layer, x);
}

TEST_CASE("conv1d is conv2d of images of height 1, padded along the sequence alone") {
  nn::conv1d<double, 4, 6, 3, 2, 2, 2, 2> layer;
  tensor<double, 9, 4, 2> x;
  layers::fill(layer, 5);
  layers::fill(x, 6);
  auto step = compile<wrt<>>([](auto l, auto in) { return l(in); }, layer, x);
  auto const& y = step(layer, x);
  static_assert(std::is_same_v<decltype(y), tensor<double, 5, 6, 2> const&>);
  for (int n = 0; n < 2; ++n)
    for (int o = 0; o < 6; ++o)
      for (int p = 0; p < 5; ++p) {
        double expected = layer.bias(o);
        for (int c = 0; c < 2; ++c)
          for (int i = 0; i < 3; ++i)
            if (int const a = 2 * p + 2 * i - 2; a >= 0 && a < 9)
              expected += x(a, o / 3 * 2 + c, n) * layer.kernel(i, c, o);
        CHECK(y(p, o, n) == doctest::Approx(expected).epsilon(1e-12));
      }
  layers::check_derivatives(wrt<0, 1>{}, [](auto l, auto in) { return sum(square(l(in))); }, layer, x);
  tensor<double, 9, 4> alone;
  layers::fill(alone, 7);
  layers::check_derivatives(wrt<0, 1>{}, [](auto l, auto in) { return sum(square(l(in))); }, layer, alone);
}

template <class Layer, class Bare, class X>
void check_without_bias(X x) {
  Layer layer;
  Bare bare;
  static_assert(member_count<Bare> == 1 && Bare::inputs == Layer::inputs && Bare::outputs == Layer::outputs);
  layers::fill(bare, 8);
  layers::fill(x, 9);
  layer.kernel = bare.kernel;
  layer.bias.fill(0);
  auto const apply = [](auto l, auto in) { return l(in); };
  auto a = compile<wrt<>>(apply, layer, x), b = compile<wrt<>>(apply, bare, x);
  CHECK(a(layer, x) == b(bare, x));
  layers::check_derivatives(wrt<0, 1>{}, [](auto l, auto in) { return sum(square(l(in))); }, bare, x);
}

TEST_CASE("a layer without a bias gives what one gives whose bias is 0") {
  check_without_bias<nn::conv1d<double, 4, 6, 3, 2, 1, 1, 2>, nn::conv1d<double, 4, 6, 3, 2, 1, 1, 2, nn::no_bias>>(
      tensor<double, 9, 4, 2>{});
  check_without_bias<nn::conv2d<double, 4, 6, 3, 2, 1, 1, 2>, nn::conv2d<double, 4, 6, 3, 2, 1, 1, 2, nn::no_bias>>(
      tensor<double, 7, 6, 4, 2>{});
  check_without_bias<nn::conv_transpose2d<double, 3, 2, 3, 2, 1, 1, 1, 1>,
                     nn::conv_transpose2d<double, 3, 2, 3, 2, 1, 1, 1, 1, nn::no_bias>>(tensor<double, 3, 4, 3>{});
  check_without_bias<nn::depthwise_conv2d<double, 4, 3, 1, 1, 1, 2>,
                     nn::depthwise_conv2d<double, 4, 3, 1, 1, 1, 2, nn::no_bias>>(tensor<double, 5, 4, 4>{});
}

TEST_CASE("conv_transpose2d has the size that PyTorch gives it, and exact gradients") {
  nn::conv_transpose2d<double, 3, 2, 3, 2, 1, 1, 1, 1> layer;
  tensor<double, 3, 4, 3> x;
  layers::fill(layer, 11);
  layers::fill(x, 12);
  layers::check_derivatives(
      wrt<0, 1>{},
      [](auto l, auto in) {
        auto const y = l(in);
        static_assert(std::is_same_v<decltype(y), expr<double, 6, 8, 2> const>);
        return sum(square(y));
      },
      layer, x);
}

template <class T>
void conv_stride_pad() {
  golden::file const f = golden::file::read("conv_stride_pad");
  if (!f.present()) return;
  nn::conv2d<T, 2, 3, 3, 2, 1> layer;
  tensor<T, 7, 6, 2, 2> x;
  golden::assign(layer.kernel, f.input.at("K"));
  golden::assign(layer.bias, f.input.at("k"));
  golden::assign(x, f.input.at("x"));
  auto const [value, g] = value_and_grad<wrt<0, 1>>([](auto l, auto in) { return sum(tanh(l(in))); })(layer, x);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <=
        golden::tolerance<T> * std::abs(f.value.at("loss")[0]));
  golden::compare(std::get<0>(g).kernel, f.grad.at("K"), golden::tolerance<T>);
  golden::compare(std::get<0>(g).bias, f.grad.at("k"), golden::tolerance<T>);
  golden::compare(std::get<1>(g), f.grad.at("x"), golden::tolerance<T>);
}
TEST_CASE("a layer with stride and padding against PyTorch") {
  conv_stride_pad<double>();
  conv_stride_pad<float>();
}

}  // namespace

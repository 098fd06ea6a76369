#include <etch/etch.hpp>

#include "golden/golden.hpp"
#include "nn/derivatives.hpp"

namespace {

using namespace etch;

constexpr auto of_squares = [](auto layer, auto x) { return sum(square(layer(x) + 0.5)); };

template <class T>
void layer_norm_golden() {
  golden::file const f = golden::file::read("layer_norm");
  if (!f.present()) return;
  nn::layer_norm<T, 8> layer;
  tensor<T, 8, 5> x;
  golden::assign(layer.gain, f.input.at("gain"));
  golden::assign(layer.bias, f.input.at("bias"));
  golden::assign(x, f.input.at("x"));
  auto const [value, g] = value_and_grad<wrt<0, 1>>([](auto l, auto in) { return mean(exp(l(in))); })(layer, x);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <=
        golden::tolerance<T> * std::abs(f.value.at("loss")[0]));
  golden::compare(std::get<0>(g).gain, f.grad.at("gain"), golden::tolerance<T>);
  golden::compare(std::get<0>(g).bias, f.grad.at("bias"), golden::tolerance<T>);
  golden::compare(std::get<1>(g), f.grad.at("x"), golden::tolerance<T>);
}
TEST_CASE("layer_norm against PyTorch") {
  layer_norm_golden<double>();
  layer_norm_golden<float>();
}

TEST_CASE("rms_norm divides by the root of the mean square of each column") {
  nn::rms_norm<double, 3> layer;
  tensor<double, 3, 2> x;
  layers::fill(layer, 1);
  layers::fill(x, 2);
  auto step = compile<wrt<>>([](auto l, auto in) { return l(in); }, layer, x);
  auto const y = step(layer, x);
  for (int n = 0; n < 2; ++n) {
    double const root = std::sqrt((x(0, n) * x(0, n) + x(1, n) * x(1, n) + x(2, n) * x(2, n)) / 3 + 1e-6);
    for (int i = 0; i < 3; ++i) CHECK(y(i, n) == doctest::Approx(layer.gain(i) * x(i, n) / root).epsilon(1e-12));
  }
  layers::check_derivatives(wrt<0, 1>{}, of_squares, layer, x);
  nn::init::he_normal(layer, 1);
  CHECK(layer.gain == tensor<double, 3>{1, 1, 1});
}

/// Mean and variance of a channel of images.
struct moments {
  double mean = 0, variance = 0;
};
template <int W, int H, int C, int N>
moments of_channel(tensor<double, W, H, C, N> const& x, int c) {
  moments m;
  auto const each = [&](auto f) {
    for (int n = 0; n < N; ++n)
      for (int j = 0; j < H; ++j)
        for (int i = 0; i < W; ++i) f(x(i, j, c, n));
  };
  each([&](double e) { m.mean += e / (W * H * N); });
  each([&](double e) { m.variance += (e - m.mean) * (e - m.mean) / (W * H * N); });
  return m;
}

TEST_CASE("batch_norm in training: normalised by the batch, whose statistics are the gradient of the running ones") {
  nn::batch_norm<double, 3> layer;
  nn::batch_statistics<double, 3> running;
  nn::init::he_normal(running, 1);
  tensor<double, 4, 3, 3, 2> x;
  layers::fill(layer, 3);
  layers::fill(x, 4);
  auto normalise = compile<wrt<>>([](auto l, auto in) { return l.train(in); }, layer, x);
  auto const y = normalise(layer, x);
  auto const loss = [](auto l, auto in, auto state) { return sum(square(l.train(in) + 0.5)) + l.report(in, state); };
  auto step = compile<wrt<0, 2>>(loss, layer, x, running);
  double const value = step(layer, x, running);
  double expected = 0;
  for (double e : y) expected += (e + 0.5) * (e + 0.5);
  CHECK(value == doctest::Approx(expected).epsilon(1e-12));  // the report adds nothing
  for (int c = 0; c < 3; ++c) {
    moments const m = of_channel(x, c);
    CHECK(y(1, 2, c, 1) ==
          doctest::Approx(layer.gain(c) * (x(1, 2, c, 1) - m.mean) / std::sqrt(m.variance + 1e-5) + layer.bias(c))
              .epsilon(1e-12));
    CHECK(step.grad<2>().mean(c) == doctest::Approx(m.mean).epsilon(1e-12));
    CHECK(step.grad<2>().variance(c) == doctest::Approx(m.variance).epsilon(1e-12));
  }
  layers::check_derivatives(wrt<0, 1>{}, [](auto l, auto in) { return sum(square(l.train(in) + 0.5)); }, layer, x);

  running.update(step.grad<2>(), 24);
  for (int c = 0; c < 3; ++c) {
    moments const m = of_channel(x, c);
    CHECK(running.mean(c) == doctest::Approx(0.1 * m.mean).epsilon(1e-12));
    CHECK(running.variance(c) == doctest::Approx(0.9 + 0.1 * m.variance * 24 / 23).epsilon(1e-12));
  }
}

TEST_CASE("batch_norm for inference uses the running statistics; features as well as images") {
  nn::batch_norm<double, 3> layer;
  nn::batch_statistics<double, 3> running{{0.5, -1, 2}, {4, 0.25, 1}};
  tensor<double, 3, 5> x;
  layers::fill(layer, 5);
  layers::fill(x, 6);
  auto step = compile<wrt<>>([](auto l, auto in, auto state) { return l(in, state); }, layer, x, running);
  auto const y = step(layer, x, running);
  for (int n = 0; n < 5; ++n)
    for (int c = 0; c < 3; ++c)
      CHECK(y(c, n) ==
            doctest::Approx(layer.gain(c) * (x(c, n) - running.mean(c)) / std::sqrt(running.variance(c) + 1e-5) +
                            layer.bias(c))
                .epsilon(1e-12));
  layers::check_derivatives(wrt<0, 1>{}, [](auto l, auto in) { return sum(square(l.train(in) + 0.5)); }, layer, x);
}

TEST_CASE("batch_norm of sequences") {
  nn::batch_norm<double, 2> layer;
  tensor<double, 3, 2, 4> x;
  layers::fill(layer, 7);
  layers::fill(x, 8);
  auto step = compile<wrt<>>([](auto l, auto in) { return l.train(in); }, layer, x);
  auto const y = step(layer, x);
  for (int c = 0; c < 2; ++c) {
    double sum = 0;
    for (int n = 0; n < 4; ++n)
      for (int t = 0; t < 3; ++t) sum += y(t, c, n);
    CHECK(sum / 12 == doctest::Approx(layer.bias(c)).epsilon(1e-12));
  }
}

}  // namespace

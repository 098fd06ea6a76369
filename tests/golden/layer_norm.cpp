#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T>
void layer_norm() {
  file const f = file::read("layer_norm");
  if (!f.present()) return;
  tensor<T, 8, 5> x;
  tensor<T, 8, 1> gain;
  tensor<T, 8, 1> bias;
  assign(x, f.input.at("x"));
  assign(gain, f.input.at("gain"));
  assign(bias, f.input.at("bias"));
  auto const [value, gradients] = value_and_grad<wrt<0, 1, 2>>([](auto a, auto scale, auto shift) {
    auto const z = a - mean<0>(a);
    auto const y = z / sqrt(mean<0>(square(z)) + 1e-5);
    return mean(exp(cwise_product(scale, y) + shift));
  })(x, gain, bias);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T> * std::abs(f.value.at("loss")[0]));
  compare(std::get<0>(gradients), f.grad.at("x"), tolerance<T>);
  compare(std::get<1>(gradients), f.grad.at("gain"), tolerance<T>);
  compare(std::get<2>(gradients), f.grad.at("bias"), tolerance<T>);
}

}  // namespace

TEST_CASE("layer_norm") {
  layer_norm<double>();
  layer_norm<float>();
}

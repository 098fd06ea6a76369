#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T>
void conv_stride_pad() {
  file const f = file::read("conv_stride_pad");
  if (!f.present()) return;
  tensor<T, 3, 3, 2, 3> kernel;
  tensor<T, 3> bias;
  tensor<T, 7, 6, 2, 2> x;
  assign(kernel, f.input.at("K"));
  assign(bias, f.input.at("k"));
  assign(x, f.input.at("x"));
  auto const [value, gradients] = value_and_grad<wrt<0, 1, 2>>([](auto k, auto b, auto images) {
    return sum(tanh(conv2d<2, 1>(images, k) + reshape<1, 1, 3>(b)));
  })(kernel, bias, x);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T> * std::abs(f.value.at("loss")[0]));
  compare(std::get<0>(gradients), f.grad.at("K"), tolerance<T>);
  compare(std::get<1>(gradients), f.grad.at("k"), tolerance<T>);
  compare(std::get<2>(gradients), f.grad.at("x"), tolerance<T>);
}

}  // namespace

TEST_CASE("conv_stride_pad") {
  conv_stride_pad<double>();
  conv_stride_pad<float>();
}

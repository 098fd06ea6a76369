#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T>
void elementwise() {
  file const f = file::read("elementwise");
  if (!f.present()) return;
  tensor<T, 6, 5> x;
  tensor<T, 6, 5> y;
  assign(x, f.input.at("x"));
  assign(y, f.input.at("y"));
  auto const [value, gradients] = value_and_grad<wrt<0, 1>>([](auto a, auto b) {
    auto z = cwise_product(sin(a), cos(b)) + atan2(a, 2 + square(b)) + sqrt(1 + square(a));
    z = z + softplus(b) + gelu(a) + sigmoid(cwise_product(a, b)) + log1p(square(b)) + abs(a);
    return mean(cwise_product(z, max(a, b)));
  })(x, y);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T> * std::abs(f.value.at("loss")[0]));
  compare(std::get<0>(gradients), f.grad.at("x"), tolerance<T>);
  compare(std::get<1>(gradients), f.grad.at("y"), tolerance<T>);
}

}  // namespace

TEST_CASE("elementwise") {
  elementwise<double>();
  elementwise<float>();
}

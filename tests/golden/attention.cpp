#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T>
void attention() {
  file const f = file::read("attention");
  if (!f.present()) return;
  tensor<T, 4, 6> Q;
  tensor<T, 4, 6> K;
  tensor<T, 3, 6> V;
  assign(Q, f.input.at("Q"));
  assign(K, f.input.at("K"));
  assign(V, f.input.at("V"));
  auto const [value, gradients] = value_and_grad<wrt<0, 1, 2>>([](auto q, auto k, auto v) {
    auto const scores = transpose(k) * q / 2;  // the root of 4 rows
    return sum(square(v * softmax<0>(scores)));
  })(Q, K, V);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T> * std::abs(f.value.at("loss")[0]));
  compare(std::get<0>(gradients), f.grad.at("Q"), tolerance<T>);
  compare(std::get<1>(gradients), f.grad.at("K"), tolerance<T>);
  compare(std::get<2>(gradients), f.grad.at("V"), tolerance<T>);
}

}  // namespace

TEST_CASE("attention") {
  attention<double>();
  attention<float>();
}

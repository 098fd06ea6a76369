#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T>
void chain() {
  file const f = file::read("chain_10");
  if (!f.present()) return;
  tensor<T, 12, 12> x, z;
  assign(x, f.input.at("x"));
  assign(z, f.input.at("z"));
  auto const [value, gradients] = value_and_grad<wrt<0, 1>>([](auto a, auto b) {
    for (int step = 0; step < 10; ++step) b = a * b;
    return sum(b);
  })(x, z);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T> * std::abs(f.value.at("loss")[0]));
  compare(std::get<0>(gradients), f.grad.at("x"), tolerance<T>);
  compare(std::get<1>(gradients), f.grad.at("z"), tolerance<T>);
}

template <class T>
void log_sum_exp() {
  file const f = file::read("log_sum_exp_large");
  if (!f.present()) return;
  tensor<T, 3, 4> x;
  assign(x, f.input.at("x"));
  auto const [value, gradient] = value_and_grad([](auto a) { return logsumexp(a); })(x);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T> * std::abs(f.value.at("loss")[0]));
  compare(gradient, f.grad.at("x"), tolerance<T>);
}

}  // namespace

TEST_CASE("chain_10") {
  chain<double>();
  chain<float>();
}
TEST_CASE("log_sum_exp_large") {
  log_sum_exp<double>();
  log_sum_exp<float>();
}

#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T>
void gaussian_log_density() {
  file const f = file::read("gaussian_log_density");
  if (!f.present()) return;
  tensor<T, 50, 1> x;
  tensor<T, 1, 1> mu;
  tensor<T, 1, 1> log_sigma;
  assign(x, f.input.at("x"));
  assign(mu, f.input.at("mu"));
  assign(log_sigma, f.input.at("log_sigma"));
  auto const [value, gradients] = value_and_grad<wrt<0, 1, 2>>([](auto a, auto m, auto log_s) {
    return sum(-0.5 * square((a - m) / exp(log_s)) - log_s - 0.9189385332046727);
  })(x, mu, log_sigma);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T> * std::abs(f.value.at("loss")[0]));
  compare(std::get<0>(gradients), f.grad.at("x"), tolerance<T>);
  compare(std::get<1>(gradients), f.grad.at("mu"), tolerance<T>);
  compare(std::get<2>(gradients), f.grad.at("log_sigma"), tolerance<T>);
}

}  // namespace

TEST_CASE("gaussian_log_density") {
  gaussian_log_density<double>();
  gaussian_log_density<float>();
}

#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T>
void log_sum_exp() {
  file const f = file::read("log_sum_exp_large");
  if (!f.present()) return;
  tensor<T, 3, 4> x;
  assign(x, f.input.at("x"));
  auto const [value, gradients] = value_and_grad<wrt<0>>([](auto a) { return logsumexp(flatten(a)); })(x);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T> * std::abs(f.value.at("loss")[0]));
  compare(gradients, f.grad.at("x"), tolerance<T>);
}

}  // namespace

TEST_CASE("log_sum_exp_large") {
  log_sum_exp<double>();
  log_sum_exp<float>();
}

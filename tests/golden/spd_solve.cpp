#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T>
void spd_solve() {
  file const f = file::read("spd_solve");
  if (!f.present()) return;
  tensor<T, 5, 5> A;
  tensor<T, 5, 1> b;
  assign(A, f.input.at("A"));
  assign(b, f.input.at("b"));
  auto const [value, gradients] = value_and_grad<wrt<0, 1>>([](auto a, auto y) {
    auto const s = a * transpose(a) + identity<5>();
    return sum(cwise_product(y, solve(s, y))) + logdet(s);
  })(A, b);
  CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T> * std::abs(f.value.at("loss")[0]));
  compare(std::get<0>(gradients), f.grad.at("A"), tolerance<T>);
  compare(std::get<1>(gradients), f.grad.at("b"), tolerance<T>);
}

}  // namespace

TEST_CASE("spd_solve") {
  spd_solve<double>();
  spd_solve<float>();
}

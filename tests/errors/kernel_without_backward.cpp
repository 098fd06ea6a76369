// expect: the derivative of a kernel is asked for, and its struct has no static function backward(u, y, x..., gx...)
// lines: 20
#include <etch/etch.hpp>

#include <span>

struct doubled {
  static void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i];
  }
#ifndef MISTAKE
  static void backward(std::span<double const> u, std::span<double const>, std::span<double const>,
                       std::span<double> gx) {
    for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = 2 * u[i];
  }
#endif
};

int main() {
  auto loss = [](auto x) { return sum(etch::kernel<doubled>(x)); };
  auto step = etch::compile(loss, etch::tensor<double, 3>{});  // here
  return static_cast<int>(step(etch::tensor<double, 3>{1, 2, 3}));
}

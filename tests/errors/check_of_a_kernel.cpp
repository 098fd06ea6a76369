// expect: the derivative of a kernel in a direction is asked for, and its struct has no static function along(v..., y, x..., dy)
// lines: 40
#include <etch/etch.hpp>

#include <span>

struct doubled {
  static void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i];
  }
  static void backward(std::span<double const> u, std::span<double const>, std::span<double const>,
                       std::span<double> gx) {
    for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = 2 * u[i];
  }
#if !defined(MISTAKE)
  static void along(std::span<double const> v, std::span<double const>, std::span<double const>,
                    std::span<double> dy) {
    for (std::size_t i = 0; i < dy.size(); ++i) dy[i] = 2 * v[i];
  }
#endif
};

int main() {
  etch::tensor<double, 3> const x{1, 2, 3};
  return etch::check_gradient([](auto z) { return sum(etch::kernel<doubled>(z)); }, x).ok ? 0 : 1;  // here
}

// expect: the derivative of a kernel's backward is asked for, and backward is opaque too
// lines: 28
#include <etch/etch.hpp>

#include <span>

struct squared {
  struct by_x {  // 2 x u, as a function of (u, y, x)
    static void forward(std::span<double const> u, std::span<double const>, std::span<double const> x,
                        std::span<double> gx) {
      for (std::size_t i = 0; i < x.size(); ++i) gx[i] = 2 * x[i] * u[i];
    }
    static void backward(std::span<double const> w, std::span<double const>, std::span<double const> u,
                         std::span<double const>, std::span<double const> x, std::span<double> gu,
                         std::span<double> gy, std::span<double> gx) {
      for (std::size_t i = 0; i < gu.size(); ++i) gu[i] = 2 * x[i] * w[i];
      for (double& each : gy) each = 0;
      for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = 2 * u[i] * w[i];
    }
  };
#ifndef MISTAKE
  using adjoint = by_x;
#endif
  static void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * x[i];
  }
  static void backward(std::span<double const> u, std::span<double const> y, std::span<double const> x,
                       std::span<double> gx) {
    by_x::forward(u, y, x, gx);
  }
};

int main() {
  auto curvature = [](auto x, auto v) {
    return sum(etch::hvp([](auto z) { return sum(etch::kernel<squared>(z)); })(x, v));
  };
  etch::tensor<double, 3> const x{1, 2, 3};
  auto step = etch::compile<etch::wrt<>>(curvature, x, x);  // here
  return static_cast<int>(step(x, x));
}

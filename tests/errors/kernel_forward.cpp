// expect: the struct of a kernel has a static function forward(x..., y) of spans
// lines: 20
#include <etch/etch.hpp>

#include <span>

struct doubled {
#ifdef MISTAKE
  static void forward(std::span<double> x, std::span<double> y) {
#else
  static void forward(std::span<double const> x, std::span<double> y) {
#endif
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i];
  }
};

int main() {
  auto loss = [](auto x) {
    return sum(etch::kernel<doubled>(x));  // here
  };
  auto step = etch::compile<etch::wrt<>>(loss, etch::tensor<double, 3>{});
  return static_cast<int>(step(etch::tensor<double, 3>{1, 2, 3}));
}

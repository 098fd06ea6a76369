// expect: grad, value_and_grad and compile take values
// expect: expr<double>
// lines: 14
#include <etch/etch.hpp>

int main() {
  auto loss = [](auto x) {
    auto cube = [](auto y) { return y * y * y; };
#ifdef MISTAKE
    auto slope = etch::grad(cube)(x);  // here
#else
    auto slope = std::get<1>(etch::jvp(cube)(x, 1.0));
#endif
    return slope * slope;
  };
  auto step = etch::compile(loss, 1.0);
  return static_cast<int>(step(2.0));
}

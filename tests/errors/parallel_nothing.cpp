// expect: here is none: name them
// expect: nothing_to_share
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3, 8> x;
  auto loss = [](auto x, auto scale) { return scale * sum(square(x)); };
#ifdef MISTAKE
  auto step = etch::parallel<2>(etch::compile(loss, x, 1.0));  // here
#else
  auto step = etch::parallel<2, etch::over<0>>(etch::compile(loss, x, 1.0));
#endif
  return static_cast<int>(step(x, 1.0));
}

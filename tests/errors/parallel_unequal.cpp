// expect: with the same extent along the axis that is last in memory
// expect: over<0, 1>
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3> w;
  etch::tensor<double, 3, 8> x;
  auto loss = [](auto w, auto x) { return sum(square(w + x)); };
#ifdef MISTAKE
  auto step = etch::parallel<2, etch::over<0, 1>>(etch::compile(loss, w, x));  // here
#else
  auto step = etch::parallel<2, etch::over<1>>(etch::compile(loss, w, x));
#endif
  return static_cast<int>(step(w, x));
}

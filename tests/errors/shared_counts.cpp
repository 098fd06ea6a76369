// expect: all arguments that count are split, and no others
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<float, 3> w;
  etch::tensor<float, 3, etch::upto<8>> x, y;
  auto step = etch::compile([](auto w, auto x, auto y) { return mean(square(x - y - w)); }, w, x, y);
#ifdef MISTAKE
  auto shared = etch::parallel<2, etch::over<1>>(step);  // here
#else
  auto shared = etch::parallel<2>(step);
#endif
  return static_cast<int>(shared(w, x, y));
}

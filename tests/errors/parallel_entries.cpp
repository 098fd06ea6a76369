// expect: this op combines entries otherwise than by adding them up
// expect: op::max
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3> w;
  etch::tensor<double, 3, 8> x;
#ifdef MISTAKE
  auto loss = [](auto w, auto x) { return sum(etch::max<1>(w + x)); };
  auto step = etch::parallel<2>(etch::compile(loss, w, x));  // here
#else
  auto loss = [](auto w, auto x) { return sum(etch::max<0>(w + x)); };
  auto step = etch::parallel<2>(etch::compile(loss, w, x));
#endif
  return static_cast<int>(step(w, x));
}

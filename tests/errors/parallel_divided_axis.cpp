// expect: cuts the axis that is split, divides it in two
// expect: op::slice
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3> w;
  etch::tensor<double, 3, 8> x;
#ifdef MISTAKE
  auto loss = [](auto w, auto x) { return sum(square(etch::slice<1, 0, 4>(w + x))); };
  auto step = etch::parallel<2>(etch::compile(loss, w, x));  // here
#else
  auto loss = [](auto w, auto x) { return sum(square(etch::slice<0, 0, 2>(w + x))); };
  auto step = etch::parallel<2>(etch::compile(loss, w, x));
#endif
  return static_cast<int>(step(w, x));
}

// expect: as_ready takes what is called with the number of a gradient's leaf
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> w, gradient;
  auto step = etch::compile([](auto w) { return sum(square(w)); }, w);
  int ready = 0;
#ifdef MISTAKE
  step(w, etch::into(gradient).as_ready([&] { ++ready; }));  // here
#else
  step(w, etch::into(gradient).as_ready([&](int) { ++ready; }));
#endif
  return ready;
}

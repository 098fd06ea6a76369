// expect: a number has no gradient on a tape
#include <etch/etch.hpp>

int main() {
  etch::tape<double> t;
  double const start = 2;
  auto const x = t.watch(start);
  t.backward(x * x);
#ifdef MISTAKE
  return static_cast<int>(t.grad(start));  // here
#else
  return static_cast<int>(t.grad(x));
#endif
}

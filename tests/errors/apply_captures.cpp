// expect: the loss captures values
#include <etch/etch.hpp>

int main() {
  etch::tape<double> t;
  auto const x = t.watch(2.0);
  double const factor = x.value();
#ifdef MISTAKE
  auto const y = t.apply([factor](auto v) { return v * factor; }, x);  // here
#else
  auto const y = t.apply([](auto v, auto f) { return v * f; }, x, factor);
#endif
  return static_cast<int>(value(y));
}

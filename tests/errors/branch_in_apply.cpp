// expect: a run-time branch on a traced value
// expect: expr<double>
// lines: 18
#include <etch/etch.hpp>

int main() {
  etch::tape<double> t;
  auto const x = t.watch(2.0);
#ifdef MISTAKE
  auto const y = t.apply([](auto v) { return v > 0 ? v : 2 * v; }, x);  // here
#else
  auto const y = x > 0 ? x : 2 * x;
#endif
  return static_cast<int>(t.backward(y));
}

// expect: scalars of float and double do not mix in one statement on a tape
// lines: 22
#include <etch/etch.hpp>

int main() {
  etch::tape<float> t;
  auto const x = t.watch(2.0f);
#ifdef MISTAKE
  etch::tape<double> other;
  auto const y = other.watch(3.0);
  auto const z = x * y;  // here
#else
  auto const y = t.watch(3.0f);
  auto const z = x * y;
#endif
  return static_cast<int>(value(z));
}

// raised while tracing
// expect: constants_belong_to_no_graph
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return x * sum(etch::concat<0>(etch::expr<double, 2>(1), etch::expr<double, 2>(2))); }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return x * sum(etch::concat<0>(etch::full<2>(1), etch::full<2>(2))); }, 1.0);
#endif
  return static_cast<int>(step(1.0));
}

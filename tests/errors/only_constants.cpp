// raised while tracing
// expect: constants_belong_to_no_graph
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return x * sum(etch::ones<3>()); }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return sum(x * etch::ones<3>()); }, 1.0);
#endif
  return static_cast<int>(step(1.0));
}

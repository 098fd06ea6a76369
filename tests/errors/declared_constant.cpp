// raised while tracing
// expect: constant_has_no_element_type
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto loss = [](auto x) {
    etch::expr<double, 2> const c = etch::stack<0>(1, 2);
    return sum(x * c);
  };
#else
  auto loss = [](auto x) {
    auto const c = etch::stack<0>(1, 2);
    return sum(x * c);
  };
#endif
  auto step = etch::compile(loss, 1.0);  // here
  return static_cast<int>(step(1.0));
}

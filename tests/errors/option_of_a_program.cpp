// expect: this option is about the object that compile returns
// expect: check_finite
#include <etch/etch.hpp>

int main() {
  constexpr auto loss = [](auto x) { return x * x; };
#ifdef MISTAKE
  return static_cast<int>(etch::grad<etch::wrt<0>, etch::check_finite>(loss)(1.0));  // here
#else
  auto step = etch::compile<etch::wrt<0>, etch::check_finite>(loss, 1.0);
  return step(1.0) > 0 && step.status() == etch::status::ok ? 0 : 1;
#endif
}

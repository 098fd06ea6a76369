// expect: the backward function of custom_vjp takes (u, y, x...)
// lines: 16
#include <etch/etch.hpp>

int main() {
  auto loss = [](auto x) {
#ifdef MISTAKE
    return etch::custom_vjp([](auto a) { return a * a; }, [](auto u, auto a) { return 2.0 * u * a; })(x);  // here
#else
    return etch::custom_vjp([](auto a) { return a * a; }, [](auto u, auto, auto a) { return 2.0 * u * a; })(x);
#endif
  };
  auto step = etch::compile(loss, 1.0);
  return static_cast<int>(step(2.0));
}

// expect: the backward function of custom_vjp returns the gradient of the argument, or a std::tuple
// lines: 16
#include <etch/etch.hpp>

int main() {
  auto loss = [](auto x) {
#ifdef MISTAKE
    return etch::custom_vjp([](auto a, auto b) { return a * b; }, [](auto u, auto, auto, auto b) { return u * b; })(x, x);  // here
#else
    return etch::custom_vjp([](auto a, auto b) { return a * b; },
                            [](auto u, auto, auto a, auto b) { return std::tuple(u * b, u * a); })(x, x);
#endif
  };
  auto step = etch::compile(loss, 1.0);
  return static_cast<int>(step(2.0));
}

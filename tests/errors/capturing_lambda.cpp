// expect: the loss captures values
#include <etch/etch.hpp>

int main(int argc, char**) {
  float factor = static_cast<float>(argc);
#ifdef MISTAKE
  auto step = etch::compile([factor](auto x) { return factor * x; }, factor);  // here
  return static_cast<int>(step(factor));
#else
  auto step = etch::compile([](auto x, auto f) { return f * x; }, factor, factor);
  return static_cast<int>(step(factor, factor));
#endif
}

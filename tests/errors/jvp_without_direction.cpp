// expect: jvp(f) takes the arguments of f and then a direction for each of them
// lines: 14
#include <etch/etch.hpp>

int main() {
  auto cube = [](auto y) { return y * y * y; };
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return std::get<1>(etch::jvp(decltype(cube){})(x)); }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return std::get<1>(etch::jvp(decltype(cube){})(x, 1.0)); }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}

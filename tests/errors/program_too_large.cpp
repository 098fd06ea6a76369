// expect: the program is too large for the compiler's limit on constant evaluation
// expect: -fconstexpr-steps
// expect: -fconstexpr-ops-limit
#include <etch/etch.hpp>

int main() {
#if !defined(MISTAKE)
  constexpr int rounds = 3;
#elif defined(__clang__)
  constexpr int rounds = 1400;
#else
  constexpr int rounds = 2900;
#endif
  auto loss = [](auto x) {
    auto s = x;
    for (int i = 0; i < rounds; ++i) s = sin(s + i) * x;
    return s;
  };
  auto step = etch::compile(loss, 1.0);  // here
  return static_cast<int>(step(2.0));
}

// raised while tracing
// lines: 30
// expect: constant_is_too_long
#include <etch/etch.hpp>

template <int Count>
constexpr auto inverses() {
  return []<int... I>(std::integer_sequence<int, I...>) { return etch::stack<0>(1 / (I + 3.0)...); }
  (std::make_integer_sequence<int, Count>{});
}

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(x * inverses<100>()); }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return sum(x * inverses<10>()); }, 1.0);
#endif
  return static_cast<int>(step(1.0));
}

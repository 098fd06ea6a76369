// expect: wrt names no argument to differentiate
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto const gradient = etch::grad<etch::wrt<>>([](auto x) { return x * x; });  // here
  return 0;
#else
  auto const gradient = etch::grad<etch::wrt<0>>([](auto x) { return x * x; });
  return static_cast<int>(gradient(2.0));
#endif
}

// expect: a program in static storage is not copied
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt<0>, etch::in_static_storage>([](auto x) { return x * x; }, 1.0);  // here
#else
  auto& step = etch::compile<etch::wrt<0>, etch::in_static_storage>([](auto x) { return x * x; }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}

// expect: a value for each of any number of points would have to be kept
#include <etch/etch.hpp>

int main() {
  float entries[6]{};
  etch::points<float, 3> xs{std::span<float const>(entries)};
#ifdef MISTAKE
  auto lengths = [](auto x) { return etch::map([](auto p) { return norm(p); }, x); };
#else
  auto lengths = [](auto x) { return etch::sum_map([](auto p) { return norm(p); }, x); };
#endif
  auto step = etch::compile<etch::wrt<>>(lengths, xs);  // here
  step(xs);
}

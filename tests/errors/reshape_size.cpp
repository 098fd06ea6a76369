// expect: reshape to another number of entries
// expect: expr<float, 3, 4>
// expect: shape_of<5, 2>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 4> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(etch::reshape<5, 2>(x)); }, a);  // here
#else
  auto step = etch::compile([](auto x) { return sum(etch::reshape<6, 2>(x)); }, a);
#endif
  return static_cast<int>(step(a));
}

// expect: this operation does not go along an axis of which a count is known at run time only
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, etch::upto<5>> x;
#ifdef MISTAKE
  auto loss = [](auto x) { return sum(etch::prod<1>(x)); };  // here
#else
  auto loss = [](auto x) { return sum(etch::prod<0>(x)); };
#endif
  auto step = etch::compile(loss, x);
  return static_cast<int>(step(x));
}

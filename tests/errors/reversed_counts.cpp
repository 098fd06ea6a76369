// expect: this operation does not go along an axis of which a count is known at run time only
// expect: op::reverse
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, etch::upto<5>> x;
#ifdef MISTAKE
  auto loss = [](auto x) { return sum(cwise_product(x, etch::reverse<1>(x))); };
#else
  auto loss = [](auto x) { return sum(cwise_product(x, etch::reverse<0>(x))); };
#endif
  auto step = etch::compile(loss, x);  // here
  return static_cast<int>(step(x));
}

// expect: rows and columns of this product would both be counted at run time
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, etch::upto<5>> x;
#ifdef MISTAKE
  auto loss = [](auto x) { return sum(exp(transpose(x) * x)); };  // here
#else
  auto loss = [](auto x) { return etch::sum_map([&](auto each) { return sum(exp(transpose(each) * x)); }, x); };
#endif
  auto step = etch::compile(loss, x);
  return static_cast<int>(step(x));
}

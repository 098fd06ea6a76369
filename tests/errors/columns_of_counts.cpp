// expect: how many entries count along this axis is known when the program runs
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, etch::upto<5>> x;
#ifdef MISTAKE
  auto loss = [](auto x) { return sum(square(x)) / static_cast<double>(x.cols()); };  // here
#else
  auto loss = [](auto x) { return sum(square(x)) / x.count(); };
#endif
  auto step = etch::compile(loss, x);
  return static_cast<int>(step(x));
}

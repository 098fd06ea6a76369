// expect: a constant is assigned a traced value
// lines: 20
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto loss = [](auto x) {
    auto s = etch::zeros<2>();
    s += x;  // here
    return sum(square(s)) + sum(x);
  };
#else
  auto loss = [](auto x) {
    decltype(x) s = etch::zeros<2>();
    s += x;
    return sum(square(s)) + sum(x);
  };
#endif
  etch::tensor<double, 2> const x{1, 2};
  auto step = etch::compile(loss, x);
  return static_cast<int>(step(x));
}

// expect: a traced value where a number is wanted
// expect: expr<double>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> a{1, 2, 3};
  auto loss = [](auto x) {
#ifdef MISTAKE
    double z(2 * x(0));  // here
#else
    auto z = 2 * x(0);
#endif
    return z * sum(x);
  };
  auto step = etch::compile(loss, a);
  return static_cast<int>(step(a));
}

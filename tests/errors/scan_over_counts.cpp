// expect: the steps of a scan are counted when the program is compiled
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  etch::tensor<float, 3, etch::upto<5>> xs;
#else
  etch::tensor<float, 3, 5> xs;
#endif
  auto loss = [](auto x) {
    return sum(etch::scan([](auto carry, auto slice) { return tanh(carry + slice); }, etch::zeros<3>(), x));  // here
  };
  auto step = etch::compile(loss, xs);
  return static_cast<int>(step(xs));
}

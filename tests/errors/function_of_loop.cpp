// expect: a function given to a loop
// expect: expr<double, 3>
// lines: 13
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> h;
  etch::tensor<double, 3, 8> xs;
#ifdef MISTAKE
  auto next = [](auto h) { return tanh(h); };
#else
  auto next = [](auto h, auto x) { return tanh(h + x); };
#endif
  auto loss = [](auto h, auto xs) { return sum(etch::scan(decltype(next){}, h, xs)); };  // here
  auto step = etch::compile(loss, h, xs);
  return static_cast<int>(step(h, xs));
}

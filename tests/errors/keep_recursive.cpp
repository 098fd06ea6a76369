// expect: keep_recursive<Bytes> has no room for a single carry: give it the bytes of one, `needed`, or more
// expect: needed<24>
// expect: allowed<16>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3, 100> xs;
#ifdef MISTAKE
  constexpr int bytes = 16;
#else
  constexpr int bytes = 240;
#endif
  auto loss = [](auto x) { return sum(etch::scan([](auto h, auto slice) { return tanh(h + slice); }, etch::zeros<3>(), x, etch::keep_recursive<bytes>)); };  // here
  auto step = etch::compile<etch::wrt<0>>(loss, xs);
  return static_cast<int>(step(xs));
}

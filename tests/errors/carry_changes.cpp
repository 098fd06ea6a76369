// expect: the carry changes its type
// expect: expr<float, 3>
// expect: expr<float, 1, 3>
// lines: 20
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3> h;
  etch::tensor<float, 3, 5> xs;
#ifdef MISTAKE
  auto next = [](auto h, auto x) { return transpose(h + x); };
#else
  auto next = [](auto h, auto x) { return h + x; };
#endif
  auto loss = [](auto init, auto slices) { return sum(etch::scan(decltype(next){}, init, slices)); };  // here
  auto step = etch::compile(loss, h, xs);
  return static_cast<int>(step(h, xs));
}

// expect: nothing to go through
// expect: expr<float, 3, 5>
// expect: expr<float, 4>
// lines: 20
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 5> xs;
#ifdef MISTAKE
  etch::tensor<float, 4> ws;
#else
  etch::tensor<float, 5> ws;
#endif
  auto loss = [](auto x, auto w) {
    auto weigh = [](auto total, auto slice) { return total + std::get<0>(slice) * std::get<1>(slice); };
    return etch::sum(etch::scan(weigh, etch::zeros<3>(), std::tuple{x, w}));  // here
  };
  auto step = etch::compile(loss, xs, ws);
  return static_cast<int>(step(xs, ws));
}

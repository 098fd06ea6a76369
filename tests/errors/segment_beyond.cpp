// raised while tracing
// expect: position_out_of_range
// expect: 6
// expect: 5
// lines: 30
#include <etch/etch.hpp>

int main() {
  Eigen::Matrix<double, 5, 1> a = Eigen::Matrix<double, 5, 1>::Ones();
#ifdef MISTAKE
  auto step = etch::compile([](auto w) { return w.template segment<3>(4).sum(); }, a);  // here
#else
  auto step = etch::compile([](auto w) { return w.template segment<3>(2).sum(); }, a);
#endif
  return static_cast<int>(step(a));
}

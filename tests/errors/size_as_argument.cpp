// expect: head<2>() or head(Eigen::fix<2>) for head(2)
// expect: expr<double, 3>
#include <etch/etch.hpp>

int main() {
  Eigen::Vector3d const x(1, 2, 3);
#ifdef MISTAKE
  auto step = etch::compile([](auto v) { return v.head(2).sum(); }, x);  // here
#else
  auto step = etch::compile([](auto v) { return v.template head<2>().sum() + v.tail(Eigen::fix<2>).sum(); }, x);
#endif
  return static_cast<int>(step(x));
}

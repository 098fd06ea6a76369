// expect: the loss takes concrete types
#include <etch/etch.hpp>

using vec = Eigen::Vector3d;

int main() {
  vec v(1, 2, 3);
#ifdef MISTAKE
  auto step = etch::compile([](vec w) { return w.squaredNorm(); }, v);  // here
#else
  auto step = etch::compile([](auto w) { return w.squaredNorm(); }, v);
#endif
  return static_cast<int>(step(v));
}

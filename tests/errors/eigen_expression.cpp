// expect: an Eigen expression has no entries in memory
// expect: CwiseBinaryOp
#include <etch/etch.hpp>

int main() {
  Eigen::Vector3d v(1, 2, 3);
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return x.squaredNorm(); }, v + v);  // here
  return static_cast<int>(step(v + v));
#else
  auto step = etch::compile([](auto x) { return x.squaredNorm(); }, (v + v).eval());
  return static_cast<int>(step((v + v).eval()));
#endif
}

// expect: an Eigen::Map with strides is not contiguous
// expect: InnerStride<2>
#include <etch/etch.hpp>

int main() {
  double entries[] = {1, 2, 3, 4, 5, 6};
#ifdef MISTAKE
  Eigen::Map<Eigen::Vector3d, 0, Eigen::InnerStride<2>> v(entries);
#else
  Eigen::Vector3d v = Eigen::Map<Eigen::Vector3d, 0, Eigen::InnerStride<2>>(entries);
#endif
  auto step = etch::compile([](auto x) { return x.squaredNorm(); }, v);  // here
  return static_cast<int>(step(v));
}

// expect: a tangent vector has as many entries
// lines: 22
#include <etch/etch.hpp>

int main() {
  etch::manifold::so3<double> pose;
#ifdef MISTAKE
  etch::tensor<double, 2> const v{0.1, 0.2};
#else
  etch::tensor<double, 3> const v{0.1, 0.2, 0.3};
#endif
  return static_cast<int>(retract(pose, v).x);  // here
}

// expect: an Eigen argument needs a size fixed at compile time
// expect: Matrix<double, -1, 1
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  Eigen::VectorXd v = Eigen::VectorXd::Ones(3);
#else
  Eigen::Vector3d v = Eigen::Vector3d::Ones();
#endif
  auto step = etch::compile([](auto x) { return x.squaredNorm(); }, v);  // here
  return static_cast<int>(step(v));
}

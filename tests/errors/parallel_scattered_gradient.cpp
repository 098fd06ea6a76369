// expect: the gradient of a large row-major matrix
// expect: Eigen::Map
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  static etch::tensor<double, 200, 200> memory;
  auto loss = [](auto x) { return sum(square(x)); };
#ifdef MISTAKE
  Eigen::Map<Eigen::Matrix<double, 200, 200, Eigen::RowMajor>> x(memory.data());
  static auto step = etch::parallel<2, etch::over<0>>(etch::compile(loss, x));  // here
#else
  auto& x = memory;
  static auto step = etch::parallel<2, etch::over<0>>(etch::compile(loss, x));
#endif
  return static_cast<int>(step(x));
}

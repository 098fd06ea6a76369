// expect: a plain tensor beside a traced value
// expect: var<double, 3>
// expect: Matrix<double, 3, 1
#include <etch/etch.hpp>

int main() {
  etch::tape<double> t;
  etch::var<double, 3> const w = t.watch(etch::tensor<double, 3>{1, 2, 3});
  Eigen::Vector3d const x(4, 5, 6);
#ifdef MISTAKE
  auto const loss = sum(max(w, x));  // here
#else
  auto const loss = sum(max(w, t.constant(x)));
#endif
  return static_cast<int>(t.backward(loss));
}

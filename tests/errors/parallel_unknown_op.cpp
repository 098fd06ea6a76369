// expect: nothing is known of how this op treats the entries of a batch
// expect: op::triangular_solve
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3, 3> a;
  etch::tensor<double, 3, 8> x;
#ifdef MISTAKE
  auto loss = [](auto a, auto x) { return sum(square(triangular_solve(a, x))); };
  auto step = etch::parallel<2>(etch::compile(loss, a, x));  // here
#else
  auto loss = [](auto a, auto x) { return sum(square(inverse(a) * x)); };
  auto step = etch::parallel<2>(etch::compile(loss, a, x));
#endif
  return static_cast<int>(step(a, x));
}

// expect: has an entry of its own for each of the batch
// expect: op::input
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3> w;
  etch::tensor<double, 8> weight;
  etch::tensor<double, 3, 8> x;
  auto loss = [](auto w, auto weight, auto x) { return sum(transpose(w) * x * weight); };
#ifdef MISTAKE
  auto step = etch::parallel<2, etch::over<2>>(etch::compile(loss, w, weight, x));  // here
#else
  auto step = etch::parallel<2, etch::over<1, 2>>(etch::compile(loss, w, weight, x));
#endif
  return static_cast<int>(step(w, weight, x));
}

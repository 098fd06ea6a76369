// expect: needs a sum over the whole batch
// expect: op::log
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3> w;
  etch::tensor<double, 3, 8> x;
#ifdef MISTAKE
  auto loss = [](auto w, auto x) { return log(mean(exp(transpose(w) * x))); };
  auto step = etch::parallel<2>(etch::compile(loss, w, x));  // here
#else
  auto loss = [](auto w, auto x) { return mean(exp(transpose(w) * x)); };
  auto step = etch::parallel<2>(etch::compile(loss, w, x));
#endif
  return static_cast<int>(step(w, x));
}

// expect: a result is split along an axis that is not its last
// expect: op::transpose
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3> w;
  etch::tensor<double, 3, 8> x;
#ifdef MISTAKE
  auto predict = [](auto w, auto x) { return transpose(w + x); };
  auto all = etch::parallel<2>(etch::compile<etch::wrt<>>(predict, w, x));  // here
#else
  auto predict = [](auto w, auto x) { return w + x; };
  auto all = etch::parallel<2>(etch::compile<etch::wrt<>>(predict, w, x));
#endif
  all(w, x);
  return 0;
}

// expect: workers share a batch of a fixed number of entries
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<float, 3> w;
#ifdef MISTAKE
  etch::tensor<float, 3, etch::upto<8>> x;
#else
  etch::tensor<float, 3, 8> x;
#endif
  auto step = etch::compile([](auto w, auto x) { return mean(square(x - w)); }, w, x);
  auto shared = etch::parallel<2>(step);  // here
  return static_cast<int>(shared(w, x));
}

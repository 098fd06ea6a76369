// expect: among more workers than it has entries
// expect: workers<9>
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3> w;
  etch::tensor<double, 3, 8> x;
  auto loss = [](auto w, auto x) { return sum(square(w + x)); };
#ifdef MISTAKE
  auto step = etch::parallel<9>(etch::compile(loss, w, x));  // here
#else
  auto step = etch::parallel<8>(etch::compile(loss, w, x));
#endif
  return static_cast<int>(step(w, x));
}

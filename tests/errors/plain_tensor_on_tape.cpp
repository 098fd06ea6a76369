// expect: on a tape say t.constant(x)
// expect: var<float, 2, 65>
// expect: tensor<float, 65>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 2, 65> weights;
  etch::tensor<float, 65> x;
  etch::tape<float> t;
  auto const w = t.watch(weights);
#ifdef MISTAKE
  auto const loss = sum(square(w * x));  // here
#else
  auto const loss = sum(square(w * t.constant(x)));
#endif
  return static_cast<int>(t.backward(loss));
}

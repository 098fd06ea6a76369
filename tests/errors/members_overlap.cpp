// expect: two members named in wrt_members overlap
// expect: layer.weight
#include <etch/etch.hpp>

int main() {
  etch::nn::residual<float, etch::nn::dense<float, 3, 3>> model;
  etch::tensor<float, 3> x;
  auto loss = [](auto m, auto v) { return sum(square(m(v))); };
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt_members<0, "layer", "layer.weight">>(loss, model, x);  // here
#else
  auto step = etch::compile<etch::wrt_members<0, "layer.bias", "layer.weight">>(loss, model, x);
#endif
  return static_cast<int>(step(model, x));
}

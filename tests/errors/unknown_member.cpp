// expect: this struct has no member of that name
// expect: "wieght"
#include <etch/etch.hpp>

int main() {
  etch::nn::dense<float, 3, 2> model;
  etch::tensor<float, 3> x;
  auto loss = [](auto m, auto v) { return sum(square(m(v))); };
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt_members<0, "wieght">>(loss, model, x);  // here
#else
  auto step = etch::compile<etch::wrt_members<0, "weight">>(loss, model, x);
#endif
  return static_cast<int>(step(model, x));
}

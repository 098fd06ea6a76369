// expect: view_as takes a pointer to the element type that all tensors of the type have
// expect: tensor<float, 16>
// expect: double
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  alignas(64) static double memory[16];
#else
  alignas(64) static float memory[16];
#endif
  auto const& x = etch::view_as<etch::tensor<float, 16>>(memory);  // here
  return static_cast<int>(x(0));
}

// expect: the elements of a tensor are arithmetic scalars
// expect: tensor<float, 2>
#include <etch/etch.hpp>

#include <array>

int main() {
#ifdef MISTAKE
  etch::tensor<etch::tensor<float, 2>, 3> a;  // here
#else
  std::array<etch::tensor<float, 2>, 3> a;
#endif
  return static_cast<int>(sizeof(a));
}

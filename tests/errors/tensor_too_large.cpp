// expect: tensor too large
// expect: float, 1000000, 1000000, 1000000, 1000000
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  using field = etch::tensor<float, 1000000, 1000000, 1000000, 1000000>;
#else
  using field = etch::tensor<float, 100, 100, 100, 100>;
#endif
  return static_cast<int>(sizeof(field));  // here
}

// expect: unknown type of argument
// expect: model<float>
#include <etch/etch.hpp>

template <class T>
struct model {
  T slope, offset;
#if !defined(MISTAKE)
  ETCH_MEMBERS(model, slope, offset)
#endif
};

int main() {
  model<float> m{};
  auto step = etch::compile([](auto p) { return p.slope * p.slope + p.offset; }, m);  // here
  return static_cast<int>(step(m));
}

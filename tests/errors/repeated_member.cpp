// expect: ETCH_MEMBERS of this struct names a member twice
// expect: model<float>
// lines: 16
#include <etch/etch.hpp>

template <class T>
struct model {
  T slope, offset;
#ifdef MISTAKE
  ETCH_MEMBERS(model, slope, slope)
#else
  ETCH_MEMBERS(model, slope, offset)
#endif
};

int main() {
  model<float> m{};
  auto step = etch::compile([](auto p) { return p.slope * p.slope; }, m);  // here
  return static_cast<int>(step(m));
}

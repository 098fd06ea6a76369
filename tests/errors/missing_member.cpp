// expect: a data member of this struct is missing from its ETCH_MEMBERS
// expect: model<float>
// lines: 16
#include <etch/etch.hpp>

template <class T>
struct model {
  etch::param<T, 3> w;
  T b;
#ifdef MISTAKE
  ETCH_MEMBERS(model, w)
#else
  ETCH_MEMBERS(model, w, b)
#endif
};

int main() {
  model<float> m{};
  auto step = etch::compile([](auto p) { return sum(square(p.w)) + p.b; }, m);  // here
  return static_cast<int>(step(m));
}

// expect: a member of this struct template has an element type of its own
// expect: model<float>
// lines: 16
#include <etch/etch.hpp>

template <class T>
struct model {
  etch::param<T, 3> w;
#ifdef MISTAKE
  float b;
#else
  T b;
#endif
  ETCH_MEMBERS(model, w, b)
};

int main() {
  model<float> m{};
  auto step = etch::compile([](auto p) { return sum(square(p.w)) * p.b; }, m);  // here
  return static_cast<int>(step(m));
}

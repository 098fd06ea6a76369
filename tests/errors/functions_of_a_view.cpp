// expect: a loss sees the members of this struct and none of its functions
// expect: model
#include <etch/etch.hpp>

#ifdef MISTAKE
struct model {
  etch::tensor<double, 3> w;
  double b;
  ETCH_MEMBERS(model, w, b)
  constexpr auto operator()(auto x) const { return dot(w, x) + b; }
};
using fitted = model;
#else
template <class T>
struct model {
  etch::param<T, 3> w;
  T b;
  ETCH_MEMBERS(model, w, b)
  constexpr auto operator()(auto x) const { return dot(w, x) + b; }
};
using fitted = model<double>;
#endif

int main() {
  fitted m{};
  etch::tensor<double, 3> x{1, 2, 3};
  auto step = etch::compile([](auto p, auto x) { return square(p(x)); }, m, x);  // here
  return static_cast<int>(step(m, x));
}

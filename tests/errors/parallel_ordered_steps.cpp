// expect: a loop takes the entries of the batch one after the other
// expect: op::loop
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

int main() {
  etch::tensor<double, 3> w;
  etch::tensor<double, 3, 8> x;
#ifdef MISTAKE
  auto loss = [](auto w, auto x) {
    return sum(etch::scan([](auto h, auto x) { return etch::step{tanh(h + x), h}; }, w, x).carry);
  };
  auto step = etch::parallel<2>(etch::compile(loss, w, x));  // here
#else
  auto loss = [](auto w, auto x) { return etch::sum_map([&](auto x) { return sum(tanh(w + x)); }, x); };
  auto step = etch::parallel<2>(etch::compile(loss, w, x));
#endif
  return static_cast<int>(step(w, x));
}

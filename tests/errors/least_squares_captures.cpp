// expect: the loss captures values
#include <etch/etch.hpp>
#include <etch/optim/least_squares.hpp>

int main(int argc, char**) {
  double x = 1, factor = argc;
#ifdef MISTAKE
  auto fit = etch::optim::least_squares([factor](auto v) { return factor * v - 1.0; }, x);  // here
  return static_cast<int>(fit.minimise(x).value);
#else
  auto fit = etch::optim::least_squares([](auto v, auto f) { return f * v - 1.0; }, x, factor);
  return static_cast<int>(fit.minimise(x, factor).value);
#endif
}

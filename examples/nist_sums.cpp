// NIST's nonlinear regressions: sums of exponentials, bells and waves.
#include "nist.hpp"

#include <numbers>

namespace {

using std::numbers::pi;

constexpr auto lanczos = [](auto b, auto x) {
  auto const [b1, b2, b3, b4, b5, b6] = b;
  return b1 * exp(-b2 * x) + b3 * exp(-b4 * x) + b5 * exp(-b6 * x);
};
constexpr auto gauss = [](auto b, auto x) {
  auto const [b1, b2, b3, b4, b5, b6, b7, b8] = b;
  return b1 * exp(-b2 * x) + b3 * exp(-square((x - b4) / b5)) + b6 * exp(-square((x - b7) / b8));
};
constexpr auto mgh17 = [](auto b, auto x) {
  auto const [b1, b2, b3, b4, b5] = b;
  return b1 + b2 * exp(-x * b4) + b3 * exp(-x * b5);
};
constexpr auto enso = [](auto b, auto x) {
  auto const [b1, b2, b3, b4, b5, b6, b7, b8, b9] = b;
  auto const turns = 2 * pi * x;
  return b1 + b2 * cos(turns / 12) + b3 * sin(turns / 12) + b5 * cos(turns / b4) + b6 * sin(turns / b4) +
         b8 * cos(turns / b7) + b9 * sin(turns / b7);
};

}  // namespace

std::vector<nist::problem> nist::sums() {
  return {
      regression<6, 24>("Lanczos1", lanczos), regression<6, 24>("Lanczos2", lanczos),
      regression<6, 24>("Lanczos3", lanczos), regression<8, 250>("Gauss1", gauss),
      regression<8, 250>("Gauss2", gauss),    regression<8, 250>("Gauss3", gauss),
      regression<5, 33>("MGH17", mgh17),      regression<9, 168>("ENSO", enso),
  };
}

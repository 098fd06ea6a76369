// NIST's nonlinear regressions: fractions and powers.
#include "nist.hpp"

#include <numbers>

namespace {

using std::numbers::pi;

constexpr auto misra1b = [](auto b, auto x) {
  auto const [b1, b2] = b;
  return b1 * (1 - 1 / square(1 + b2 * x / 2));
};
constexpr auto misra1c = [](auto b, auto x) {
  auto const [b1, b2] = b;
  return b1 * (1 - 1 / sqrt(1 + 2 * b2 * x));
};
constexpr auto misra1d = [](auto b, auto x) {
  auto const [b1, b2] = b;
  return b1 * b2 * x / (1 + b2 * x);
};
constexpr auto dan_wood = [](auto b, auto x) {
  auto const [b1, b2] = b;
  return b1 * pow(x, b2);
};
constexpr auto kirby2 = [](auto b, auto x) {
  auto const [b1, b2, b3, b4, b5] = b;
  return (b1 + b2 * x + b3 * square(x)) / (1 + b4 * x + b5 * square(x));
};
constexpr auto hahn1 = [](auto b, auto x) {
  auto const [b1, b2, b3, b4, b5, b6, b7] = b;
  return (b1 + b2 * x + b3 * square(x) + b4 * cube(x)) / (1 + b5 * x + b6 * square(x) + b7 * cube(x));
};
constexpr auto mgh09 = [](auto b, auto x) {
  auto const [b1, b2, b3, b4] = b;
  return b1 * (square(x) + x * b2) / (square(x) + x * b3 + b4);
};
constexpr auto thurber = [](auto b, auto x) {
  auto const [b1, b2, b3, b4, b5, b6, b7] = b;
  return (b1 + b2 * x + b3 * square(x) + b4 * cube(x)) / (1 + b5 * x + b6 * square(x) + b7 * cube(x));
};
constexpr auto roszman1 = [](auto b, auto x) {
  auto const [b1, b2, b3, b4] = b;
  return b1 - b2 * x - atan(b3 / (x - b4)) / pi;
};
constexpr auto bennett5 = [](auto b, auto x) {
  auto const [b1, b2, b3] = b;
  return b1 * pow(b2 + x, -1 / b3);
};

}  // namespace

std::vector<nist::problem> nist::rational() {
  return {
      regression<2, 14>("Misra1b", misra1b),   regression<2, 14>("Misra1c", misra1c),
      regression<2, 14>("Misra1d", misra1d),   regression<2, 6>("DanWood", dan_wood),
      regression<5, 151>("Kirby2", kirby2),    regression<7, 236>("Hahn1", hahn1),
      regression<4, 11>("MGH09", mgh09),       regression<7, 37>("Thurber", thurber),
      regression<4, 25>("Roszman1", roszman1), regression<3, 154>("Bennett5", bennett5),
  };
}

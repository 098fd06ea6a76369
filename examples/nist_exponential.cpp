// NIST's nonlinear regressions: those of one exponential.
#include "nist.hpp"

namespace {

constexpr auto misra1a = [](auto b, auto x) {
  auto const [b1, b2] = b;
  return b1 * (1 - exp(-b2 * x));
};
constexpr auto chwirut = [](auto b, auto x) {
  auto const [b1, b2, b3] = b;
  return exp(-b1 * x) / (b2 + b3 * x);
};
constexpr auto nelson = [](auto b, auto x) {
  auto const [b1, b2, b3] = b;
  return b1 - b2 * x(0) * exp(-b3 * x(1));
};
constexpr auto rat42 = [](auto b, auto x) {
  auto const [b1, b2, b3] = b;
  return b1 / (1 + exp(b2 - b3 * x));
};
constexpr auto rat43 = [](auto b, auto x) {
  auto const [b1, b2, b3, b4] = b;
  return b1 / pow(1 + exp(b2 - b3 * x), 1 / b4);
};
constexpr auto mgh10 = [](auto b, auto x) {
  auto const [b1, b2, b3] = b;
  return b1 * exp(b2 / (x + b3));
};
constexpr auto eckerle4 = [](auto b, auto x) {
  auto const [b1, b2, b3] = b;
  return b1 / b2 * exp(-square((x - b3) / b2) / 2);
};

}  // namespace

std::vector<nist::problem> nist::exponential() {
  return {
      regression<2, 14>("Misra1a", misra1a),
      regression<2, 6>("BoxBOD", misra1a),
      regression<3, 214>("Chwirut1", chwirut),
      regression<3, 54>("Chwirut2", chwirut),
      regression<3, 128, 2, true>("Nelson", nelson),
      regression<3, 9>("Rat42", rat42),
      regression<4, 15>("Rat43", rat43),
      regression<3, 16>("MGH10", mgh10),
      regression<3, 35>("Eckerle4", eckerle4),
  };
}

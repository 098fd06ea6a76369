// Truth for the special functions and the smooth activations.
#include "oracle.hpp"

#include <boost/math/special_functions/bernoulli.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/expm1.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>

namespace accuracy {

namespace {

namespace math = boost::math;
namespace policies = boost::math::policies;
using quiet =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>>;

quad const not_a_number = std::numeric_limits<quad>::quiet_NaN(), infinite = std::numeric_limits<quad>::infinity();
quad const pi = acos(quad(-1)), root_pi = sqrt(pi), root_2 = sqrt(quad(2)), root_2_pi = sqrt(2 * pi);

/// e^x, 0 where that is far below the smallest double.
quad decaying(quad x) { return x < -11000 ? quad(0) : exp(x); }

quad erf(quad x) { return abs(x) > 100 ? quad(x < 0 ? -1 : 1) : math::erf(x, quiet()); }
quad erfc(quad x) {
  if (abs(x) > 100) return x < 0 ? 2 : 0;
  return math::erfc(x, quiet());
}
quad erf_slope(quad x) { return abs(x) > 100 ? quad(0) : quad(2 / root_pi * exp(-x * x)); }
quad erfc_slope(quad x) { return -erf_slope(x); }

bool is_pole(quad x) { return x <= 0 && (isinf(x) || x == floor(x)); }
quad lgamma(quad x) {
  if (isinf(x) || is_pole(x)) return infinite;
  if (x > 1e300) return x * (log(x) - 1) - log(x) / 2;
  return math::lgamma(x, quiet());
}
quad digamma(quad x) {
  if (x == 0) return signbit(x) ? infinite : quad(-infinite);
  if (is_pole(x)) return not_a_number;
  return isinf(x) ? x : math::digamma(x, quiet());
}
/// Hurwitz' zeta function: terms up to x + k > 30, then the sum of Euler and Maclaurin.
quad zeta(quad s, quad x) {
  if (isinf(x)) return x > 0 ? quad(0) : not_a_number;
  if (x < 0 && is_pole(x)) return not_a_number;
  if (x == 0) return infinite;
  auto const power = [&](quad base) { return pow(base, -static_cast<int>(s)); };
  quad sum = 0;
  for (; x < 30; x += 1) sum += power(x);
  quad term = power(x) * s / x;
  sum += power(x) * (x / (s - 1) + quad(0.5));
  for (int j = 1; j <= 20; ++j) {
    sum += term * math::bernoulli_b2n<quad>(j) / math::factorial<quad>(static_cast<unsigned>(2 * j));
    term *= (s + 2 * j - 1) * (s + 2 * j) / (x * x);
  }
  return sum;
}
quad trigamma(quad x) { return zeta(2, x); }

quad sigmoid(quad x) { return x < 0 ? quad(decaying(x) / (1 + decaying(x))) : quad(1 / (1 + decaying(-x))); }
quad sigmoid_slope(quad x) { return sigmoid(x) * sigmoid(-x); }
quad softplus(quad x) { return (x > 0 ? x : quad(0)) + math::log1p(decaying(-abs(x)), quiet()); }
quad log_sigmoid(quad x) { return -softplus(-x); }
quad log_sigmoid_slope(quad x) { return sigmoid(-x); }
quad softsign(quad x) { return isinf(x) ? quad(x < 0 ? -1 : 1) : quad(x / (1 + abs(x))); }
quad softsign_slope(quad x) { return isinf(x) ? quad(0) : quad(1 / ((1 + abs(x)) * (1 + abs(x)))); }

quad const scale("1.0507009873554804934193349852946"), alpha("1.6732632423543772848170429916717");
quad expm1(quad x) { return x < -100 ? quad(-1) : math::expm1(x, quiet()); }
quad selu(quad x) { return x < 0 ? quad(scale * alpha * expm1(x)) : quad(scale * x); }
quad selu_slope(quad x) { return x < 0 ? quad(scale * alpha * decaying(x)) : scale; }
quad elu(quad x, quad a) { return x < 0 ? quad(a * expm1(x)) : x; }
quad elu_slope(quad x, quad a) { return x < 0 ? quad(a * decaying(x)) : quad(1); }
quad elu_slope_alpha(quad x, quad) { return x < 0 ? expm1(x) : quad(0); }

/// x f(x), or what it tends to at the ends, for an f that rises from 0 to 1 exponentially.
quad gated(quad x, quad (*gate)(quad)) { return isinf(x) ? quad(x < 0 ? quad(0) : x) : quad(x * gate(x)); }
/// (x f)' = f + x f'
quad gated_slope(quad x, quad (*gate)(quad), quad (*gate_slope)(quad)) {
  return isinf(x) ? quad(x < 0 ? 0 : 1) : quad(gate(x) + x * gate_slope(x));
}
quad normal(quad x) { return erfc(-x / root_2) / 2; }
quad normal_density(quad x) { return abs(x) > 150 ? quad(0) : quad(exp(-x * x / 2) / root_2_pi); }
quad gelu(quad x) { return gated(x, normal); }
quad gelu_slope(quad x) { return gated_slope(x, normal, normal_density); }
quad cubic(quad x) { return 2 * root_2 / root_pi * (x + quad("0.044715") * x * x * x); }
quad cubic_gate(quad x) { return sigmoid(cubic(x)); }
quad cubic_gate_slope(quad x) {
  return sigmoid_slope(cubic(x)) * 2 * root_2 / root_pi * (1 + 3 * quad("0.044715") * x * x);
}
quad gelu_tanh(quad x) { return gated(x, cubic_gate); }
quad gelu_tanh_slope(quad x) { return gated_slope(x, cubic_gate, cubic_gate_slope); }
quad silu(quad x) { return gated(x, sigmoid); }
quad silu_slope(quad x) { return gated_slope(x, sigmoid, sigmoid_slope); }
/// tanh(softplus(x)) and its derivative (1 - tanh²) sigmoid(x)
quad mish_gate(quad x) {
  quad const n = x < 0 ? quad(decaying(x) * (decaying(x) + 2)) : quad(1 + 2 * decaying(-x));
  return n / (n + 2 * (x < 0 ? quad(1) : decaying(-2 * x)));
}
quad mish_gate_slope(quad x) {
  return x > 60 ? quad(8 * decaying(-2 * x)) : quad((1 - mish_gate(x) * mish_gate(x)) * sigmoid(x));
}
quad mish(quad x) { return gated(x, mish_gate); }
quad mish_slope(quad x) { return gated_slope(x, mish_gate, mish_gate_slope); }

}  // namespace

void add_special(std::vector<unary>& all) {
  all.push_back({"erf", erf, erf_slope});
  all.push_back({"erfc", erfc, erfc_slope});
  all.push_back({"lgamma", lgamma, digamma, {0, infinity}, {0, infinity}});
  all.push_back({"digamma", digamma, trigamma, {0, infinity}, {-50, infinity}});
  all.push_back({"sigmoid", sigmoid, sigmoid_slope});
  all.push_back({"log_sigmoid", log_sigmoid, log_sigmoid_slope});
  all.push_back({"softplus", softplus, sigmoid});
  all.push_back({"softsign", softsign, softsign_slope});
  all.push_back({"selu", selu, selu_slope});
  all.push_back({"gelu", gelu, gelu_slope, {-infinity, infinity}, {-infinity, infinity}, {-2, -0.2}});
  all.push_back({"gelu_tanh", gelu_tanh, gelu_tanh_slope, {-infinity, infinity}, {-infinity, infinity}, {-2, -0.2}});
  all.push_back({"silu", silu, silu_slope, {-infinity, infinity}, {-infinity, infinity}, {-2.2, -0.7}});
  all.push_back({"mish", mish, mish_slope, {-infinity, infinity}, {-infinity, infinity}, {-5, -0.4}});
}

void add_special(std::vector<binary>& all) {
  all.push_back({"elu", elu, elu_slope, elu_slope_alpha, {-80, infinity}, {0.01, 100}});
}

}  // namespace accuracy

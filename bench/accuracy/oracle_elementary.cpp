// Truth for the elementary functions. Where Boost's own loses digits (near zeros, at large angles),
// another form of the same function.
#include "oracle.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/expm1.hpp>
#include <boost/math/special_functions/log1p.hpp>

namespace accuracy {

namespace {

using boost::math::expm1, boost::math::log1p;
using boost::multiprecision::cpp_bin_float, boost::multiprecision::number, boost::multiprecision::et_off;

quad const not_a_number = std::numeric_limits<quad>::quiet_NaN(), infinite = std::numeric_limits<quad>::infinity();
quad const ln2 = log(quad(2)), ln10 = log(quad(10));

/// e^x, 0 or infinite far beyond the range of double.
quad exp_of(quad x) {
  if (x > 11000) return infinite;
  return x < -11000 ? quad(0) : exp(x);
}
quad expm1_of(quad x) { return abs(x) > 1 ? quad(exp_of(x) - 1) : expm1(x); }
quad exp2_of(quad x) { return exp_of(x * ln2); }
quad exp2_slope(quad x) { return ln2 * exp2_of(x); }
quad log_of(quad x) {
  if (x == 0) return -infinite;
  if (x < 0) return not_a_number;
  return isinf(x) ? x : log(x);
}
quad log2_of(quad x) { return log_of(x) / ln2; }
quad log10_of(quad x) { return log_of(x) / ln10; }
quad log1p_of(quad x) { return abs(x) < quad(0.5) ? log1p(x) : log_of(1 + x); }
quad log_slope(quad x) { return 1 / x; }
quad log2_slope(quad x) { return 1 / (x * ln2); }
quad log10_slope(quad x) { return 1 / (x * ln10); }
quad log1p_slope(quad x) { return 1 / (1 + x); }

quad sqrt_of(quad x) { return x < 0 ? not_a_number : isinf(x) ? x : quad(sqrt(x)); }
quad sqrt_slope(quad x) { return 1 / (2 * sqrt(x)); }
quad rsqrt_of(quad x) { return isinf(x) ? quad(0) : quad(1 / sqrt_of(x)); }
quad rsqrt_slope(quad x) { return quad(-0.5) / (x * sqrt(x)); }
quad cbrt_of(quad x) {
  if (x == 0 || isinf(x)) return x;
  quad y = exp(log(abs(x)) / 3);
  for (int i = 0; i < 3; ++i) y -= (y - abs(x) / (y * y)) / 3;
  return x < 0 ? quad(-y) : y;
}
quad cbrt_slope(quad x) { return 1 / (3 * cbrt_of(x) * cbrt_of(x)); }

/// x = n π/2 + rest with |rest| <= π/4: no double comes so near to a multiple that 1300 bits would not do.
struct angle {
  quad rest;
  int quadrant;
};
angle reduced(quad const& x) {
  using exact = number<cpp_bin_float<1300, boost::multiprecision::digit_base_2>, et_off>;
  static exact const half_pi = boost::math::constants::half_pi<exact>();
  exact const wide(x), n = round(wide / half_pi), whole = n - 4 * floor(n / 4);
  return {quad(wide - n * half_pi), static_cast<int>(whole)};
}
quad sine(quad x, int quarter) {
  if (isinf(x)) return not_a_number;
  if (x == 0 && quarter == 0) return x;
  auto const [r, quadrant] = reduced(x);
  int const q = (quadrant + quarter) % 4;
  quad const y = q % 2 == 0 ? sin(r) : cos(r);
  return q < 2 ? y : quad(-y);
}
quad sin_of(quad x) { return sine(x, 0); }
quad cos_of(quad x) { return sine(x, 1); }
quad tan_of(quad x) { return sin_of(x) / cos_of(x); }
quad sin_slope(quad x) { return cos_of(x); }
quad cos_slope(quad x) { return -sin_of(x); }
quad tan_slope(quad x) { return 1 / (cos_of(x) * cos_of(x)); }

quad const half_pi = boost::math::constants::half_pi<quad>();
/// atan(x) by halving the angle twice and summing the series.
quad atan_of(quad x) {
  if (x == 0) return x;
  if (abs(x) > 1) return (x < 0 ? quad(-half_pi) : half_pi) - atan_of(1 / x);
  int halvings = 0;
  for (; abs(x) > quad(0.05); ++halvings) x = x / (1 + sqrt(1 + x * x));
  quad sum = 0, power = x;
  for (int k = 1; abs(power) > abs(x) * quad(1e-40); k += 2, power *= -x * x) sum += power / k;
  return ldexp(sum, halvings);
}
quad asin_of(quad x) {
  return abs(x) > 1 ? not_a_number : abs(x) == 1 ? quad(x * half_pi) : atan_of(x / sqrt((1 - x) * (1 + x)));
}
quad acos_of(quad x) {
  return abs(x) > 1 ? not_a_number : x == -1 ? quad(2 * half_pi) : quad(2 * atan_of(sqrt((1 - x) / (1 + x))));
}
quad asin_slope(quad x) { return 1 / sqrt((1 - x) * (1 + x)); }
quad acos_slope(quad x) { return -asin_slope(x); }
quad atan_slope(quad x) { return 1 / (1 + x * x); }

quad sinh_of(quad x) {
  if (abs(x) > 1) return (exp_of(x) - exp_of(-x)) / 2;
  return (expm1(x) - expm1(-x)) / 2;
}
quad cosh_of(quad x) { return (exp_of(x) + exp_of(-x)) / 2; }
quad tanh_of(quad x) { return abs(x) > 100 ? quad(x < 0 ? -1 : 1) : quad(sinh_of(x) / cosh_of(x)); }
quad tanh_slope(quad x) { return abs(x) > 5000 ? quad(0) : quad(1 / (cosh_of(x) * cosh_of(x))); }
quad asinh_of(quad x) {
  quad const a = abs(x), y = isinf(x)         ? a
                             : a > quad(1e30) ? quad(log(a) + ln2)
                                              : log1p(a + a * a / (1 + sqrt(1 + a * a)));
  return x < 0 ? quad(-y) : y;
}
quad asinh_slope(quad x) { return abs(x) > quad(1e40) ? quad(1 / abs(x)) : quad(1 / sqrt(1 + x * x)); }
quad acosh_of(quad x) {
  if (x < 1) return not_a_number;
  if (isinf(x)) return x;
  return x > quad(1e30) ? quad(log(x) + ln2) : log1p(x - 1 + sqrt((x - 1) * (x + 1)));
}
quad acosh_slope(quad x) { return x > quad(1e40) ? quad(1 / x) : quad(1 / sqrt((x - 1) * (x + 1))); }
quad atanh_of(quad x) {
  if (abs(x) > 1) return not_a_number;
  if (abs(x) == 1) return x * infinite;
  quad const a = abs(x), y = log1p(2 * a / (1 - a)) / 2;
  return x < 0 ? quad(-y) : y;
}
quad atanh_slope(quad x) { return 1 / ((1 - x) * (1 + x)); }

quad pow_of(quad a, quad b) { return b == 0 || a == 1 ? quad(1) : exp_of(b * log_of(a)); }
quad pow_slope_a(quad a, quad b) { return b == 0 ? quad(0) : quad(b * exp_of((b - 1) * log_of(a))); }
quad pow_slope_b(quad a, quad b) { return pow_of(a, b) * log_of(a); }
quad hypot_of(quad a, quad b) { return isinf(a) || isinf(b) ? infinite : quad(sqrt(a * a + b * b)); }
quad hypot_slope_a(quad a, quad b) { return a == 0 ? quad(0) : quad(a / hypot_of(a, b)); }
quad hypot_slope_b(quad a, quad b) { return b == 0 ? quad(0) : quad(b / hypot_of(a, b)); }
/// The angle of the point (b, a) of the right half plane.
quad atan2_of(quad a, quad b) { return a == 0 ? a : b == 0 ? quad(a < 0 ? -half_pi : half_pi) : atan_of(a / b); }
quad atan2_slope_a(quad a, quad b) { return b / (a * a + b * b); }
quad atan2_slope_b(quad a, quad b) { return -a / (a * a + b * b); }
quad logaddexp_of(quad a, quad b) { return (a > b ? a : b) + log1p(exp_of(-abs(a - b))); }
quad logistic(quad x) { return x < 0 ? quad(exp_of(x) / (1 + exp_of(x))) : quad(1 / (1 + exp_of(-x))); }
quad logaddexp_slope_a(quad a, quad b) { return logistic(a - b); }
quad logaddexp_slope_b(quad a, quad b) { return logistic(b - a); }
quad xlogy_of(quad a, quad b) { return a == 0 ? quad(0) : quad(a * log_of(b)); }
quad xlogy_slope_a(quad, quad b) { return log_of(b); }
quad xlogy_slope_b(quad a, quad b) { return a / b; }

constexpr double all = infinity, least = 0x1p-1022;

}  // namespace

void add_elementary(std::vector<unary>& list) {
  list.insert(list.end(), {
                              {"exp", exp_of, exp_of},
                              {"exp2", exp2_of, exp2_slope},
                              {"expm1", expm1_of, exp_of},
                              {"log", log_of, log_slope, {-all, all}, {least, all}},
                              {"log2", log2_of, log2_slope, {-all, all}, {least, all}},
                              {"log10", log10_of, log10_slope, {-all, all}, {least, all}},
                              {"log1p", log1p_of, log1p_slope, {-all, all}, {-1 + 0x1p-53, all}},
                              {"sqrt", sqrt_of, sqrt_slope, {-all, all}, {least, all}},
                              {"rsqrt", rsqrt_of, rsqrt_slope, {least, all}, {0x1p-84, 0x1p80}},
                              {"cbrt", cbrt_of, cbrt_slope, {-all, all}, {least, all}},
                              {"sin", sin_of, sin_slope},
                              {"cos", cos_of, cos_slope},
                              {"tan", tan_of, tan_slope},
                              {"asin", asin_of, asin_slope, {-all, all}, {-1 + 0x1p-53, 1 - 0x1p-53}},
                              {"acos", acos_of, acos_slope, {-all, all}, {-1 + 0x1p-53, 1 - 0x1p-53}},
                              {"atan", atan_of, atan_slope},
                              {"sinh", sinh_of, cosh_of},
                              {"cosh", cosh_of, sinh_of},
                              {"tanh", tanh_of, tanh_slope},
                              {"asinh", asinh_of, asinh_slope},
                              {"acosh", acosh_of, acosh_slope, {-all, all}, {1 + 0x1p-52, all}},
                              {"atanh", atanh_of, atanh_slope, {-all, all}, {-1 + 0x1p-53, 1 - 0x1p-53}},
                          });
}

void add_elementary(std::vector<binary>& list) {
  list.insert(
      list.end(),
      {
          {"pow", pow_of, pow_slope_a, pow_slope_b, {least, 1e300}, {-300, 300}, {1e-5, 1e5}, {-6, 6}},
          {"hypot", hypot_of, hypot_slope_a, hypot_slope_b, {-all, all}, {-all, all}},
          {"atan2", atan2_of, atan2_slope_a, atan2_slope_b, {-1e15, 1e15}, {1e-15, 1e15}, {1e-15, 1e15}, {1e-15, 1e15}},
          {"logaddexp", logaddexp_of, logaddexp_slope_a, logaddexp_slope_b, {0, 1e4}, {-1e4, 1e4}},
          {"xlogy", xlogy_of, xlogy_slope_a, xlogy_slope_b, {-1e15, 1e15}, {1e-15, 1e15}},
      });
}

}  // namespace accuracy

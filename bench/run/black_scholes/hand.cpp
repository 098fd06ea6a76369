// Closed form, with both values of the normal distribution in one register.
#include "problem.hpp"

#include "../by_hand.hpp"

namespace black_scholes_problem {

namespace {

using pair = bench::register_of<double, 2>::type;

/// erfc(u) for u in [0, 26], and e^(-u²): a polynomial in (u - 4) / (u + 4) over 1 + 2u; the
/// exponent's rounding error is made good.
struct tail {
  pair erfc, gaussian;
};
tail tail_of(pair u) {
  constexpr double c[] = {
      2.9111659955327447e-10,  2.1031095817570338e-09,  1.6868082625932292e-09,  -1.660879467182853e-08,
      -1.9106294487779176e-08, 1.1328048304274549e-07,  7.703495881102781e-08,   -8.277591913537945e-07,
      2.916445562939141e-07,   5.710769473216913e-06,   -1.1220902504340601e-05, -2.4399505458525544e-05,
      0.00015062131217624512,  -0.00019925664291065565, -0.0007577732147971718,  0.005031969972225688,
      -0.016197734067039865,   0.03716751553787908,     -0.06633036581154421,    0.09373283499833329,
      -0.10103906603632955,    0.06809705425469303,     0.015379652102620111,    -0.13962111684056253};
  pair const square = u * u, lost = {std::fma(u[0], u[0], -square[0]), std::fma(u[1], u[1], -square[1])};
  pair const e = bench::exp(-square), gaussian = e - e * lost;
  pair const t = (u - 4) / (u + 4), t2 = t * t, t4 = t2 * t2;
  pair sum = (c[0] * t + c[1]) * t2 + (c[2] * t + c[3]);
  for (int i = 4; i < 24; i += 4) sum = sum * t4 + ((c[i] * t + c[i + 1]) * t2 + (c[i + 2] * t + c[i + 3]));
  return {gaussian * ((1.2329951186255526 + t * sum) / (1 + 2 * u)), gaussian};
}

/// log(x) for positive normal x (fdlibm).
double log(double x) {
  constexpr std::int64_t base = 0x3fe6a09e667f3bcd;
  std::int64_t const i = std::bit_cast<std::int64_t>(x) - base;
  double const k = static_cast<double>(i >> 52), f = std::bit_cast<double>((i & 0xfffffffffffff) + base) - 1,
               s = f / (2 + f), z = s * s, z2 = z * z, h = 0.5 * f * f;
  double const odd =
                   z *
                   (6.666666666666735130e-01 +
                    z2 * (2.857142874366239149e-01 + z2 * (1.818357216161805012e-01 + z2 * 1.479819860511658591e-01))),
               even = z2 * (3.999999999940941908e-01 + z2 * (2.222219843214978396e-01 + z2 * 1.531383769920937332e-01));
  return k * 6.93147180369123816490e-01 + (f - (h - (s * (h + (odd + even)) + k * 1.90821492927058770002e-10)));
}

}  // namespace

rival const here{"hand", [](data const& d, gradient& g) -> double {
                   double total = 0;
                   bench::one_by_one(calls, [&](int i) {
                     double const s = d.price(i), v = d.volatility(i), t = d.time(i), r = d.rate(i);
                     double const root = std::sqrt(t), deviation = v * root,
                                  d1 = (log(s / strike) + (r + 0.5 * v * v) * t) / deviation;
                     pair const at = pair{d1, d1 - deviation} * 0.70710678118654752440;
                     tail const both = tail_of(pair{std::abs(at[0]), std::abs(at[1])});
                     double const p1 = at[0] < 0 ? 0.5 * both.erfc[0] : 1 - 0.5 * both.erfc[0],
                                  p2 = at[1] < 0 ? 0.5 * both.erfc[1] : 1 - 0.5 * both.erfc[1];
                     double const discounted = strike * bench::exp(-r * t),
                                  density = 0.39894228040143267794 * both.gaussian[0];
                     g.price(i) = p1;
                     g.volatility(i) = s * density * root;
                     g.time(i) = s * density * v / (2 * root) + r * discounted * p2;
                     g.rate(i) = discounted * t * p2;
                     total += s * p1 - discounted * p2;
                   });
                   return total;
                 }};

}  // namespace black_scholes_problem

// ADOL-C: its drivers for Hessians and for products with them, on a tape that the first call records.
#include "problem.hpp"

#include <adolc/adolc.h>

namespace helmholtz {

namespace {

void record(data const& d, short tape) {
  trace_on(tape);
  adouble x[components], u = 0, q = 0, entropy = 0;
  for (int i = 0; i < components; ++i) x[i] <<= d.x(i);
  for (int i = 0; i < components; ++i) u += d.b(i) * x[i];
  for (int i = 0; i < components; ++i) {
    adouble row = 0;
    for (int j = 0; j < components; ++j) row += d.a(i, j) * x[j];
    q += x[i] * row;
    entropy += x[i] * log(x[i] / (1 - u));
  }
  adouble y = entropy - q / (2 * root * u) * log((1 + (1 + root) * u) / (1 + (1 - root) * u));
  double value;
  y >>= value;
  trace_off();
}

}  // namespace

hessian_rival const whole{"adolc", [](data const& d, auto& g) {
                            static bool const recorded = (record(d, 1), true);
                            static_cast<void>(recorded);
                            static double lower[components][components], symmetric[entries];
                            return many_times(g, [&] {
                              double* rows[components];
                              for (int i = 0; i < components; ++i) rows[i] = lower[i];
                              auto x = d.x;  // which the driver does not promise to leave alone
                              ::hessian(1, components, x.data(), rows);
                              for (int i = 0; i < components; ++i)
                                for (int j = 0; j <= i; ++j)
                                  symmetric[i + j * components] = symmetric[j + i * components] = lower[i][j];
                              return static_cast<double const*>(symmetric);
                            });
                          }};

product_rival const product{"adolc", [](data const& d, auto& g) {
                              static bool const recorded = (record(d, 2), true);
                              static_cast<void>(recorded);
                              static double result[components];
                              return many_times(g, [&] {
                                auto x = d.x, v = d.v;
                                ::hess_vec(2, components, x.data(), v.data(), result);
                                return static_cast<double const*>(result);
                              });
                            }};

}  // namespace helmholtz

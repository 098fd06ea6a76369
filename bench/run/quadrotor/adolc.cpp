// ADOL-C: its driver for Jacobians, on one tape that the first call records.
#include "scalar.hpp"

#include <adolc/adolc.h>

namespace quadrotor {

namespace {

struct recorded {
  double rows[states][columns], transposed[entries], *row[states];

  explicit recorded(double const* at) {
    for (int i = 0; i < states; ++i) row[i] = rows[i];
    trace_on(1);
    adouble v[columns], y[states];
    for (int i = 0; i < columns; ++i) v[i] <<= at[i];
    step_of(v, y);
    double result;
    for (adouble& each : y) each >>= result;
    trace_off();
  }
};

}  // namespace

rival const here{"adolc", [](data const& d, auto& g) {
                   return in_turn(d, g, [](point const& p) -> double const* {
                     double v[columns];
                     read(p, v);
                     static recorded kept(v);
                     ::jacobian(1, states, columns, v, kept.row);
                     for (int i = 0; i < states; ++i)
                       for (int j = 0; j < columns; ++j) kept.transposed[i + j * states] = kept.rows[i][j];
                     return kept.transposed;
                   });
                 }};

}  // namespace quadrotor

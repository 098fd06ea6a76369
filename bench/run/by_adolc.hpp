// by_adolc: what rivals on ADOL-C share: one tape, recorded in the first call and run again in every other.
#pragma once

#include <adolc/adolc.h>

#include <vector>

namespace bench {

template <class Scalars>
double by_adolc(typename Scalars::problem::inputs const& in, typename Scalars::problem::gradient& g) {
  constexpr int n = Scalars::variables, room = 1 << (Scalars::operations > 1 << 20 ? 26 : 22);  // of the tape in memory
  static std::vector<double> at(n), slopes(n);
  static bool const recorded = [&] {
    trace_on(1, 0, room, room, room, room, 0);
    std::vector<adouble> x(n);
    Scalars::read(in, 0, at.data());
    for (std::size_t i = 0; i < n; ++i) x[i] <<= at[i];
    adouble y = Scalars::template loss<adouble>(x.data(), in);
    double value;
    y >>= value;
    trace_off();
    return true;
  }();
  static_cast<void>(recorded);
  double total = 0;
  for (int call = 0; call < Scalars::calls; ++call) {
    Scalars::read(in, call, at.data());
    double value = 0, weight = 1;
    zos_forward(1, 1, n, 1, at.data(), &value);
    fos_reverse(1, 1, n, &weight, slopes.data());
    Scalars::write(slopes.data(), call, g);
    total += value;
  }
  return total;
}

}  // namespace bench

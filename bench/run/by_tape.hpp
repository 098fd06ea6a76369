// by_tape: what rivals on etch's tape share: every call records the numbers anew, in memory that the first one took.
#pragma once

#include <etch/tape/tape.hpp>

#include <vector>

namespace bench {

template <class Scalars>
double by_tape(typename Scalars::problem::inputs const& in, typename Scalars::problem::gradient& g) {
  constexpr std::size_t n = Scalars::variables;
  static etch::tape<double> tape;
  static std::vector<double> at(n);
  static std::vector<etch::var<double>> x(n);
  double total = 0;
  for (int call = 0; call < Scalars::calls; ++call) {
    Scalars::read(in, call, at.data());
    tape.reset();
    for (std::size_t i = 0; i < n; ++i) x[i] = tape.watch(at[i]);
    etch::var<double> const y = Scalars::template loss<etch::var<double>>(x.data(), in);
    total += tape.backward(y);
    for (std::size_t i = 0; i < n; ++i) at[i] = tape.grad(x[i]);
    Scalars::write(at.data(), call, g);
  }
  return total;
}

}  // namespace bench

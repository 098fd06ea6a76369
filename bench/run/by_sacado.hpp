// by_sacado: what rivals on Sacado share: its reverse mode records every call anew.
#pragma once

#define TRILINOS_NO_CONFIG_H  // Debian's configuration wants Kokkos, which reverse mode does not need
#include <trilinos/Sacado_trad.hpp>

#include <vector>

namespace bench {

template <class Scalars>
double by_sacado(typename Scalars::problem::inputs const& in, typename Scalars::problem::gradient& g) {
  using number = Sacado::Rad::ADvar<double>;
  constexpr std::size_t n = Scalars::variables;
  static std::vector<double> at(n);
  double total = 0;
  for (int call = 0; call < Scalars::calls; ++call) {
    Scalars::read(in, call, at.data());
    std::vector<number> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = at[i];
    number const y = Scalars::template loss<number>(x.data(), in);
    Sacado::Rad::ADcontext<double>::Gradcomp();
    for (std::size_t i = 0; i < n; ++i) at[i] = x[i].adj();
    Scalars::write(at.data(), call, g);
    total += y.val();
  }
  return total;
}

}  // namespace bench

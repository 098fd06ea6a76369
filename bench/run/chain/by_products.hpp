// by_products: the chain on somebody else's matrix product: what every step leaves is kept, and on the way
// back each adjoint is written over it.
#pragma once

#include "problem.hpp"

template <class P>
double chain_by_products(typename P::inputs const& i, typename P::gradient& g, auto product) {
  constexpr int d = P::size;
  static std::vector<double> memory(std::size_t{d} * d * P::steps);
  auto const kept = [](int n) {
    return n == 0 ? static_cast<double*>(nullptr) : memory.data() + std::ptrdiff_t{n - 1} * d * d;
  };
  auto const before = [&](int n) { return n == 1 ? i.z.data() : static_cast<double const*>(kept(n - 1)); };
  for (int n = 1; n <= P::steps; ++n) product(d, d, d, i.x.data(), false, before(n), false, 0.0, kept(n));
  Eigen::Map<Eigen::ArrayXd> last(kept(P::steps), d * d);
  double const value = P::squares ? last.square().sum() : last.sum();
  if (P::squares) last *= 2;
  else last = 1;
  for (int n = P::steps; n > 0; --n) {
    product(d, d, d, kept(n), false, before(n), true, n == P::steps ? 0.0 : 1.0, g.data());
    if (n > 1) product(d, d, d, i.x.data(), true, kept(n), false, 0.0, kept(n - 1));
  }
  return value;
}

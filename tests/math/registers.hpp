// registers: values computed a register at a time, compared with the same formula on scalars.
#pragma once

#include <etch/machine/lanes.hpp>

#include "math/ulps.hpp"

namespace ulps {

/// The largest distance between one lane after the other and the scalar, which may differ by a contraction.
template <class T>
double lanes_from_scalar(auto f, std::vector<T> x) {
  using L = etch::lanes<T>;
  while (x.size() % L::width != 0) x.push_back(T(1));
  double most = 0;
  for (std::size_t i = 0; i < x.size(); i += L::width) {
    L const y = f(L::load(&x[i]));
    for (int k = 0; k < L::width; ++k) {
      T const at = x[i + static_cast<std::size_t>(k)];
      most = std::max(most, distance<T>(y[k], static_cast<long double>(f(at))));
    }
  }
  return most;
}

}  // namespace ulps

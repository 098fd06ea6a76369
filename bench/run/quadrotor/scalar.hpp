// The input of tools that differentiate numbers.
#pragma once

#include "problem.hpp"

namespace quadrotor {

/// State and input, one after the other.
inline void read(point const& p, double* v) {
  for (int i = 0; i < states; ++i) v[i] = p.x(i);
  for (int i = 0; i < thrusts; ++i) v[states + i] = p.u(i);
}

}  // namespace quadrotor

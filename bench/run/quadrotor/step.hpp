// A quadrotor as a rigid body: a step of Euler's method. State: position, velocity, roll, pitch and yaw, body rates;
// input: the thrust of each rotor.
#pragma once

#include <cmath>
#include <utility>

namespace quadrotor {

inline constexpr int states = 12, thrusts = 4;
inline constexpr double seconds = 0.01, mass = 0.5, arm = 0.17, drag = 0.016, gravity = 9.81;
inline constexpr double inertia[3] = {2.3e-3, 2.8e-3, 4e-3};

inline constexpr auto step = [](auto x, auto u) {
  auto const thrust = sum(u) / mass;
  auto const sr = sin(x(6)), cr = cos(x(6)), sp = sin(x(7)), cp = cos(x(7)), sy = sin(x(8)), cy = cos(x(8));
  auto const p = x(9), q = x(10), r = x(11);
  auto const turn = sr * q + cr * r;
  auto const rates = stack<0>(x(3), x(4), x(5),  // of the position
                              thrust * (cr * sp * cy + sr * sy), thrust * (cr * sp * sy - sr * cy),
                              thrust * cr * cp - gravity,                                              // velocity
                              p + sp / cp * turn, cr * q - sr * r, turn / cp,                          // angles
                              ((inertia[1] - inertia[2]) * q * r + arm * (u(1) - u(3))) / inertia[0],  // body rates
                              ((inertia[2] - inertia[0]) * p * r + arm * (u(2) - u(0))) / inertia[1],
                              ((inertia[0] - inertia[1]) * p * q + drag * (u(0) - u(1) + u(2) - u(3))) / inertia[2]);
  return x + seconds * rates;
};

/// The same number by number: `y` of state and input `v`, numbers of any kind.
template <class N>
constexpr void step_of(N const* v, N* y) {
  using std::cos, std::sin;
  N const* const u = v + states;
  N const thrust = (u[0] + u[1] + u[2] + u[3]) / mass;
  N const sr = sin(v[6]), cr = cos(v[6]), sp = sin(v[7]), cp = cos(v[7]), sy = sin(v[8]), cy = cos(v[8]);
  N const &p = v[9], &q = v[10], &r = v[11], turn = sr * q + cr * r;
  for (int i = 0; i < 3; ++i) y[i] = v[i] + seconds * v[3 + i];
  y[3] = v[3] + seconds * thrust * (cr * sp * cy + sr * sy);
  y[4] = v[4] + seconds * thrust * (cr * sp * sy - sr * cy);
  y[5] = v[5] + seconds * (thrust * cr * cp - gravity);
  y[6] = v[6] + seconds * (p + sp / cp * turn);
  y[7] = v[7] + seconds * (cr * q - sr * r);
  y[8] = v[8] + seconds * turn / cp;
  y[9] = p + seconds / inertia[0] * ((inertia[1] - inertia[2]) * q * r + arm * (u[1] - u[3]));
  y[10] = q + seconds / inertia[1] * ((inertia[2] - inertia[0]) * p * r + arm * (u[2] - u[0]));
  y[11] = r + seconds / inertia[2] * ((inertia[0] - inertia[1]) * p * q + drag * (u[0] - u[1] + u[2] - u[3]));
}

/// As a function of vectors.
inline constexpr auto by_numbers = [](auto x, auto u) {
  using number = decltype(x(0));
  return [&]<int... I, int... K>(std::integer_sequence<int, I...>, std::integer_sequence<int, K...>) {
    number const v[] = {x(I)..., u(K)...};
    number y[states];
    step_of(v, y);
    return stack<0>(y[I]...);
  }(std::make_integer_sequence<int, states>{}, std::make_integer_sequence<int, thrusts>{});
};

}  // namespace quadrotor

// By hand, from the formulas: six sines and cosines in two registers; what is constant in the Jacobian is there
// already.
#include "problem.hpp"

#include <etch/machine/strips.hpp>

namespace quadrotor {

namespace {

using number = etch::lanes<double>;

/// The Jacobian, whose varying entries are written by each call.
struct buffer {
  alignas(64) double entries[quadrotor::entries]{};

  constexpr double& at(int row, int column) { return entries[row + column * states]; }
  constexpr buffer() {
    constexpr double spin = seconds * drag / inertia[2], roll = seconds * arm / inertia[0],
                     pitch = seconds * arm / inertia[1];
    for (int i = 0; i < states; ++i) at(i, i) = 1;
    for (int i = 0; i < 3; ++i) at(i, 3 + i) = seconds;
    at(6, 9) = seconds;
    at(9, 13) = roll, at(9, 15) = -roll, at(10, 14) = pitch, at(10, 12) = -pitch;
    for (int rotor = 0; rotor < thrusts; ++rotor) at(11, 12 + rotor) = rotor % 2 == 0 ? spin : -spin;
  }
};
constinit buffer kept;

double const* compute(point const& point) {
  double const* const x = point.x.data();
  alignas(64) double angles[number::width]{}, sines[number::width], cosines[number::width];
  for (int i = 0; i < 3; ++i) angles[i] = x[6 + i];
  number const a = number::load(angles);
  etch::math::sin(a).store(sines);
  etch::math::cos(a).store(cosines);
  double const sr = sines[0], sp = sines[1], sy = sines[2], cr = cosines[0], cp = cosines[1], cy = cosines[2];
  double const p = x[9], q = x[10], r = x[11];
  double const turn = seconds * (sr * q + cr * r), pitch_rate = seconds * (cr * q - sr * r), over = 1 / cp,
               tan = sp * over;
  double const push = seconds / mass, t = push * (point.u(0) + point.u(1) + point.u(2) + point.u(3));
  double const forward = cr * sp * cy + sr * sy, aside = cr * sp * sy - sr * cy, up = cr * cp;
  auto const at = [](int row, int column) -> double& { return kept.at(row, column); };
  at(3, 6) = t * (cr * sy - sr * sp * cy), at(3, 7) = t * up * cy, at(3, 8) = -t * aside;
  at(4, 6) = -t * (sr * sp * sy + cr * cy), at(4, 7) = t * up * sy, at(4, 8) = t * forward;
  at(5, 6) = -t * sr * cp, at(5, 7) = -t * cr * sp;
  for (int rotor = 0; rotor < thrusts; ++rotor)
    at(3, 12 + rotor) = push * forward, at(4, 12 + rotor) = push * aside, at(5, 12 + rotor) = push * up;
  at(6, 6) = 1 + tan * pitch_rate, at(6, 7) = turn * over * over;
  at(6, 10) = seconds * sr * tan, at(6, 11) = seconds * cr * tan;
  at(7, 6) = -turn, at(7, 10) = seconds * cr, at(7, 11) = -seconds * sr;
  at(8, 6) = pitch_rate * over, at(8, 7) = turn * over * tan, at(8, 10) = seconds * sr * over,
        at(8, 11) = seconds * cr * over;
  constexpr double kx = seconds * (inertia[1] - inertia[2]) / inertia[0],
                   ky = seconds * (inertia[2] - inertia[0]) / inertia[1],
                   kz = seconds * (inertia[0] - inertia[1]) / inertia[2];
  at(9, 10) = kx * r, at(9, 11) = kx * q, at(10, 9) = ky * r, at(10, 11) = ky * p, at(11, 9) = kz * q,
        at(11, 10) = kz * p;
  return kept.entries;
}

}  // namespace

rival const here{"hand",
                 [](data const& d, auto& g) { return in_turn(d, g, [](point const& p) { return compute(p); }); }};

}  // namespace quadrotor

// The Jacobian of the step as a lambda on vectors, by rows, which are fewer, and by columns; and of the step that other
// tools are given, number by number.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace quadrotor {

namespace {

template <class Jacobian>
double run(data const& d, jacobian_at& g, Jacobian jacobian) {
  static auto program = etch::compile<etch::wrt<>>(jacobian, point{}.x, point{}.u);
  return in_turn(d, g, [](point const& p) { return program(p.x, p.u).data(); });
}

}  // namespace

using both = etch::wrt<0, 1>;
rival const here{"etch", [](data const& d, auto& g) { return run(d, g, etch::jacobian<both>(step)); }};
rival const by_columns{"etch jacfwd", [](data const& d, auto& g) { return run(d, g, etch::jacfwd<both>(step)); }};
rival const of_numbers{"etch by numbers",
                       [](data const& d, auto& g) { return run(d, g, etch::jacobian<both>(by_numbers)); }};
rival const of_numbers_by_columns{"etch by numbers, jacfwd",
                                  [](data const& d, auto& g) { return run(d, g, etch::jacfwd<both>(by_numbers)); }};

}  // namespace quadrotor

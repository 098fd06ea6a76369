// CasADi: the C that it generates for the Jacobian, dense, compiled as this is.
#include "problem.hpp"

extern "C" int casadi_quadrotor(double const** arguments, double** results, long long* integers, double* work,
                                int memory);

namespace quadrotor {

rival const here{"casadi", [](data const& d, auto& g) {
                   return in_turn(d, g, [](point const& p) -> double const* {
                     static double jacobian[entries];
                     double const* arguments[] = {p.x.data(), p.u.data()};
                     double* results[] = {jacobian};
                     casadi_quadrotor(arguments, results, nullptr, nullptr, 0);
                     return jacobian;
                   });
                 }};

}  // namespace quadrotor

// CasADi: the C that it generates for the error of one observation and its Jacobian in tangent coordinates, compiled as
// this is, called for each.
#include "problem.hpp"

extern "C" int casadi_bundle_jacobian(double const** arguments, double** results, long long* integers, double* work,
                                      int memory);

namespace bundle {

namespace {

etch::tensor<double, 2, observations> errors;
etch::tensor<double, 2 * columns, observations> jacobians;

}  // namespace

rival const here{"casadi", [](data const& d, linearised& l) {
                   for (int o = 0; o < observations; ++o) {
                     double const* arguments[] = {&d.pose.data()[ambient * d.camera_of(o)],
                                                  &d.point.data()[3 * d.point_of(o)], &d.seen.data()[2 * o]};
                     double* results[] = {&errors.data()[2 * o], &jacobians.data()[2 * columns * o]};
                     casadi_bundle_jacobian(arguments, results, nullptr, nullptr, 0);
                   }
                   l = {errors.data(), jacobians.data()};
                   return l.error[0];
                 }};

}  // namespace bundle

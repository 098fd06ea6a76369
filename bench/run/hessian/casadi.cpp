// CasADi: the C that it generates for the Hessian and for products with it, compiled as this is.
#include "problem.hpp"

extern "C" {
int casadi_hessian(double const** arguments, double** results, long long* integers, double* work, int memory);
int casadi_hessian_product(double const** arguments, double** results, long long* integers, double* work, int memory);
}

namespace helmholtz {

hessian_rival const whole{"casadi", [](data const& d, auto& g) {
                            static double result[entries];
                            return many_times(g, [&] {
                              double const* arguments[] = {d.x.data(), d.b.data(), d.a.data()};
                              double* results[] = {result};
                              casadi_hessian(arguments, results, nullptr, nullptr, 0);
                              return static_cast<double const*>(result);
                            });
                          }};

product_rival const product{"casadi", [](data const& d, auto& g) {
                              static double result[components];
                              return many_times(g, [&] {
                                double const* arguments[] = {d.x.data(), d.b.data(), d.a.data(), d.v.data()};
                                double* results[] = {result};
                                casadi_hessian_product(arguments, results, nullptr, nullptr, 0);
                                return static_cast<double const*>(result);
                              });
                            }};

}  // namespace helmholtz

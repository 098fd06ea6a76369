// CasADi: the C that it generates for value, gradient and Hessian, by compressed columns, compiled as this is.
#include "problem.hpp"

extern "C" int casadi_sparse_hessian(double const** arguments, double** results, long long* integers, double* work,
                                     int memory);

namespace chain_of_valleys {

rival const here{"casadi", [](data const& x, auto& d) {
                   static double value, slopes[variables], entries[nonzeros];
                   double const* arguments[] = {x.data()};
                   double* results[] = {&value, slopes, entries};
                   casadi_sparse_hessian(arguments, results, nullptr, nullptr, 0);
                   d = {slopes, entries};
                   return value;
                 }};

}  // namespace chain_of_valleys

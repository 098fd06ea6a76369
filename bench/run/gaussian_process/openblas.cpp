// The closed form with LAPACK's factor and inverse, which OpenBLAS has.
#include "closed_form.hpp"

#include "../blas.hpp"

extern "C" {
void dpotrf_(char const* triangle, int const* n, double* a, int const* step, int* outcome);
void dpotri_(char const* triangle, int const* n, double* a, int const* step, int* outcome);
}

namespace gaussian_process {

rival const here{"openblas", [](data const& d, gradient& g) {
                   static bench::by_blas const one_thread{};
                   auto const by = [](auto function) {
                     return [function](matrix& k) {
                       int const n = points;
                       int outcome = 0;
                       function("L", &n, k.data(), &n, &outcome);
                     };
                   };
                   return by_closed_form(d, g, by(dpotrf_), by(dpotri_));
                 }};

}  // namespace gaussian_process

// One pass over the matrix: what is linear in five registers of rows stays there until the misses are known, which add
// to the gradient while the rows are in the first cache.
#include "problem.hpp"

#include <etch/machine/lanes.hpp>

namespace logistic_problem {

rival const here{"hand", [](data const& d, gradient& g) -> double {
                   using number = etch::lanes<double>;
                   using etch::math::multiply_add;
                   constexpr int width = number::width, abreast = 5, block = abreast * width;
                   static_assert(rows % block == 0);
                   static number sum[features];
                   for (number& each : sum) each = number(0.0);
                   number value(0.0), misses(0.0);
                   for (int i = 0; i < rows; i += block) {
                     number eta[abreast], miss[abreast];
                     for (number& each : eta) each = number(d.b);
                     for (int f = 0; f < features; ++f) {
                       number const w(d.w(f));
                       double const* const x = &d.x(i, f);
                       for (int r = 0; r < abreast; ++r) eta[r] = multiply_add(number::load(x + r * width), w, eta[r]);
                     }
                     for (int r = 0; r < abreast; ++r) {
                       number const y = number::load(&d.y(i + r * width));
                       value = value + (y * eta[r] - etch::math::softplus(eta[r]));
                       miss[r] = y - etch::math::sigmoid(eta[r]);
                       misses = misses + miss[r];
                     }
                     for (int f = 0; f < features; ++f) {
                       double const* const x = &d.x(i, f);
                       number s = sum[f];
                       for (int r = 0; r < abreast; ++r) s = multiply_add(number::load(x + r * width), miss[r], s);
                       sum[f] = s;
                     }
                   }
                   auto const total = [](number x) { return x.across([](auto a, auto b) { return a + b; }); };
                   double norm = d.b * d.b;
                   for (int f = 0; f < features; ++f) {
                     g.w(f) = total(sum[f]) - d.w(f);
                     norm += d.w(f) * d.w(f);
                   }
                   g.b = total(misses) - d.b;
                   return total(value) - 0.5 * norm;
                 }};

}  // namespace logistic_problem

// The loss as a lambda, compiled; and as a function that returns its gradient.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace product_problem {

namespace {
constexpr auto loss = [](auto x) { return prod(x); };
}  // namespace

rival const here{"etch", [](data const& d, gradient& g) {
                   static auto step = etch::compile(loss, data{}.x);
                   double total = 0;
                   bench::one_by_one(calls, [&](int) { total += step(d.x, etch::into(g.x)); });
                   return total;
                 }};

rival const as_function{"etch value_and_grad", [](data const& d, gradient& g) {
                          double total = 0;
                          bench::one_by_one(calls, [&](int) {
                            auto const [value, slope] = etch::value_and_grad(loss)(d.x);
                            g.x = slope;
                            total += value;
                          });
                          return total;
                        }};

}  // namespace product_problem

// The loss as a lambda, compiled; and as a function that returns its gradient.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace exp_problem {

namespace {
constexpr auto loss = [](auto x) { return exp(x); };
}  // namespace

rival const here{"etch", [](data const& d, gradient& g) {
                   static auto step = etch::compile(loss, 0.0);
                   double total = 0;
                   bench::one_by_one(calls, [&](int i) { total += step(d.x(i), etch::into(g.x(i))); });
                   return total;
                 }};

rival const as_function{"etch value_and_grad", [](data const& d, gradient& g) {
                          double total = 0;
                          bench::one_by_one(calls, [&](int i) {
                            auto const [value, slope] = etch::value_and_grad(loss)(d.x(i));
                            g.x(i) = slope;
                            total += value;
                          });
                          return total;
                        }};

}  // namespace exp_problem

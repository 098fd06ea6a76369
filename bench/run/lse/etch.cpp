// The loss as a lambda, compiled; and as a function that returns its gradient.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace lse_problem {

namespace {
constexpr auto loss = [](auto x) { return log(sum(exp(x))); };
}  // namespace

rival const here{"etch", [](data const& d, gradient& g) {
                   static auto step = etch::compile(loss, data{}.x);
                   return step(d.x, etch::into(g.x));
                 }};

rival const as_function{"etch value_and_grad", [](data const& d, gradient& g) {
                          auto const [value, slope] = etch::value_and_grad(loss)(d.x);
                          g.x = slope;
                          return value;
                        }};

}  // namespace lse_problem

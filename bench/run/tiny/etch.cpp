// The loss as a lambda, compiled; and as a function that returns its gradient.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace tiny_problem {

namespace {
constexpr auto loss = [](auto w, auto b, auto x, auto y) { return mean(square(w * x + b - y)); };
}  // namespace

rival const here{"etch", [](data const& d, gradient& g) -> double {
                   static auto step = etch::compile<etch::wrt<0, 1>>(loss, data{}.w, data{}.b, data{}.x, data{}.y);
                   double total = 0;
                   bench::one_by_one(calls, [&](int) { total += step(d.w, d.b, d.x, d.y, etch::into(g.w, g.b)); });
                   return total;
                 }};

rival const as_function{"etch value_and_grad", [](data const& d, gradient& g) -> double {
                          double total = 0;
                          bench::one_by_one(calls, [&](int) {
                            auto const [value, grads] = etch::value_and_grad<etch::wrt<0, 1>>(loss)(d.w, d.b, d.x, d.y);
                            std::tie(g.w, g.b) = grads;
                            total += value;
                          });
                          return total;
                        }};

}  // namespace tiny_problem

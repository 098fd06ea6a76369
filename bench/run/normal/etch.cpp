// The loss as a lambda, compiled; and as a function that returns its gradient.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace normal_problem {

namespace {
constexpr auto loss = [](auto x, auto mu, auto sigma) {
  return -0.5 * sum(square(x - mu)) / square(sigma) - count * (log(sigma) + 0.91893853320467274178);
};
}  // namespace

rival const here{"etch", [](data const& d, gradient& g) {
                   static auto step = etch::compile<etch::wrt<0, 1, 2>>(loss, data{}.x, 0.0, 0.0);
                   return step(d.x, d.mu, d.sigma, etch::into(g.x, g.mu, g.sigma));
                 }};

rival const as_function{"etch value_and_grad", [](data const& d, gradient& g) {
                          auto const [value, grads] =
                              etch::value_and_grad<etch::wrt<0, 1, 2>>(loss)(d.x, d.mu, d.sigma);
                          std::tie(g.x, g.mu, g.sigma) = grads;
                          return value;
                        }};

}  // namespace normal_problem

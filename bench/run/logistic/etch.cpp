// The loss as a lambda, compiled; and as a function that returns its gradient.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace logistic_problem {

namespace {
constexpr auto loss = [](auto x, auto y, auto w, auto b) {
  auto const eta = x * w + b;
  return dot(y, eta) - sum(softplus(eta)) - 0.5 * sum(square(w)) - 0.5 * square(b);
};
}  // namespace

rival const here{"etch", [](data const& d, gradient& g) {
                   static data const like{};
                   static auto step = etch::compile<etch::wrt<2, 3>>(loss, like.x, like.y, like.w, like.b);
                   return step(d.x, d.y, d.w, d.b, etch::into(g.w, g.b));
                 }};

rival const as_function{"etch value_and_grad", [](data const& d, gradient& g) {
                          auto const [value, grads] = etch::value_and_grad<etch::wrt<2, 3>>(loss)(d.x, d.y, d.w, d.b);
                          std::tie(g.w, g.b) = grads;
                          return value;
                        }};

}  // namespace logistic_problem

// The loss as a lambda, compiled; and as a function that returns its gradient.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace regression_problem {

namespace {
// The density of sigma is constant where sigma may be.
constexpr auto loss = [](auto x, auto y, auto w, auto b, auto sigma) {
  auto const miss = (y - x * w - b) / sigma;
  return -0.5 * sum(square(miss)) - rows * log(sigma) - 0.5 * sum(square(w)) - 0.5 * square(b);
};
}  // namespace

rival const here{"etch", [](data const& d, gradient& g) {
                   static data const like{};
                   static auto step =
                       etch::compile<etch::wrt<2, 3, 4>>(loss, like.x, like.y, like.w, like.b, like.sigma);
                   return step(d.x, d.y, d.w, d.b, d.sigma, etch::into(g.w, g.b, g.sigma));
                 }};

rival const as_function{"etch value_and_grad", [](data const& d, gradient& g) {
                          auto const [value, grads] =
                              etch::value_and_grad<etch::wrt<2, 3, 4>>(loss)(d.x, d.y, d.w, d.b, d.sigma);
                          std::tie(g.w, g.b, g.sigma) = grads;
                          return value;
                        }};

}  // namespace regression_problem

// The loss as a lambda, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace gaussian_process {

namespace {
constexpr auto loss = [](auto x, auto y, auto length, auto scale, auto noise) {
  auto const squares = etch::sum<0>(square(x));
  auto const distances = transpose(squares) + squares - 2.0 * (transpose(x) * x);
  auto const covariance =
      square(scale) * exp(-0.5 * distances / square(length)) + square(noise) * etch::identity<points>();
  auto const factor = cholesky(covariance);
  return 0.5 * squared_norm(triangular_solve(factor, y)) + sum(log(diagonal(factor)));
};
}  // namespace

rival const here{"etch", [](data const& d, gradient& g) {
                   static data const like{};
                   static auto step =
                       etch::compile<etch::wrt<2, 3, 4>>(loss, like.x, like.y, like.length, like.scale, like.noise);
                   return step(d.x, d.y, d.length, d.scale, d.noise, etch::into(g.length, g.scale, g.noise));
                 }};

}  // namespace gaussian_process

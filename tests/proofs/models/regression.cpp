// Bayesian linear regression: log-posterior of 1000 points with 10 features, y ~ N(X w + b, sigma),
// w and b ~ N(0, 1), sigma uniform.
#include <etch/etch.hpp>

namespace regression_model {

using features = etch::tensor<double, 10, 1000>;
using responses = etch::tensor<double, 1, 1000>;
using weights = etch::tensor<double, 1, 10>;

constexpr auto posterior = [](auto w, auto b, auto sigma, auto x, auto y) {
  return -0.5 * sum(square((y - w * x - b) / sigma)) - 1000 * log(sigma) - 0.5 * (squared_norm(w) + square(b));
};
constexpr auto value_and_grad = etch::value_and_grad<etch::wrt<0, 1, 2>>(posterior);

double gradient(weights const& w, double b, double sigma, features const& x, responses const& y, weights& to_w,
                double& to_b, double& to_sigma) {
  auto const [value, g] = value_and_grad(w, b, sigma, x, y);
  to_w = std::get<0>(g), to_b = std::get<1>(g), to_sigma = std::get<2>(g);
  return value;
}

}  // namespace regression_model

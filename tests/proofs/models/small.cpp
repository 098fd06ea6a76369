// The small problems: one pass over an array, or a few operations, most of them by functions
// that keep nothing between calls.
#include <etch/etch.hpp>

namespace small_model {

using vector_type = etch::tensor<double, 1000>;
using samples = etch::tensor<float, 100352>;
using layer = etch::nn::dense<float, 8, 1>;

constinit auto angles = etch::compile([](auto a) { return sum(atan2(a, 2)); }, samples{});

float sum_atan2(samples const& x, samples& to) { return angles(x, etch::into(to)); }
auto tiny(layer const& model, etch::tensor<float, 8, 2> const& x, etch::tensor<float, 1, 2> const& y) {
  return etch::value_and_grad([](auto m, auto in, auto out) { return etch::nn::mse(m(in), out); })(model, x, y);
}
double exponential(double x) {
  return etch::grad([](auto a) { return exp(a); })(x);
}
void lse(vector_type const& x, vector_type& to) {
  to = etch::grad([](auto a) { return log(sum(exp(a))); })(x);
}
auto product(etch::tensor<double, 100> const& x) {
  return etch::grad([](auto a) { return prod(a); })(x);
}
double black_scholes(double spot, double strike, double rate, double volatility) {
  auto const g = etch::grad<etch::wrt<0, 1, 2, 3>>([](auto s, auto k, auto r, auto v) {
    auto const phi = [](auto z) { return 0.5 * (1 + erf(z / 1.4142135623730951)); };
    auto const d = (log(s / k) + r) / v + 0.5 * v;
    return s * phi(d) - k * exp(-r) * phi(d - v);
  })(spot, strike, rate, volatility);
  return std::get<0>(g) + std::get<1>(g) + std::get<2>(g) + std::get<3>(g);
}

}  // namespace small_model

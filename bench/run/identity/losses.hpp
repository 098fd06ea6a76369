// Eight losses of one structure, written apart: a layer of 8 inputs and one output, two samples, mean squared error.
#pragma once

#include <etch/etch.hpp>

#include <tuple>

namespace identity_problem {

using layer = etch::nn::dense<float, 8, 1>;
using inputs = etch::tensor<float, 8, 2>;
using targets = etch::tensor<float, 1, 2>;

constexpr auto first = [](auto model, auto x, auto y) { return etch::nn::mse(model(x), y); };
constexpr auto second = [](auto l, auto in, auto out) { return mean(square(l(in) - out)); };
constexpr auto third = [](auto m, auto x, auto y) {
  auto const prediction = m.weight * x + m.bias;
  auto const miss = prediction - y;
  return mean(square(miss));
};
constexpr auto fourth = [](auto m, auto x, auto y) {
  auto wanted = y;
  auto z = m.weight * x;
  z += m.bias;
  z -= wanted;
  return mean(square(z));
};
struct fifth_loss {
  constexpr auto operator()(auto const& m, auto const& x, auto const& y) const {
    return etch::nn::mse(m.weight * x + m.bias, y);
  }
};
constexpr fifth_loss fifth{};
constexpr auto sixth = [](auto m, auto x, auto y) { return (m(x) - y).array().square().mean(); };
constexpr auto seventh = [](auto m, auto x, auto y) {
  static_cast<void>(sum(exp(m.weight)));
  return etch::nn::mse(m(x), y);
};
constexpr auto eighth = [](auto m, auto x, auto y) {
  auto const bias = m.bias;
  auto const weight = m.weight;
  return etch::nn::mse(weight * x + bias, y);
};

inline constexpr std::tuple losses{first, second, third, fourth, fifth, sixth, seventh, eighth};
inline constexpr char const* names[] = {
    "mse(model(x), y)", "mean(square(l(in) - out))", "local variables", "reassignment", "function object",
    "Eigen's words",    "with an unused statement",  "another order"};

}  // namespace identity_problem

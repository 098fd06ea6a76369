// Lesson 24: derivatives of prices to second order. A call in the formula of Black and Scholes has all of them in
// closed form. In Heston's model (S. Heston, A closed-form solution for options with stochastic volatility, 1993) the
// price is a mean over simulated paths of the variance: given such a path the price at expiry is log-normal, so a
// path's contribution is that formula again (G. Willard, Calculating prices and sensitivities for path-independent
// derivative securities in multifactor models, 1997). While the variance stays positive that is smooth in everything:
// the payoff itself has a kink at the strike, whose second derivative no path would see.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <algorithm>
#include <complex>
#include <numbers>

namespace {

constexpr int paths = 1024, steps = 32;
constexpr double strike = 100;

constexpr auto normal_distribution = [](auto x) { return 0.5 * erfc(-std::numbers::sqrt2 / 2 * x); };
/// A call on what is worth `price`, discounted by `discount`, where the logarithm's variance at expiry is `variance`.
constexpr auto call = [](auto price, auto variance, auto discount) {
  auto const deviation = sqrt(variance), d = log(price / (discount * strike)) / deviation + 0.5 * deviation;
  return price * normal_distribution(d) - discount * strike * normal_distribution(d - deviation);
};

template <class T>
struct option {
  T price, volatility, time, rate;
  ETCH_MEMBERS(option, price, volatility, time, rate)
};
constexpr auto black_scholes = [](auto o) {
  return call(o.price, square(o.volatility) * o.time, exp(-(o.rate * o.time)));
};

template <class T>
struct heston {
  T price;
  T variance;     // at the beginning
  T reversion;    // to the mean, a year
  T mean;         // of the variance
  T volatility;   // of the variance
  T correlation;  // of price and variance
  T rate, time;
  ETCH_MEMBERS(heston, price, variance, reversion, mean, volatility, correlation, rate, time)
};
/// The mean over paths of the variance by Euler's method with full truncation (R. Lord, R. Koekkoek, D. van Dijk,
/// 2010).
constexpr auto monte_carlo = [](auto m, auto draws) {
  auto const dt = m.time / steps;
  auto const of_path = [&](auto normal) {
    auto const step = [&](auto state, auto z) {
      auto const [v, integral, martingale] = state;
      // Where there is no variance, the root has an infinite derivative that must not arrive.
      auto const positive = relu(v), moved = select(v > 0, sqrt(v * dt), 0.0) * z;
      return std::tuple(v + m.reversion * (m.mean - positive) * dt + m.volatility * moved, integral + positive * dt,
                        martingale + moved);
    };
    auto const none = 0.0 * m.time;
    auto const [v, integral, martingale] = etch::scan(step, std::tuple(m.variance, none, none), normal);
    auto const along = square(m.correlation) * integral;
    return call(m.price * exp(m.correlation * martingale - 0.5 * along), integral - along, exp(-(m.rate * m.time)));
  };
  return etch::sum_map(of_path, draws) / paths;
};

option<double> const example{105, 0.25, 1.5, 0.03};
heston<double> const model{100, 0.04, 2, 0.05, 0.25, -0.6, 0.02, 1};
etch::tensor<double, steps, paths> draws;
constinit auto first_order = etch::compile<etch::wrt<0>>(black_scholes, example);
constinit auto second_order = etch::compile<etch::wrt<>>(etch::hessian(black_scholes), example);
constinit auto greeks = etch::compile<etch::wrt<0>>(monte_carlo, model, draws);
constinit auto along = etch::compile<etch::wrt<>>(etch::hvp(monte_carlo), model, draws, model);

double distance(double is, double wanted) { return std::abs(is - wanted) / std::max(1.0, std::abs(wanted)); }

/// Prints a derivative beside what it should be; their distance.
double compare(char const* name, double is, double wanted) {
  std::printf("  %-24s %14.9f %14.9f\n", name, is, wanted);
  return distance(is, wanted);
}

/// The largest error of the first and second derivatives of Black and Scholes' formula.
double closed_forms() {
  auto const [s, sigma, t, r] = example;
  double const value = first_order(example), root = std::sqrt(t), deviation = sigma * root,
               d1 = (std::log(s / strike) + (r + 0.5 * sigma * sigma) * t) / deviation, d2 = d1 - deviation,
               density = std::exp(-0.5 * d1 * d1) / std::sqrt(2 * std::numbers::pi), vega = s * density * root,
               n1 = 0.5 * std::erfc(-d1 / std::numbers::sqrt2), n2 = 0.5 * std::erfc(-d2 / std::numbers::sqrt2),
               bond = strike * std::exp(-r * t);
  auto const& g = first_order.grad<0>();
  auto const& h = second_order(example);
  std::printf("Black and Scholes           derivative    closed form\n");
  return std::max({compare("price", value, s * n1 - bond * n2), compare("delta", g.price, n1),
                   compare("vega", g.volatility, vega),
                   compare("theta, of time left", g.time, s * density * sigma / (2 * root) + r * bond * n2),
                   compare("rho", g.rate, t * bond * n2), compare("gamma", h(0, 0), density / (s * deviation)),
                   compare("vanna", h(0, 1), -density * d2 / sigma), compare("volga", h(1, 1), vega * d1 * d2 / sigma),
                   compare("delta by the rate", h(3, 0), density * root / sigma)});
}

/// Heston's price by A. Lewis' integral (Option valuation under stochastic volatility, 2000), Simpson's rule.
double semi_analytic(heston<double> const& m) {
  using complex = std::complex<double>;
  constexpr complex i{0, 1};
  double const forward = std::log(m.price / strike) + m.rate * m.time, squared = m.volatility * m.volatility;
  auto const at = [&](double w) {
    complex const u = w - 0.5 * i, beta = m.reversion - i * m.correlation * m.volatility * u,
                  d = std::sqrt(beta * beta + squared * (i * u + u * u)), g = (beta - d) / (beta + d),
                  decay = std::exp(-d * m.time);
    complex const by_mean = (beta - d) * m.time - 2.0 * std::log((1.0 - g * decay) / (1.0 - g));
    complex const by_variance = (beta - d) * (1.0 - decay) / (1.0 - g * decay);
    complex const exponent = (m.reversion * m.mean * by_mean + m.variance * by_variance) / squared;
    return std::exp(i * w * forward + exponent).real() / (w * w + 0.25);
  };
  constexpr int intervals = 4000;
  constexpr double width = 200.0 / intervals;
  double sum = at(0) + at(intervals * width);
  for (int k = 1; k < intervals; ++k) sum += (k % 2 == 1 ? 4 : 2) * at(k * width);
  return m.price - std::sqrt(m.price * strike) * std::exp(-0.5 * m.rate * m.time) / std::numbers::pi * sum * width / 3;
}

/// The largest distance of the first and second derivatives of the mean from differences, of values and of gradients,
/// with the same draws.
double differences() {
  using number = double heston<double>::*;
  constexpr number numbers[] = {&heston<double>::price, &heston<double>::variance,   &heston<double>::reversion,
                                &heston<double>::mean,  &heston<double>::volatility, &heston<double>::correlation,
                                &heston<double>::rate,  &heston<double>::time};
  constexpr char const* names[] = {"price",      "variance",    "reversion", "mean",
                                   "volatility", "correlation", "rate",      "time"};
  greeks(model, draws);
  heston<double> const g = greeks.grad<0>();
  std::printf("Heston                      derivative    differences\n");
  double worst = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    double const by = 1e-5 * std::abs(model.*numbers[k]);
    heston<double> above = model, below = model, direction{};
    above.*numbers[k] += by, below.*numbers[k] -= by, direction.*numbers[k] = 1;
    double const value_above = greeks(above, draws);
    heston<double> const g_above = greeks.grad<0>();
    double const value_below = greeks(below, draws);
    heston<double> const& g_below = greeks.grad<0>();
    worst = std::max(worst, compare(names[k], g.*numbers[k], (value_above - value_below) / (2 * by)));
    heston<double> const& column = along(model, draws, direction);
    for (number each : numbers)
      worst = std::max(worst, distance(column.*each, (g_above.*each - g_below.*each) / (2 * by)));
    compare("  and by the price, twice", column.price, (g_above.price - g_below.price) / (2 * by));
  }
  return worst;
}

lesson::outcome teach(lesson::settings const& s) {
  etch::nn::generator random(24);
  long const before = heap::count();
  double const exact = closed_forms();
  double sum = 0, squares = 0, rough = 0;
  for (int batch = 0; batch < s.steps; ++batch) {
    for (double& z : draws) z = random.normal();
    if (batch == 0) rough = differences();
    double const value = greeks(model, draws);
    sum += value, squares += value * value;
  }
  long const allocations = heap::count() - before;
  double const value = sum / s.steps, wanted = semi_analytic(model),
               error = std::sqrt((squares / s.steps - value * value) / (s.steps - 1)),
               away = std::abs(value - wanted) / error;
  std::printf("closed forms within %.0e, differences within %.0e\n", exact, rough);
  std::printf("price of %d paths %.4f, by Heston's formula %.4f: %.1f standard errors of %.4f\n", s.steps * paths,
              value, wanted, away, error);
  return {value, exact < 1e-13 && rough < 1e-6 && away <= s.bound, greeks.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "24_greeks",
                      .about = "Derivatives of options' prices to second order, in closed form and by Monte Carlo.",
                      .steps = 50,
                      .bound = 4,
                      .measure = "standard errors between the simulated price and the formula, at most",
                      .steps_are = "batches of 1,024 paths, two at least"},
                     teach);
}

// Infinite entries among others.
#include "op/extremes.hpp"

using namespace etch;
using namespace extremes;

TEST_CASE_TEMPLATE("logsumexp and its kin with infinite entries", T, float, double) {
  auto const entries = [](double a, double b, double c) { return of<T, 3>({a, b, c}); };
  constexpr auto f = [](auto x) { return logsumexp(x); };
  check_running(f, entries(1, infinite, 2), inf<T>, entries(0, 1, 0));
  check_running(f, entries(infinite, 1, infinite), inf<T>, entries(0.5, 0, 0.5));
  check_running(f, entries(1, infinite, -infinite), inf<T>, entries(0, 1, 0));
  check_running(f, entries(-infinite, -infinite, -infinite), -inf<T>, entries(0, 0, 0));
  check_everywhere(f, [] { return of<T, 3>({-infinite, 5, -infinite}); }, T(5), entries(0, 1, 0));
  check_running([](auto x) { return softmax(x)(1); }, entries(1, infinite, 2), T(1), entries(0, 0, 0));
  check_running([](auto x) { return log_softmax(x)(1); }, entries(1, infinite, 2), T(0), entries(0, 0, 0));
  check_running([](auto x) { return log_softmax(x)(0); }, entries(1, infinite, 2), -inf<T>, entries(1, -1, 0));
  CHECK(std::isnan(value_and_grad(f)(of<T, 3>({1, infinite, std::numeric_limits<double>::quiet_NaN()})).value));
}

TEST_CASE_TEMPLATE("cross-entropies where a class has no share and an infinite logarithm", T, float, double) {
  // With q = 1 / (1 + e): log(1 + 1 / e) = 0.313...
  constexpr double q = 0.26894142136999512075;
  T const loss = static_cast<T>(0.31326168751822283405);
  auto const slopes = of<T, 3>({-q, 0, q});
  constexpr auto at = [] { return of<T, 3>({2, -infinite, 1}); };
  constexpr auto label = [] { return tensor<int, 1>{}; };
  constexpr auto share = [] { return of<T, 3>({1, 0, 0}); };
  constexpr auto of_label = [](auto x, auto l) { return nn::softmax_cross_entropy(reshape<3, 1>(x), l); };
  constexpr auto of_share = [](auto x, auto p) {
    return nn::softmax_cross_entropy(reshape<3, 1>(x), reshape<3, 1>(p));
  };
  constexpr auto with_options = [](auto x, auto l) {
    return nn::softmax_cross_entropy(reshape<3, 1>(x), l, nn::cross_entropy_options{});
  };
  check_everywhere(of_label, at, loss, slopes, label);
  check_everywhere(of_share, at, loss, slopes, share);
  check_everywhere(with_options, at, loss, slopes, label);
  check_running(of_label, of<T, 3>({2, infinite, 1}), inf<T>,
                of<T, 3>({-1, std::numeric_limits<double>::quiet_NaN(), 0}), label());
  check_running([](auto x, auto p) { return nn::kl_divergence(reshape<3, 1>(x), reshape<3, 1>(p)); },
                of<T, 3>({-2, -infinite, -1}), T(2), of<T, 3>({-1, 0, 0}), share());
  check_running([](auto x, auto c) { return 3 * nn::poisson(x, c); }, of<T, 3>({0, -infinite, -infinite}), T(1),
                of<T, 3>({0, 0, 0}), share());
  check_running([](auto x, auto y) { return 3 * nn::binary_cross_entropy(x, y); },
                of<T, 3>({infinite, -infinite, -infinite}), T(0), of<T, 3>({0, 0, 0}), share());
  // The gradient by a share of 0 of something finite is that logarithm.
  auto const by_share = grad<wrt<1>>(of_share)(of<T, 3>({0, 0, 0}), share());
  for (T const g : by_share) CHECK(near(g, static_cast<T>(1.0986122886681098)));
}

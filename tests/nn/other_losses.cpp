#include <etch/etch.hpp>

#include "nn/derivatives.hpp"

namespace {

using namespace etch;

constexpr int classes = 3, batch = 4;
using matrix_type = tensor<double, classes, batch>;

struct samples {
  matrix_type x, y;
  samples() {
    layers::fill(x, 1, 2);
    layers::fill(y, 2, 2);
  }
} const some;

/// The value of `loss` at x and y against the mean over all entries of `each(x, y)`, and its
/// gradients against differences.
void check_mean(auto loss, auto each, matrix_type const& y = some.y) {
  double expected = 0;
  for (std::size_t i = 0; i < some.x.size(); ++i)
    expected += each(some.x.data()[i], y.data()[i]) / static_cast<double>(some.x.size());
  CHECK(value_and_grad(loss)(some.x, y).value == doctest::Approx(expected).epsilon(1e-13));
  layers::check_derivatives(wrt<0, 1>{}, loss, some.x, y);
}

TEST_CASE("losses of regression") {
  check_mean([](auto x, auto y) { return nn::mae(x, y); }, [](double x, double y) { return std::abs(x - y); });
  check_mean([](auto x, auto y) { return nn::huber(x, y, 1.25); },
             [](double x, double y) {
               double const e = std::abs(x - y);
               return e <= 1.25 ? e * e / 2 : 1.25 * (e - 0.625);
             });
  check_mean([](auto x, auto y) { return nn::log_cosh(x, y); },
             [](double x, double y) { return std::log(std::cosh(x - y)); });
  check_mean([](auto x, auto y) { return nn::poisson(x, y); }, [](double x, double y) { return std::exp(x) - y * x; });
}

TEST_CASE("log_cosh keeps its digits near 0: e^2 / 2 - e^4 / 12 + e^6 / 45, with slope tanh(e)") {
  for (double e : {1e-9, -1e-5, 0.01, -0.03}) {
    auto const [value, slope] = value_and_grad([](auto x) { return nn::log_cosh(x, 0); })(e);
    CHECK(value == doctest::Approx(e * e / 2 - e * e * e * e / 12 + std::pow(e, 6) / 45).epsilon(1e-13));
    CHECK(slope == doctest::Approx(std::tanh(e)).epsilon(1e-15));
  }
  for (double e : {0.999999999, 1.0, -1.0, 1.000000001}) {
    auto const [value, slope] = value_and_grad([](auto x) { return nn::log_cosh(x, 0); })(e);
    CHECK(value == doctest::Approx(std::log(std::cosh(e))).epsilon(1e-14));
    CHECK(slope == doctest::Approx(std::tanh(e)).epsilon(1e-14));
  }
}

TEST_CASE("huber's gradient at delta is that of both sides, log_cosh is finite far away") {
  CHECK(value_and_grad([](auto x) { return nn::huber(x, 0); })(1.0).grad == 1);
  CHECK(value_and_grad([](auto x) { return nn::huber(x, 0); })(-1.0).grad == -1);
  auto const [value, slope] = value_and_grad([](auto x) { return nn::log_cosh(x, 0); })(-5000.0);
  CHECK(value == doctest::Approx(5000 - std::log(2)).epsilon(1e-14));
  CHECK(slope == -1);
}

TEST_CASE("losses of two classes") {
  matrix_type signs;
  for (std::size_t i = 0; i < signs.size(); ++i) signs.data()[i] = some.y.data()[i] > 0 ? 1 : -1;
  check_mean([](auto x, auto y) { return nn::hinge(x, y); },
             [](double x, double y) { return std::max(0.0, 1 - x * y); }, signs);
  check_mean([](auto x, auto y) { return nn::binary_cross_entropy(x, y); },
             [](double x, double y) {
               double const p = 1 / (1 + std::exp(-x));
               return -y * std::log(p) - (1 - y) * std::log(1 - p);
             });
  auto const [value, slope] = value_and_grad([](auto x) { return nn::binary_cross_entropy(x, 1); })(-800.0);
  CHECK(value == 800);
  CHECK(slope == -1);
}

double total_of_exp(matrix_type const& x, int n) {
  double total = 0;
  for (int c = 0; c < classes; ++c) total += std::exp(x(c, n));
  return total;
}

TEST_CASE("divergence of one distribution from another; a class of probability 0 counts nothing") {
  auto const loss = [](auto x, auto p) { return nn::kl_divergence(log_softmax<0>(x), p); };
  matrix_type p{0.5, 0.25, 0.25, 0, 1, 0, 0.125, 0.375, 0.5, 0.25, 0.5, 0.25};
  double expected = 0;
  for (int n = 0; n < batch; ++n)
    for (int c = 0; c < classes; ++c)
      if (p(c, n) > 0)
        expected += p(c, n) * (std::log(p(c, n)) - some.x(c, n) + std::log(total_of_exp(some.x, n))) / batch;
  CHECK(value_and_grad(loss)(some.x, p).value == doctest::Approx(expected).epsilon(1e-13));
  layers::check_derivatives(wrt<0>{}, loss, some.x, p);
}

TEST_CASE("angles between columns; a column of zeros has cosine 0 and no gradient that is not finite") {
  auto const loss = [](auto x, auto y) { return nn::cosine(x, y); };
  double expected = 1;
  for (int n = 0; n < batch; ++n) {
    double xy = 0, xx = 0, yy = 0;
    for (int c = 0; c < classes; ++c)
      xy += some.x(c, n) * some.y(c, n), xx += some.x(c, n) * some.x(c, n), yy += some.y(c, n) * some.y(c, n);
    expected -= xy / std::sqrt(xx * yy) / batch;
  }
  CHECK(value_and_grad(loss)(some.x, some.y).value == doctest::Approx(expected).epsilon(1e-13));
  layers::check_derivatives(wrt<0, 1>{}, loss, some.x, some.y);
  auto const [value, g] = value_and_grad(loss)(matrix_type{}, some.y);
  CHECK(value == 1);
  for (double e : g) CHECK(std::isfinite(e));
}

TEST_CASE("cross-entropy with smoothed labels, weights and labels that are ignored") {
  tensor<int, batch> const labels{0, 2, -100, 1};
  tensor<double, classes> const weights{1, 2, 0.5};
  auto const expected = [&](double smoothing, auto weight, int ignored) {
    double sum = 0, of_own = 0;
    for (int n = 0; n < batch; ++n) {
      if (labels(n) < 0 || labels(n) == ignored) continue;
      double const log_total = std::log(total_of_exp(some.x, n));
      for (int c = 0; c < classes; ++c) sum += smoothing / classes * weight(c) * (log_total - some.x(c, n));
      sum += (1 - smoothing) * weight(labels(n)) * (log_total - some.x(labels(n), n));
      of_own += weight(labels(n));
    }
    return sum / of_own;
  };
  auto const plain = [](auto x, auto l) {
    return nn::softmax_cross_entropy(x, l, {.label_smoothing = 0.125, .ignored_label = -100});
  };
  auto const weighted = [](auto x, auto l, auto w) {
    return nn::softmax_cross_entropy(x, l, {.label_smoothing = 0.25, .ignored_label = -100}, w);
  };
  auto const one_less = [](auto x, auto l, auto w) { return nn::softmax_cross_entropy(x, l, {.ignored_label = 2}, w); };
  auto const same = [](int) { return 1.0; };
  CHECK(value_and_grad(plain)(some.x, labels).value == doctest::Approx(expected(0.125, same, -100)).epsilon(1e-13));
  CHECK(value_and_grad(weighted)(some.x, labels, weights).value ==
        doctest::Approx(expected(0.25, weights, -100)).epsilon(1e-13));
  tensor<int, batch> const all_known{0, 2, 2, 1};
  auto const g = value_and_grad(one_less)(some.x, all_known, weights).grad;
  for (int c = 0; c < classes; ++c) {
    CHECK(g(c, 1) == 0);
    CHECK(g(c, 2) == 0);
    CHECK(g(c, 0) != 0);
  }
  layers::check_derivatives(wrt<0>{}, plain, some.x, labels);
  layers::check_derivatives(wrt<0>{}, weighted, some.x, labels, weights);
}

TEST_CASE("a logit of -inf that nobody asks for counts nothing") {
  matrix_type x = some.x;
  x(1, 0) = x(2, 2) = -std::numeric_limits<double>::infinity();
  tensor<int, batch> const labels{0, 2, 1, 1};
  auto const [value, g] = value_and_grad(
      [](auto z, auto l) { return nn::softmax_cross_entropy(z, l, nn::cross_entropy_options{}); })(x, labels);
  CHECK(std::isfinite(value));
  CHECK(g(1, 0) == 0);
  for (double e : g) CHECK(std::isfinite(e));
}

TEST_CASE("binary cross-entropy keeps its digits where a class is nearly certain") {
  auto const loss = [](auto z, auto t) { return nn::binary_cross_entropy(z, t); };
  CHECK(value_and_grad(loss)(30.0f, 1.0f).value == doctest::Approx(std::exp(-30.0)).epsilon(1e-6));
  CHECK(value_and_grad(loss)(-30.0f, 0.0f).value == doctest::Approx(std::exp(-30.0)).epsilon(1e-6));
  CHECK(value_and_grad(loss)(0.0, 1.0).grad == -0.5);
}

TEST_CASE("without options, and with probabilities, it is the cross-entropy there was") {
  tensor<int, batch> const labels{0, 2, 1, 1};
  auto const before = value_and_grad([](auto x, auto l) { return nn::softmax_cross_entropy(x, l); })(some.x, labels);
  auto const now = value_and_grad(
      [](auto x, auto l) { return nn::softmax_cross_entropy(x, l, nn::cross_entropy_options{}); })(some.x, labels);
  CHECK(now.value == doctest::Approx(before.value).epsilon(1e-14));
  for (std::size_t i = 0; i < before.grad.size(); ++i)
    CHECK(now.grad.data()[i] == doctest::Approx(before.grad.data()[i]).epsilon(1e-12));
  matrix_type const p{0.5, 0.25, 0.25, 0, 1, 0, 0.125, 0.375, 0.5, 0.25, 0.5, 0.25};
  auto const smooth = [](auto x, auto t) { return nn::softmax_cross_entropy(x, t, {.label_smoothing = 0.5}); };
  auto const by_hand = [](auto x, auto t) { return nn::softmax_cross_entropy(x, 0.5 * t + 0.5 / classes); };
  CHECK(value_and_grad(smooth)(some.x, p).value ==
        doctest::Approx(value_and_grad(by_hand)(some.x, p).value).epsilon(1e-13));
}

}  // namespace

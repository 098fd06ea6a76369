#include <etch/nn/loss.hpp>

#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace {

using namespace etch;

constexpr auto squared_error = [](auto prediction, auto target) { return nn::mse(prediction, target); };
constexpr auto cross_entropy = [](auto logits, auto target) { return nn::softmax_cross_entropy(logits, target); };

constexpr int classes = 4, batch = 3;
template <class T>
using logits_of = tensor<T, classes, batch>;

template <class T>
logits_of<T> some_logits() {
  return {T(0.5), T(-1), T(2), T(0.25), T(3), T(3), T(-2), T(0), T(-0.75), T(1.5), T(1.25), T(-4)};
}

/// Softmax of one column by the textbook, in long double; the largest entry is subtracted.
std::array<long double, classes> probabilities(auto const& z, int sample) {
  std::array<long double, classes> p{};
  long double largest = static_cast<long double>(z(0, sample)), total = 0;
  for (int c = 1; c < classes; ++c) largest = std::max(largest, static_cast<long double>(z(c, sample)));
  for (int c = 0; c < classes; ++c)
    total += p[static_cast<std::size_t>(c)] = std::exp(static_cast<long double>(z(c, sample)) - largest);
  for (auto& e : p) e /= total;
  return p;
}

/// Cross-entropy and its gradient (p - target) / batch, sample by sample; targets are probabilities that sum to 1.
struct reference {
  double value = 0;
  double gradient[classes][batch] = {};
};
reference by_loops(auto const& z, auto const& target) {
  reference r;
  for (int s = 0; s < batch; ++s) {
    auto const p = probabilities(z, s);
    for (int c = 0; c < classes; ++c) {
      auto const q = p[static_cast<std::size_t>(c)];
      if (target(c, s) != 0)
        r.value -= static_cast<double>(static_cast<long double>(target(c, s)) * std::log(q) / batch);
      r.gradient[c][s] = static_cast<double>((q - static_cast<long double>(target(c, s))) / batch);
    }
  }
  return r;
}

constexpr tensor<int, batch> labels{2, 1, 3};
template <class T>
logits_of<T> one_hot_labels() {
  logits_of<T> hot;
  for (int s = 0; s < batch; ++s) hot(labels(s), s) = 1;
  return hot;
}

template <class T>
void check_against(reference const& expected, auto const& result, double tolerance) {
  CHECK(std::abs(static_cast<double>(result.value) - expected.value) <=
        tolerance * std::max(1.0, std::abs(expected.value)));
  for (int s = 0; s < batch; ++s)
    for (int c = 0; c < classes; ++c)
      CHECK(std::abs(static_cast<double>(result.grad(c, s)) - expected.gradient[c][s]) <= tolerance);
}

TEST_CASE_TEMPLATE("cross-entropy from integer labels, one-hot and soft targets is what loops give", T, float, double) {
  double const tolerance = sizeof(T) == 4 ? 5e-7 : 1e-15;
  auto const z = some_logits<T>();
  auto const hot = one_hot_labels<T>();
  check_against<T>(by_loops(z, hot), value_and_grad(cross_entropy)(z, labels), tolerance);
  check_against<T>(by_loops(z, hot), value_and_grad(cross_entropy)(z, hot), tolerance);
  logits_of<T> const soft{T(0.125), T(0.25), T(0.5),  T(0.125), T(0),    T(0.5),
                          T(0.5),   T(0),    T(0.25), T(0.25),  T(0.25), T(0.25)};
  check_against<T>(by_loops(z, soft), value_and_grad(cross_entropy)(z, soft), tolerance);
}

TEST_CASE("labels of a smaller integer type are labels") {
  auto const z = some_logits<float>();
  auto const wide = value_and_grad(cross_entropy)(z, labels);
  auto const narrow = value_and_grad(cross_entropy)(z, tensor<std::uint8_t, batch>{2, 1, 3});
  CHECK(narrow.value == wide.value);
  CHECK(narrow.grad == wide.grad);
}

TEST_CASE("cross-entropy is finite and right for logits of ten thousand in float") {
  logits_of<float> const z{1e4f, -1e4f, 0, 5e3f, -1e4f, -1e4f, -1e4f, -1e4f, -1e4f, 1e4f, 1e4f, 9999};
  auto const hot = one_hot_labels<float>();
  reference const expected = by_loops(z, hot);
  REQUIRE(expected.value > 3333);
  REQUIRE(expected.value < 3335);
  check_against<float>(expected, value_and_grad(cross_entropy)(z, labels), 1e-6);
  check_against<float>(expected, value_and_grad(cross_entropy)(z, hot), 1e-6);
}

TEST_CASE("a sample beyond doubt costs nothing, a uniform one the logarithm of the number of classes") {
  logits_of<double> sure, unsure;
  for (int s = 0; s < batch; ++s) sure(labels(s), s) = 1000;
  CHECK(value_and_grad(cross_entropy)(sure, labels).value == 0);
  CHECK(value_and_grad(cross_entropy)(unsure, labels).value == doctest::Approx(1.3862943611198906));
}

TEST_CASE("a single sample may be a vector of logits") {
  tensor<double, 4> const z{1, 2, 3, 4};
  auto const [value, g] = value_and_grad(cross_entropy)(z, 1);
  // softmax of 1 2 3 4, to sixteen digits
  CHECK(value == doctest::Approx(2.4401896985611953).epsilon(1e-14));
  CHECK(g(0) == doctest::Approx(0.03205860328008499).epsilon(1e-14));
  CHECK(g(1) == doctest::Approx(0.08714431874203257 - 1).epsilon(1e-14));
  CHECK(g(3) == doctest::Approx(0.6439142598879724).epsilon(1e-14));
}

TEST_CASE("soft targets have a gradient of their own") {
  // d/dtarget = -log_softmax(logits) / batch
  auto const z = some_logits<double>();
  auto const g = grad<wrt<1>>(cross_entropy)(z, one_hot_labels<double>());
  for (int s = 0; s < batch; ++s)
    for (int c = 0; c < classes; ++c)
      CHECK(g(c, s) ==
            doctest::Approx(static_cast<double>(-std::log(probabilities(z, s)[static_cast<std::size_t>(c)]) / batch))
                .epsilon(1e-13));
}

TEST_CASE_TEMPLATE("the mean squared error averages over all entries", T, float, double) {
  tensor<T, 2, 3> const p{1, 2, 3, 4, 5, 6}, t{0, 4, 3, 1, 5.5f, 8};
  auto const [value, g] = value_and_grad<wrt<0, 1>>(squared_error)(p, t);
  CHECK(value == doctest::Approx((1 + 4 + 0 + 9 + 0.25 + 4) / 6).epsilon(1e-6));
  double const difference[6] = {1, -2, 0, 3, -0.5, -2};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(static_cast<double>(std::get<0>(g)[i]) == doctest::Approx(difference[i] / 3).epsilon(1e-6));
    CHECK(std::get<1>(g)[i] == -std::get<0>(g)[i]);
  }
}

TEST_CASE("the mean squared error of a scalar and a constant target") {
  auto const [value, g] = value_and_grad([](auto x) { return nn::mse(x, 3.0); })(5.0);
  CHECK(value == 4);
  CHECK(g == 4);
}

TEST_CASE("axes behind the batch are more samples, of kinds and of probabilities, with options too") {
  tensor<double, 3, 2, 4> logits;
  tensor<int, 2, 4> kinds;
  for (std::size_t i = 0; i < logits.size(); ++i) logits.data()[i] = 0.3 * static_cast<double>(i * i % 7) - 0.5;
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds.data()[i] = static_cast<int>(i % 3);
  tensor<double, 3, 8> columns;
  tensor<int, 8> flat;
  std::copy(logits.begin(), logits.end(), columns.begin());
  std::copy(kinds.begin(), kinds.end(), flat.begin());
  auto const [value, g] = value_and_grad(cross_entropy)(logits, kinds);
  auto const [expected, of_columns] = value_and_grad(cross_entropy)(columns, flat);
  CHECK(value == expected);
  CHECK(std::equal(g.begin(), g.end(), of_columns.begin()));
  constexpr auto soft = [](auto x, auto p) { return nn::softmax_cross_entropy(x, softmax<0>(p)); };
  CHECK(value_and_grad(soft)(logits, logits).value == doctest::Approx(value_and_grad(soft)(columns, columns).value));
  constexpr auto smoothed = [](auto x, auto l) { return nn::softmax_cross_entropy(x, l, {.label_smoothing = 0.1}); };
  CHECK(value_and_grad(smoothed)(logits, kinds).value ==
        doctest::Approx(value_and_grad(smoothed)(columns, flat).value));
}

// Labels for other axes are no labels.
template <class Logits, class Target>
inline constexpr bool fits = nn::detail::fits_columns<Logits, Target>();
static_assert(fits<expr<double, 3, 4, 5>, expr<int, 4, 5>> && fits<expr<double, 3, 4, 5>, expr<int, 20>>);
static_assert(!fits<expr<double, 3, 4, 5>, expr<int, 5, 4>> && !fits<expr<double, 3, 4, 5>, expr<int, 19>>);
static_assert(fits<expr<double, 3, 4, 5>, expr<double, 3, 4, 5>> &&
              !fits<expr<double, 3, 4, 5>, expr<double, 3, 5, 4>>);

}  // namespace

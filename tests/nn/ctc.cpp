#include <etch/nn/ctc.hpp>

#include <etch/etch.hpp>

#include "nn/derivatives.hpp"

namespace {

using namespace etch;

/// The probability of `labels`, as the sum over all sequences of classes that spell them.
template <int Classes>
double by_enumeration(std::vector<std::array<double, Classes>> const& p, std::vector<int> const& labels, int blank) {
  double total = 0;
  std::vector<int> path(p.size(), 0);
  for (bool more = true; more;) {
    std::vector<int> spelled;
    double probability = 1;
    for (std::size_t t = 0; t < path.size(); ++t) {
      probability *= p[t][static_cast<std::size_t>(path[t])];
      if (path[t] != blank && (t == 0 || path[t] != path[t - 1])) spelled.push_back(path[t]);
    }
    if (spelled == labels) total += probability;
    more = false;
    for (int& each : path) {
      if (++each < Classes) {
        more = true;
        break;
      }
      each = 0;
    }
  }
  return total;
}

template <int Blank>
constexpr auto loss =
    [](auto logits, auto labels, auto steps, auto counts) { return nn::ctc<Blank>(logits, labels, steps, counts); };

/// Minus the mean logarithm of the probabilities of a batch.
template <int Blank, int Classes, int Batch, int Time, int Length>
double expected(tensor<double, Classes, Batch, Time> const& logits, tensor<int, Length, Batch> const& labels,
                tensor<int, Batch> const& steps, tensor<int, Batch> const& counts) {
  double sum = 0;
  for (int b = 0; b < Batch; ++b) {
    std::vector<std::array<double, Classes>> p(static_cast<std::size_t>(steps(b)));
    for (int t = 0; t < steps(b); ++t) {
      double total = 0;
      for (int c = 0; c < Classes; ++c) total += std::exp(logits(c, b, t));
      for (int c = 0; c < Classes; ++c)
        p[static_cast<std::size_t>(t)][static_cast<std::size_t>(c)] = std::exp(logits(c, b, t)) / total;
    }
    sum -= std::log(by_enumeration<Classes>(p, {&labels(0, b), &labels(0, b) + counts(b)}, Blank));
  }
  return sum / Batch;
}

TEST_CASE(
    "the value is the sum over all ways to spell the labels: of all lengths, with repeated labels, to the last step "
    "that is there") {
  tensor<double, 3, 6, 6> logits;
  layers::fill(logits, 1, 2);
  tensor<int, 3, 6> const labels{1, 2, 1, 2, 2, 0, 1, 1, 1, 2, 0, 0, 0, 0, 0, 2, 1, 2};
  tensor<int, 6> const steps{6, 5, 6, 1, 3, 4}, counts{3, 2, 3, 1, 0, 3};
  static auto program = compile<wrt<>>(loss<0>, logits, labels, steps, counts);
  CHECK(program(logits, labels, steps, counts) ==
        doctest::Approx(expected<0>(logits, labels, steps, counts)).epsilon(1e-12));
}

TEST_CASE("the blank may be any class") {
  tensor<double, 3, 2, 4> logits;
  layers::fill(logits, 2, 2);
  tensor<int, 2, 2> const labels{0, 1, 0, 0};
  tensor<int, 2> const steps{4, 4}, counts{2, 2};
  static auto program = compile<wrt<>>(loss<2>, logits, labels, steps, counts);
  CHECK(program(logits, labels, steps, counts) ==
        doctest::Approx(expected<2>(logits, labels, steps, counts)).epsilon(1e-12));
}

TEST_CASE("one label, one sample, one prediction") {
  tensor<double, 2, 1, 1> const logits{0.5, -0.25};
  static auto program = compile<wrt<>>(loss<0>, logits, tensor<int, 1, 1>{}, tensor<int, 1>{}, tensor<int, 1>{});
  tensor<int, 1, 1> const label(1);
  tensor<int, 1> const one(1), none(0);
  CHECK(program(logits, label, one, one) == doctest::Approx(std::log1p(std::exp(0.75))).epsilon(1e-14));
  CHECK(program(logits, label, one, none) == doctest::Approx(std::log1p(std::exp(-0.75))).epsilon(1e-14));
}

TEST_CASE("the gradient is the value's") {
  tensor<double, 3, 3, 4> logits;
  layers::fill(logits, 3);
  layers::check_derivatives(wrt<0>{}, loss<0>, logits, tensor<int, 2, 3>{1, 1, 2, 1, 2, 0}, tensor<int, 3>{4, 4, 3},
                            tensor<int, 3>{2, 2, 1});
}

TEST_CASE("a sample that cannot be spelled is infinitely unlikely, and gives no gradient") {
  tensor<double, 3, 2, 2> logits;
  layers::fill(logits, 4);
  static auto step = compile(loss<0>, logits, tensor<int, 2, 2>{}, tensor<int, 2>{}, tensor<int, 2>{});
  CHECK(step(logits, {1, 1, 1, 2}, {2, 2}, {2, 2}) ==
        std::numeric_limits<double>::infinity());  // a repeated label needs a blank between
  for (int t = 0; t < 2; ++t)
    for (int c = 0; c < 3; ++c) CHECK(step.grad<0>()(c, 0, t) == 0);
  CHECK(step.grad<0>()(0, 1, 0) != 0);
}

TEST_CASE("logits far apart and long sequences, in float") {
  static tensor<float, 5, 2, 200> logits;
  tensor<int, 4, 2> const labels{1, 2, 3, 4, 4, 4, 3, 3};
  for (int t = 0; t < 200; ++t)
    for (int b = 0; b < 2; ++b)
      logits(t % 2 == 0 ? labels(t / 50, b) : 0, b, t) = 300;  // certain of every label, again and again
  static auto step = compile(loss<0>, logits, labels, tensor<int, 2>{}, tensor<int, 2>{});
  float const value = step(logits, labels, {200, 200}, {4, 4});
  CHECK(std::isfinite(value));
  CHECK(value > 1000);  // of 25 repetitions of each label but one are too much
  for (float each : step.grad<0>()) CHECK(std::isfinite(each));
}

}  // namespace

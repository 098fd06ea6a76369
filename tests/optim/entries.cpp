#include <etch/etch.hpp>
#include <etch/optim/flat.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <tuple>

namespace {

using namespace etch;

// One entry, a register, one less and one more than registers of 16, 32 and 64 bytes have, a prime.
template <class T>
using model_of = std::tuple<tensor<T, 1>, tensor<T, 3, 5>, tensor<T, 8>, tensor<T, 17>, tensor<T, 64>, tensor<T, 37>>;

/// Weights or gradients without a pattern, some of them 0.
template <class T>
void fill(model_of<T>& model, double seed) {
  argument<model_of<T>>::visit(model, [&](T* entries, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      seed += 1;
      entries[i] = i % 5 == 3 ? T(0) : static_cast<T>(std::sin(seed * seed));
    }
  });
}

template <class T>
auto flat(model_of<T> const& model) {
  std::array<double, optim::flat_size<model_of<T>>> entries{};
  optim::flatten(model, std::span<double, optim::flat_size<model_of<T>>>(entries));
  return entries;
}

template <class T>
void check_close(double x, double expected) {
  if (std::isnan(expected)) CHECK(std::isnan(x));
  else CHECK(std::abs(x - expected) <= 40 * std::numeric_limits<T>::epsilon() * (1 + std::abs(expected)));
}

/// Each entry of tensors is moved as a number by itself is, also beside one whose gradient is NaN.
template <class T, template <class> class Optimiser>
void check_entry_by_entry(auto... constants) {
  constexpr std::size_t count = optim::flat_size<model_of<T>>;
  Optimiser<model_of<T>> optimiser{constants...};
  std::array<Optimiser<T>, count> alone;
  alone.fill(Optimiser<T>{constants...});
  model_of<T> weights, gradient;
  fill(weights, 0.5);
  std::array<T, count> expected;
  for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<T>(flat(weights)[i]);
  for (int step = 0; step < 4; ++step) {
    fill(gradient, step * 1000.0);
    if (step == 2) std::get<4>(gradient)(21) = std::numeric_limits<T>::quiet_NaN();
    auto const entries = flat(gradient);
    optimiser.update(weights, gradient);
    for (std::size_t i = 0; i < count; ++i) {
      alone[i].update(expected[i], static_cast<T>(entries[i]));
      check_close<T>(flat(weights)[i], static_cast<double>(expected[i]));
    }
    CHECK(flat(gradient)[0] == entries[0]);
  }
}

TEST_CASE_TEMPLATE("every entry of a tensor is moved as a number by itself", T, float, double) {
  check_entry_by_entry<T, optim::sgd>(0.125, 0.5, 0.25, true);
  check_entry_by_entry<T, optim::adam>(0.125, 0.5, 0.75, 1e-8, 0.25);
  check_entry_by_entry<T, optim::adamw>(0.125, 0.5, 0.75, 1e-8, 0.25);
  check_entry_by_entry<T, optim::rmsprop>(0.125, 0.75, 0.5, 1e-8, 0.25);
  check_entry_by_entry<T, optim::adagrad>(0.125, 1e-10, 0.25);
}

// With halves every mean is exact, so that its sign is that of a number by itself.
TEST_CASE_TEMPLATE("lion takes the sign of every entry", T, float, double) {
  check_entry_by_entry<T, optim::lion>(0.125, 0.5, 0.5, 0.25);
}

TEST_CASE_TEMPLATE("lamb's norms are those of each tensor", T, float, double) {
  optim::lamb<model_of<T>> optimiser{0.125, 0.5, 0.75, 1e-6, 0.25};
  model_of<T> weights, gradient;
  fill(weights, 0.5);
  fill(gradient, 100);
  auto const w = flat(weights), g = flat(gradient);
  optimiser.update(weights, gradient);
  auto const moved = flat(weights);
  std::size_t begin = 0;
  argument<model_of<T>>::visit(weights, [&](T const*, std::size_t n) {
    auto const direction = [&](std::size_t i) { return g[i] / (std::abs(g[i]) + 1e-6) + 0.25 * w[i]; };
    double of_weights = 0, of_direction = 0;
    for (std::size_t i = begin; i < begin + n; ++i) {
      of_weights += w[i] * w[i];
      of_direction += direction(i) * direction(i);
    }
    for (std::size_t i = begin; i < begin + n; ++i)
      check_close<T>(moved[i], w[i] - 0.125 * std::sqrt(of_weights / of_direction) * direction(i));
    begin += n;
  });
}

TEST_CASE_TEMPLATE("an average of models is that of every entry", T, float, double) {
  optim::exponential_average<model_of<T>> mean{0.75};
  model_of<T> weights;
  std::array<double, optim::flat_size<model_of<T>>> expected{};
  for (int step = 0; step < 20; ++step) {
    fill(weights, step);
    mean.update(weights);
    double const keep = step == 0 ? 0 : std::min(0.75, (1.0 + step) / (10.0 + step));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] += (1 - keep) * (flat(weights)[i] - expected[i]);
      check_close<T>(flat(mean.average)[i], expected[i]);
    }
  }
}

TEST_CASE_TEMPLATE("moments without gradients decay to 0, past subnormal numbers", T, float, double) {
  tensor<T, 19> weights, gradient, none{};
  weights.fill(T(1));
  gradient.fill(T(0.5));
  optim::adam<tensor<T, 19>> adam{0.125, 0.5, 0.5};
  optim::sgd<tensor<T, 19>> sgd{0.125, 0.5};
  optim::rmsprop<tensor<T, 19>> rmsprop{0.125, 0.5, 0.5};
  optim::lion<tensor<T, 19>> lion{0.125, 0.5, 0.5};
  auto const update = [&](auto const& by) {
    adam.update(weights, by), sgd.update(weights, by), rmsprop.update(weights, by), lion.update(weights, by);
  };
  update(gradient);
  for (int step = 0; step < 1200; ++step) {
    update(none);
    for (auto const* state :
         {&adam.first_moment, &adam.second_moment, &sgd.velocity, &rmsprop.squares, &rmsprop.velocity, &lion.moment})
      for (int i : {0, 15, 16, 18}) CHECK(std::fpclassify((*state)(i)) != FP_SUBNORMAL);
  }
  CHECK(adam.first_moment == none);
  CHECK(sgd.velocity == none);
  CHECK(rmsprop.velocity == none);
  CHECK(lion.moment == none);
  auto const rested = weights;
  update(none);
  CHECK(weights == rested);
}

}  // namespace

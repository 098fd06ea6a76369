// What the steps of a loop keep, and what the way back computes again.
#include <etch/rewrite/saved_nodes.hpp>

#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr int entries = 150, steps = 8;
using line = tensor<double, entries>;

template <class Keep>
constexpr auto cheap_steps = [](auto u, auto w) {
  return sum(
      repeat<steps>([&](auto v) { return v + 0.1 * (roll<0, 1>(v) - cwise_product(v + w, 1.0 - v)); }, u, Keep{}));
};
constexpr auto steps_of_exp = [](auto u, auto w) {
  return sum(repeat<steps>([&](auto v) { return v + 0.1 * cwise_product(exp(v), w - v); }, u));
};
constexpr auto largest_of_steps = [](auto u, auto w) {
  return sum(square(
      repeat<steps>([&](auto v) { return v + 0.1 * (w - max(cwise_product(v, w) + 0.3 * cwise_product(v, v))); }, u)));
};

/// Where `x` is nearly 0, its last digits decide.
constexpr auto masked_steps = [](auto u, auto w, auto t) {
  return sum(repeat<steps>(
      [&](auto v) {
        auto const p = cwise_product(v, w), x = p - t;
        return v + 0.01 * p + 0.1 * select(x > 0.0, sqrt(x), 0.0);
      },
      u));
};

template <auto& Loss>
using step_of = decltype(compile<wrt<0, 1>>(Loss, line{}, line{}));
template <auto& Loss>
inline constexpr auto saved_bytes = step_of<Loss>::facts.saved_bytes;
constexpr std::int64_t bytes = sizeof(line);

template <auto& Loss>
struct loss {
  static constexpr auto& value = Loss;
};

}  // namespace

static_assert(saved_bytes<cheap_steps<keep_all_t>> == saved_bytes<cheap_steps<keep_carries_t>>,
              "what follows from the carry within a few additions is not kept");
static_assert(saved_bytes<steps_of_exp> > (2 * steps - 1) * bytes, "an exponential is kept beside the carry");
static_assert(saved_bytes<largest_of_steps> > (2 * steps - 1) * bytes, "what is compared is kept as it was compared");

TEST_CASE_TEMPLATE("gradients are those of a tape", Loss, loss<cheap_steps<keep_all_t>>, loss<steps_of_exp>,
                   loss<largest_of_steps>) {
  auto const u = values::filled_with<line>(0), w = values::filled_with<line>(1);
  step_of<Loss::value> step;
  tape<double> t;
  auto const on_tape = t.watch(u), by = t.watch(w);
  double const expected = t.backward(Loss::value(on_tape, by));
  CHECK(step(u, w) == doctest::Approx(expected).epsilon(1e-13));
  for (int i = 0; i < entries; ++i) {
    CHECK(step.template grad<0>()(i) == doctest::Approx(t.grad(on_tape)(i)).epsilon(1e-12));
    CHECK(step.template grad<1>()(i) == doctest::Approx(t.grad(by)(i)).epsilon(1e-12));
  }
}

TEST_CASE("a choice is the one of the way there") {
  auto const u = values::filled_with<line>(0), w = values::filled_with<line>(1);
  line t;
  for (int i = 0; i < entries; ++i) t(i) = u(i) * w(i);
  auto step = compile<wrt<0, 1>>(masked_steps, u, w, t);
  step(u, w, t);
  for (int i = 0; i < entries; ++i) {
    CHECK(std::isfinite(step.grad<0>()(i)));
    CHECK(std::isfinite(step.grad<1>()(i)));
  }
}

// What the steps of a loop keep, and what the way back computes again.
#include <etch/rewrite/saved_nodes.hpp>

#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

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

constexpr auto looked_up_steps = [](auto u, auto w) {
  return sum(
      repeat<steps>([&](auto v) { return v + 0.1 * (gather<0>(w, floor(10.0 * v + 70.0)) - cwise_product(v, v)); }, u));
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
static_assert(saved_bytes<looked_up_steps> > (2 * steps - 1) * bytes, "an index is the one of the way there");

TEST_CASE_TEMPLATE("gradients are those of a tape", Loss, loss<cheap_steps<keep_all_t>>, loss<steps_of_exp>,
                   loss<largest_of_steps>, loss<looked_up_steps>) {
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

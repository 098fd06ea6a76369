#include <etch/transform/checkpoint.hpp>

#include <etch/nn/dense.hpp>

#include "transform/stages.hpp"

#include <doctest/doctest.h>

using namespace etch;
using namespace loops;
using stages::check_under;

namespace {

auto const series = series_of<3>();

}  // namespace

TEST_CASE("several arguments, several results") {
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const block = loop.checkpoint([&](auto a, auto b) {
          auto const h = tanh(a * b);
          return std::tuple{tanh(w * h), sum(h)};
        });
        auto const [u, s] = block(w, init);
        return sum(square(u)) * s + sum(xs);
      },
      weights, start, series);
}

TEST_CASE("in a loop, around a loop, in another") {
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(
            square(loop.scan(loop.checkpoint([&](auto h, auto x) { return tanh(w * tanh(w * h + x)); }), init, xs)));
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const block = loop.checkpoint(
            [&](auto a, auto b, auto) { return loop.scan([&](auto h, auto x) { return tanh(a * h + x); }, init, b); });
        return sum(square(block(w, xs, init)));
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const block = loop.checkpoint(
            [&](auto a) { return loop.checkpoint([&](auto h) { return tanh(a * tanh(xs * h)); })(init); });
        return sum(square(block(w)));
      },
      weights, start, series);
}

TEST_CASE("a struct as argument") {
  nn::dense<double, 3, 3> const some_layer{weights, start};
  check_under(
      two_policies{},
      [](auto loop, auto layer, auto xs) {
        return sum(square(loop.checkpoint([](auto l, auto x) { return tanh(l(tanh(l(x)))); })(layer, xs)));
      },
      some_layer, series);
}

TEST_CASE("constants, no argument, and a result that is an argument") {
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        auto const block = loop.checkpoint([&](auto a, auto z, auto s) { return tanh(w * a + z) * s; });
        return sum(square(block(init, ones<3>(), 2.0))) + sum(xs);
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.checkpoint([&] { return tanh(w * init); })())) + sum(xs);
      },
      weights, start, series);
  check_under(
      two_policies{},
      [](auto loop, auto w, auto init, auto xs) {
        return sum(square(loop.checkpoint([](auto a) { return a; })(w) * init)) + sum(xs);
      },
      weights, start, series);
}

TEST_CASE("nothing but arguments and results is kept") {
  constexpr auto loss = [](auto loop, auto w, auto h) {
    return sum(loop.checkpoint([](auto a, auto b) { return tanh(a * tanh(a * tanh(a * b))); })(w, h));
  };
  using subject = with<std::remove_const_t<decltype(loss)>, looped<keep_all_t>>;
  graph const g = pass::prune(pass::expand(
      pass::differentiate(pass::trace<subject, tensor<double, 3, 3>, tensor<double, 3>>({}), std::vector{0, 1})));
  int results = 0;
  for (int id = 0; id < g.size(); ++id)
    if (facts_of(g[id]).is_loop) results += static_cast<int>(loop_at(g, id).out.size());
  CHECK(results == 3);  // the value, and the gradients
}

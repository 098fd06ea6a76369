#include <etch/compile/wrt_members.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <memory>

namespace {

using namespace etch;

template <class T>
struct net {
  nn::sequential<T, nn::dense<T, 6, 5>, nn::activation::tanh, nn::dense<T, 5, 4>> body;
  nn::dense<T, 4, 3> head;
  std::array<param<T>, 2> scales;
  ETCH_MEMBERS(net, body, head, scales)

  constexpr auto operator()(auto const& x) const { return head(tanh(body(x))) * scales[0] + scales[1]; }
};

constexpr auto loss = [](auto model, auto x, auto y) { return nn::mse(model(x), y); };

struct problem {
  net<double> model;
  tensor<double, 6, 7> x;
  tensor<double, 3, 7> y;

  problem() {
    nn::init::glorot_normal(model, 3);
    model.scales = {1.5, -0.25};
    nn::generator random(4);
    for (double& each : x) each = random.normal();
    for (double& each : y) each = random.normal();
  }
};

TEST_CASE("gradients of members are those of the whole argument's gradient, in the order of their names") {
  problem const p;
  static auto whole = compile(loss, p.model, p.x, p.y);
  static auto some = compile<wrt_members<0, "scales.1", "head", "body.layers.0.bias">>(loss, p.model, p.x, p.y);
  CHECK(whole(p.model, p.x, p.y) == some(p.model, p.x, p.y));
  auto const& g = whole.grad<0>();
  nn::dense<double, 4, 3> const& head = some.grad<"head">();
  for (std::size_t i = 0; i < head.weight.size(); ++i)
    CHECK(head.weight.data()[i] == doctest::Approx(g.head.weight.data()[i]));
  for (int i = 0; i < 3; ++i) CHECK(some.grad<1>().bias(i) == doctest::Approx(g.head.bias(i)));
  for (int i = 0; i < 5; ++i) CHECK(some.grad<"body.layers.0.bias">()(i) == doctest::Approx(g.body.get<0>().bias(i)));
  CHECK(double(some.grad<"scales.1">()) == doctest::Approx(double(g.scales[1])));
}

TEST_CASE("what is frozen costs nothing: neither flops nor memory nor a gradient") {
  using whole = decltype(compile(loss, net<double>{}, tensor<double, 6, 7>{}, tensor<double, 3, 7>{}));
  using head =
      decltype(compile<wrt_members<0, "head">>(loss, net<double>{}, tensor<double, 6, 7>{}, tensor<double, 3, 7>{}));
  // The products of the way back are those for head alone: one with its 3 x 4 weights, none
  // for x, none through the body.
  constexpr auto apart = [](auto h, auto model, auto x, auto y) {
    return nn::mse(h(tanh(model.body(x))) * model.scales[0] + model.scales[1], y);
  };
  using by_hand = decltype(compile(apart, nn::dense<double, 4, 3>{}, net<double>{}, tensor<double, 6, 7>{},
                                   tensor<double, 3, 7>{}));
  static_assert(std::is_same_v<head::executable, by_hand::executable>);
  static_assert(head::facts.flops < whole::facts.flops);
  static_assert(head::facts.workspace_bytes <= whole::facts.workspace_bytes);
  static_assert(sizeof(head) < sizeof(whole));
}

TEST_CASE("a program of members is a program: it can be read, compared, and has facts") {
  using head =
      decltype(compile<wrt_members<0, "head">>(loss, net<double>{}, tensor<double, 6, 7>{}, tensor<double, 3, 7>{}));
  static_assert(compiled_program<head>);
  static auto step = head{};
  CHECK(to_text(step).find("gradient 0.weight") != std::string::npos);
  CHECK(to_dot(step).find("digraph") != std::string::npos);
}

TEST_CASE("destinations, accumulation and an overlap with the member itself") {
  problem const p;
  static auto step = compile<wrt_members<0, "head", "scales.0">>(loss, p.model, p.x, p.y);
  step(p.model, p.x, p.y);
  nn::dense<double, 4, 3> head, twice;
  tensor<double> scale, sum;
  step(p.model, p.x, p.y, into(head, scale));
  CHECK(head.weight == step.grad<"head">().weight);
  CHECK(scale == step.grad<"scales.0">());
  step(p.model, p.x, p.y, add_to(twice, sum));
  step(p.model, p.x, p.y, add_to(twice, sum));
  for (std::size_t i = 0; i < 12; ++i) CHECK(twice.weight.data()[i] == doctest::Approx(2 * head.weight.data()[i]));
  problem other;
  step(other.model, other.x, other.y, into(other.model.head, scale));
  CHECK(other.model.head.weight == head.weight);
}

TEST_CASE("any argument, with options, and as a function") {
  problem const p;
  constexpr auto last = [](auto x, auto model) { return sum(square(model(x))); };
  auto const [value, g] = value_and_grad<wrt_members<1, "head.bias">>(last)(p.x, p.model);
  auto const [same, whole] = value_and_grad<wrt<1>>(last)(p.x, p.model);
  CHECK(value == same);
  for (int i = 0; i < 3; ++i) CHECK(g(i) == doctest::Approx(whole.head.bias(i)));
  auto const bias = grad<wrt_members<1, "head.bias">>(last)(p.x, p.model);
  CHECK(bias == g);
  constexpr auto unused = [](auto model, auto x) { return sum(model.head(slice<0, 0, 4>(x))); };
  auto const nothing =
      std::make_unique<decltype(compile<wrt_members<0, "body">, allow_unused>(unused, p.model, p.x))>();
  (*nothing)(p.model, p.x);
  CHECK(nothing->grad<"body">().get<0>().weight == tensor<double, 5, 6>{});
}

TEST_CASE("inside of a loss: a penalty on the gradient of some members, by a function that captures") {
  problem const p;
  constexpr auto penalised = [](auto model, auto x, auto y) {
    auto const fit = [&](auto m) { return loss(m, x, y); };
    auto const [value, g] = value_and_grad<wrt_members<0, "head.bias", "scales.0">>(fit)(model);
    auto const bias = grad<wrt_members<0, "head.bias">>(fit)(model);
    return value + sum(square(std::get<0>(g))) + square(std::get<1>(g)) + sum(bias);
  };
  constexpr auto by_whole = [](auto model, auto x, auto y) {
    auto const [value, g] = value_and_grad([&](auto m) { return loss(m, x, y); })(model);
    return value + sum(square(g.head.bias)) + square(g.scales[0]) + sum(g.head.bias);
  };
  auto const [value, g] = value_and_grad(penalised)(p.model, p.x, p.y);
  auto const [same, expected] = value_and_grad(by_whole)(p.model, p.x, p.y);
  CHECK(value == doctest::Approx(same));
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(g.head.weight.data()[i] == doctest::Approx(expected.head.weight.data()[i]));
  CHECK(double(g.scales[1]) == doctest::Approx(double(expected.scales[1])));
}

TEST_CASE("training a member leaves the others as they are") {
  problem p;
  net<double> const before = p.model;
  static auto step = compile<wrt_members<0, "head">>(loss, p.model, p.x, p.y);
  optim::adam<nn::dense<double, 4, 3>> optimiser{.learning_rate = 0.02};
  double const first = step(p.model, p.x, p.y);
  for (int i = 0; i < 200; ++i) {
    step(p.model, p.x, p.y);
    optimiser.update(p.model.head, step.grad<"head">());
  }
  CHECK(step(p.model, p.x, p.y) < 0.8 * first);
  CHECK(p.model.body.get<0>().weight == before.body.get<0>().weight);
  CHECK(p.model.scales == before.scales);
}

struct plain {  // no template over its element type: seen as a record
  tensor<double, 3> a, b;
  ETCH_MEMBERS(plain, a, b)
};

TEST_CASE("members of a struct that is no template, and of tuples") {
  plain const p{{1, 2, 3}, {4, 5, 6}};
  auto const g = grad<wrt_members<0, "b">>(
      [](auto s) { return sum(cwise_product(s[BOOST_HANA_STRING("a")], square(s[BOOST_HANA_STRING("b")]))); })(p);
  CHECK(g == tensor<double, 3>{8, 20, 36});
  std::tuple<double, tensor<double, 2>> const t{3, {1, 2}};
  CHECK(grad<wrt_members<0, "1">>([](auto s) { return std::get<0>(s) * sum(square(std::get<1>(s))); })(t) ==
        tensor<double, 2>{6, 12});
}

constexpr double derivative =
    grad<wrt_members<0, "1">>([](auto s) { return std::get<0>(s) * square(std::get<1>(s)); })(std::tuple{3.0, 2.0});
static_assert(derivative == 12);

}  // namespace

#include "nn/repeated.hpp"

namespace {

using namespace repetition;

TEST_CASE("only some arguments are differentiated, and some layers") {
  deep<double, 4> model;
  tensor<double, 5, 3> x;
  layers::fill(model, 5, 0.5);
  layers::fill(x, 6);
  auto value = compile<wrt<>>(looped, model, x);
  auto of_x = compile<wrt<1>>(looped, model, x);
  auto of_x_by_hand = compile<wrt<1>>(by_hand, model, x);
  CHECK(laws::distance(value(model, x), of_x_by_hand(model, x)) < 1e-12);
  of_x(model, x);
  CHECK(apart(of_x.grad<1>(), of_x_by_hand.grad<1>()) < 1e-12);
  auto all = compile<wrt<0>>(by_hand, model, x);
  all(model, x);
  auto one = compile<wrt_members<0, "body.layers.2", "head.bias">>(looped, model, x);
  CHECK(laws::distance(one(model, x), value(model, x)) < 1e-12);
  CHECK(apart(one.grad<"body.layers.2">(), all.grad<0>().body[2]) < 1e-12);
  CHECK(apart(one.grad<"head.bias">(), all.grad<0>().head.bias) < 1e-12);
  layers::check_derivatives(wrt<0, 1>{}, looped, model, x);
}

TEST_CASE("a layer is a member as any other, in the loss too") {
  constexpr auto changed = [](auto model, auto x) {
    model.body[1] = model.body[0];
    return sum(square(model.body(x))) + squared_norm(model.body.layers[2]) + 0.1 * squared_norm(model);
  };
  constexpr auto changed_by_hand = [](auto model, auto x) {
    auto const& [first, unused, last] = model.body.layers;
    return sum(square(last(first(first(x))))) + 1.1 * squared_norm(last) + 0.2 * squared_norm(first) +
           0.1 * squared_norm(model.head);
  };
  deep<double, 3> model;
  tensor<double, 5, 3> x;
  layers::fill(model, 7, 0.5);
  layers::fill(x, 8);
  auto p = compile(changed, model, x);
  auto q = compile(changed_by_hand, model, x);
  CHECK(laws::distance(p(model, x), q(model, x)) < 1e-12);
  CHECK(apart(p.grad<0>(), q.grad<0>()) < 1e-12);

  // Along a direction: the parameters are computed, and layers called one by one.
  constexpr auto along = [](auto step, auto m, auto direction, auto in) {
    return sum(square((m - step * direction).body(in)));
  };
  constexpr auto along_by_hand = [](auto step, auto m, auto direction, auto in) {
    return sum(square(through((m - step * direction).body.layers, in)));
  };
  auto r = compile<wrt<0, 1>>(along, 0.5, model, p.grad<0>(), x);
  auto s = compile<wrt<0, 1>>(along_by_hand, 0.5, model, p.grad<0>(), x);
  CHECK(laws::distance(r(0.5, model, p.grad<0>(), x), s(0.5, model, p.grad<0>(), x)) < 1e-12);
  CHECK(laws::distance(r.grad<0>(), s.grad<0>()) < 1e-12);
  CHECK(apart(r.grad<1>(), s.grad<1>()) < 1e-12);
}

TEST_CASE("each layer draws random numbers of its own") {
  nn::repeated<3, nn::sequential<double, nn::dense<double, 3, 3>, nn::dropout<50>>> body;
  tensor<double, 3, 4> x;
  layers::fill(body, 14, 0.5), layers::fill(x, 15);
  constexpr auto by_key = [](auto b, auto in, auto key) { return sum(square(b(in, key))); };
  constexpr auto one_by_one = [](auto b, auto in, auto key) {
    auto const own = random_key(key);
    return sum(square(b[2](b[1](b[0](in, own.fold(0)), own.fold(1)), own.fold(2))));
  };
  auto p = compile(by_key, body, x, 7);
  auto q = compile(one_by_one, body, x, 7);
  CHECK(laws::distance(p(body, x, 7), q(body, x, 7)) < 1e-12);
  CHECK(apart(p.grad<0>(), q.grad<0>()) < 1e-12);
}

TEST_CASE("names, initialisation, checks and optimisers see the layers") {
  deep<float, 3> model;
  nn::init::glorot_uniform(model, 1);
  for (float w : model.body[2].get<0>().weight) CHECK(w != 0);
  CHECK(model.body[1].get<0>().weight != model.body[2].get<0>().weight);
  std::vector<std::string> names;
  for_each_leaf_path<deep<float, 3>>("", path_style::dots,
                                     [&]<class Leaf>(std::string const& path) { names.push_back(path); });
  CHECK(names.size() == 8);
  CHECK(names[3] == "body.layers.1.layers.0.bias");

  tensor<float, 5, 3> x;
  layers::fill(x, 2);
  auto step = compile<wrt<0>, check_finite>(looped, model, x);
  CHECK(step(model, x) >= 0);
  CHECK(step.status() == status::ok);
  model.body[1].get<0>().bias(2) = std::numeric_limits<float>::infinity();
  step(model, x);
  CHECK(step.not_finite() == "argument 0.body.layers[1].layers[0].bias");
  model.body[1].get<0>().bias(2) = 0;

  optim::adam<deep<float, 3>> descent{.learning_rate = 0.01};
  float const before = step(model, x);
  for (int i = 0; i < 20; ++i) step(model, x), descent.update(model, step.grad<0>());
  CHECK(step(model, x) < before);
  CHECK(leaf_names<deep<float, 3>>().size() == 3);
  CHECK(!to_text(step).empty());
}

}  // namespace

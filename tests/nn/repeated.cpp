#include "nn/repeated.hpp"

namespace {

using namespace repetition;

TEST_CASE("equal layers are a loop, with the value and the gradient of the layers one by one") {
  check_same(deep<double, 2>{}, tensor<double, 5, 3>{}, 1e-12);
  check_same(deep<double, 7>{}, tensor<double, 5>{}, 1e-12);
  check_same(deep<double, 1>{}, tensor<double, 5, 3>{}, 1e-12);
  check_same(blocks<double, 6>{}, tensor<double, 4, 3>{}, 1e-12);
  check_same(deep<float, 5>{}, tensor<float, 5, 3>{}, 1e-4);
}

TEST_CASE("the program has the same nodes whatever the number of layers") {
  using few = decltype(compile(looped, deep<double, 2>{}, tensor<double, 5, 3>{}));
  using many = decltype(compile(looped, deep<double, 40>{}, tensor<double, 5, 3>{}));
  static_assert(few::facts.nodes == many::facts.nodes);
  static_assert(few::executable::schedule.kernel_count == many::executable::schedule.kernel_count);
}

TEST_CASE("constant evaluation") {
  constexpr auto make = [](auto loss) {
    nn::repeated<3, nn::dense<double, 2, 2>> body{};
    for (std::size_t i = 0; i < 3; ++i) body[i].weight(0, 1) = 0.5, body[i].weight(1, 0) = -0.25 * static_cast<double>(i + 1), body[i].bias(0) = 1;
    return value_and_grad(loss)(body, tensor<double, 2>{0.5, -1});
  };
  constexpr auto known = make([](auto b, auto x) { return sum(square(b(x))); });
  constexpr auto expected = make([](auto b, auto x) { return sum(square(through(b.layers, x))); });
  CHECK(laws::distance(known.value, expected.value) < 1e-14);
  CHECK(apart(known.grad, expected.grad) < 1e-14);
}

TEST_CASE("names, initialisation, checks and optimisers see the layers") {
  deep<float, 3> model;
  nn::init::glorot_uniform(model, 1);
  for (float w : model.body[2].get<0>().weight) CHECK(w != 0);
  CHECK(model.body[1].get<0>().weight != model.body[2].get<0>().weight);
  std::vector<std::string> names;
  for_each_leaf_path<deep<float, 3>>("", path_style::dots, [&]<class Leaf>(std::string const& path) { names.push_back(path); });
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

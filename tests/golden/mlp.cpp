#include <etch/etch.hpp>

#include "golden/golden.hpp"

namespace {

using namespace golden;

template <class T, int In, int Hidden, int Out>
struct network {
  param<T, Hidden, In> W1;
  param<T, Hidden, 1> b1;
  param<T, Out, Hidden> W2;
  param<T, Out, 1> b2;
  ETCH_MEMBERS(network, W1, b1, W2, b2)
};

template <class Network>
void assign_all(Network& net, file const& f) {
  assign(net.W1, f.input.at("W1"));
  assign(net.b1, f.input.at("b1"));
  assign(net.W2, f.input.at("W2"));
  assign(net.b2, f.input.at("b2"));
}

template <class T, class Network>
void compare_all(Network const& g, file const& f) {
  compare(g.W1, f.grad.at("W1"), tolerance<T>);
  compare(g.b1, f.grad.at("b1"), tolerance<T>);
  compare(g.W2, f.grad.at("W2"), tolerance<T>);
  compare(g.b2, f.grad.at("b2"), tolerance<T>);
}

template <class T>
void sum_of_squares() {
  file const f = file::read("mlp_sum_squares");
  if (!f.present()) return;
  auto const net = std::make_unique<network<T, 784, 32, 10>>();
  tensor<T, 784, 4> x;
  assign_all(*net, f);
  assign(x, f.input.at("x"));
  constexpr auto loss = [](auto n, auto images) {
    auto const hidden = tanh(n.W1 * images + n.b1);
    return sum(square(n.W2 * hidden + n.b2));
  };
  auto const step = std::make_unique<decltype(compile(loss, *net, x))>();
  CHECK(std::abs(static_cast<double>((*step)(*net, x)) - f.value.at("loss")[0]) <=
        tolerance<T> * f.value.at("loss")[0]);
  compare_all<T>(step->template grad<0>(), f);
}

template <class T>
void cross_entropy() {
  file const f = file::read("mlp_cross_entropy");
  if (!f.present()) return;
  network<T, 20, 16, 5> net;
  tensor<T, 20, 7> x;
  tensor<T, 5, 7> y;
  assign_all(net, f);
  assign(x, f.input.at("x"));
  assign(y, f.input.at("y"));
  tensor<int, 7> labels;
  for (int j = 0; j < 7; ++j)
    for (int i = 0; i < 5; ++i)
      if (y(i, j) == T(1)) labels(j) = i;
  constexpr auto loss = [](auto n, auto images, auto target) {
    return nn::softmax_cross_entropy(n.W2 * relu(n.W1 * images + n.b1) + n.b2, target);
  };
  auto const check = [&](auto const& target) {
    auto const [value, gradients] = value_and_grad<wrt<0, 1>>(loss)(net, x, target);
    CHECK(std::abs(static_cast<double>(value) - f.value.at("loss")[0]) <= tolerance<T>);
    compare_all<T>(std::get<0>(gradients), f);
    compare(std::get<1>(gradients), f.grad.at("x"), tolerance<T>);
  };
  check(y);
  check(labels);
}

}  // namespace

TEST_CASE("mlp_sum_squares") {
  sum_of_squares<double>();
  sum_of_squares<float>();
}
TEST_CASE("mlp_cross_entropy, with one-hot targets and with labels") {
  cross_entropy<double>();
  cross_entropy<float>();
}

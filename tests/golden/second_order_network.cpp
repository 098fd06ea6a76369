// Second derivatives by the parameters of a classifier against PyTorch.
#include "golden/second_order.hpp"

namespace {

using namespace golden;

template <class T>
struct classifier {
  param<T, 3, 3> W1;
  param<T, 3> b1;
  param<T, 3, 3> W2;
  param<T, 3> b2;
  ETCH_MEMBERS(classifier, W1, b1, W2, b2)
};
constexpr auto cross_entropy = [](auto m, auto x, auto labels) {
  return nn::softmax_cross_entropy(m.W2 * tanh(m.W1 * x + m.b1) + m.b2, labels);
};

}  // namespace

TEST_CASE("second derivatives of a cross entropy by the parameters of two layers") {
  file const f = second_order::read_text(second_order::mlp);
  classifier<double> m;
  assign(m.W1, f.input.at("W1")), assign(m.b1, f.input.at("b1"));
  assign(m.W2, f.input.at("W2")), assign(m.b2, f.input.at("b2"));
  tensor<double, 3, 5> x;
  tensor<int, 5> labels;
  assign(x, f.input.at("x")), assign(labels, f.input.at("labels"));
  second_order::check(f, cross_entropy, m, x, labels);
}

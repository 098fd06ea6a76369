// hvp and hessian against PyTorch: by the parameters of a classifier, a normalised layer, a convolution and a mixture.
#include <etch/etch.hpp>

#include "golden/golden.hpp"
#include "golden/second_order_data.hpp"

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

template <class T>
struct layer {
  param<T, 4, 2> x;
  param<T, 4> gain;
  param<T, 4> bias;
  ETCH_MEMBERS(layer, x, gain, bias)
};
constexpr auto normalised = [](auto m, auto weight) {
  auto const z = m.x - mean<0>(m.x);
  auto const y = z / sqrt(mean<0>(square(z)) + 1e-5);
  return sum(cwise_product(weight, tanh(cwise_product(m.gain, y) + m.bias)));
};

template <class T>
struct filter {
  param<T, 3, 3, 1, 2> K;
  param<T, 2> k;
  ETCH_MEMBERS(filter, K, k)
};
constexpr auto convolution = [](auto m, auto images) {
  return sum(square(max_pool<2>(relu(conv2d(images, m.K) + reshape<1, 1, 2>(m.k)))));
};

template <class T>
struct components {
  param<T, 3> logits;
  param<T, 2, 3> means;
  param<T, 3> log_scales;
  ETCH_MEMBERS(components, logits, means, log_scales)
};
/// (The last constant is log(2 pi).)
constexpr auto mixture = [](auto m, auto points) {
  auto const distances =
      sum<0>(square(points)) - 2.0 * transpose(m.means) * points + transpose(sum<0>(square(m.means)));
  return sum(logsumexp<0>(cwise_product(distances, -0.5 * exp(-2.0 * m.log_scales)) + log_softmax(m.logits) -
                          2.0 * m.log_scales - 1.8378770664093454836));
};

/// The entries of a struct, leaf by leaf.
template <class S>
run::numbers entries_of(S const& s) {
  run::numbers all;
  visit_leaves([&](auto const& leaf) { all.insert(all.end(), leaf.begin(), leaf.end()); }, s);
  return all;
}
template <class S>
S structure_of(run::numbers const& entries) {
  S s;
  std::size_t next = 0;
  visit_leaves(
      [&](auto& leaf) {
        for (double& e : leaf) e = entries.at(next++);
      },
      s);
  return s;
}

file read_text(char const* text) {
  file f;
  std::istringstream in(text);
  f.read_blocks(in);
  return f;
}

/// Value, gradient, products and the Hessian of `loss` by the struct `at`, with plain values and on a tape.
template <class S, class F, class... More>
void check(file const& f, F loss, S const& at, More const&... more) {
  run::numbers const &of_value = f.value.at("loss"), &gradient = f.grad.at("all"), &product = f.second.at("hvp"),
                     &matrix = f.second.at("hessian");
  auto const direction = structure_of<S>(f.second.at("direction"));
  auto const all = std::make_unique<decltype(compile<wrt<>>(value_grad_hessian(loss), at, more...))>();
  compare(run::numbers{(*all)(at, more...)}, of_value, 1e-10);
  compare(entries_of(all->template result<1>()), gradient, 1e-10);
  compare(all->template result<2>(), matrix, 1e-10);
  compare(hessian(loss)(at, more...), matrix, 1e-10);
  compare(entries_of(hvp(loss)(at, more..., direction)), product, 1e-10);

  tape<double> t;
  auto const on_tape = t.watch(at);
  compare(value(hessian(loss)(on_tape, t.constant(more)...)), matrix, 1e-10);
  run::numbers taped;
  visit_leaves([&](auto const& leaf) { taped.insert(taped.end(), value(leaf).begin(), value(leaf).end()); },
               hvp(loss)(on_tape, t.constant(more)..., t.constant(direction)));
  compare(taped, product, 1e-10);
}

}  // namespace

TEST_CASE("second derivatives of a cross entropy by the parameters of two layers") {
  file const f = read_text(second_order::mlp);
  classifier<double> m;
  assign(m.W1, f.input.at("W1")), assign(m.b1, f.input.at("b1"));
  assign(m.W2, f.input.at("W2")), assign(m.b2, f.input.at("b2"));
  tensor<double, 3, 5> x;
  tensor<int, 5> labels;
  assign(x, f.input.at("x")), assign(labels, f.input.at("labels"));
  check(f, cross_entropy, m, x, labels);
}
TEST_CASE("second derivatives of a normalised layer by its input, gain and bias") {
  file const f = read_text(second_order::layer_norm);
  layer<double> m;
  assign(m.x, f.input.at("x")), assign(m.gain, f.input.at("gain")), assign(m.bias, f.input.at("bias"));
  tensor<double, 4, 2> weight;
  assign(weight, f.input.at("weight"));
  check(f, normalised, m, weight);
}
TEST_CASE("second derivatives of a convolution, rectified and pooled, by its kernel and bias") {
  file const f = read_text(second_order::convolution);
  filter<double> m;
  assign(m.K, f.input.at("K")), assign(m.k, f.input.at("k"));
  tensor<double, 6, 7, 1, 2> images;
  assign(images, f.input.at("images"));
  check(f, convolution, m, images);
}
TEST_CASE("second derivatives of a mixture's log-likelihood by shares, means and scales") {
  file const f = read_text(second_order::mixture);
  components<double> m;
  assign(m.logits, f.input.at("logits")), assign(m.means, f.input.at("means"));
  assign(m.log_scales, f.input.at("log_scales"));
  tensor<double, 2, 8> points;
  assign(points, f.input.at("points"));
  check(f, mixture, m, points);
}

// repeated: networks of equal layers, and the same called one by one.
#pragma once

#include "nn/derivatives.hpp"

#include <etch/etch.hpp>

namespace repetition {

using namespace etch;

template <class T>
using layer = nn::sequential<T, nn::dense<T, 5, 5>, nn::activation::tanh>;

/// A layer of the user's own: x + gain * out(tanh(in(x))).
template <class T>
struct block {
  T gain;
  nn::dense<T, 4, 6> in;
  nn::dense<T, 6, 4> out;
  ETCH_MEMBERS(block, in, out, gain)
  constexpr auto operator()(auto const& x) const { return x + gain * out(tanh(in(x))); }
};

/// Layers with something around them.
template <class T, int N>
struct deep {
  nn::repeated<N, layer<T>> body;
  nn::dense<T, 5, 2> head;
  ETCH_MEMBERS(deep, body, head)
};
template <class T, int N>
struct blocks {
  nn::repeated<N, block<T>> body;
  nn::dense<T, 4, 2> head;
  ETCH_MEMBERS(blocks, body, head)
};
template <class T, int N>
struct transformer {
  nn::repeated<N, nn::transformer_block<T, 4, 2, 6, nn::looks::back>> body;
  nn::dense<T, 4, 2> head;
  ETCH_MEMBERS(transformer, body, head)
};
template <class T, int N>
struct nested {
  nn::repeated<N, nn::sequential<T, nn::repeated<3, layer<T>>, nn::dense<T, 5, 5>>> body;
  nn::dense<T, 5, 2> head;
  ETCH_MEMBERS(nested, body, head)
};

constexpr auto through = [](auto const& layers, auto const& x) {
  auto y = layers[0](x);
  for (std::size_t i = 1; i < layers.size(); ++i) y = layers[i](y);
  return y;
};
constexpr auto looped = [](auto model, auto x) { return sum(square(model.head(model.body(x)))); };
constexpr auto by_hand = [](auto model, auto x) { return sum(square(model.head(through(model.body.layers, x)))); };

template <class A>
double apart(A const& a, A const& b) {
  double largest = 0;
  run::numbers const x = laws::entries_of(a), y = laws::entries_of(b);
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, laws::distance(x[i], y[i]));
  return largest;
}

/// The loop against the layers one by one: value and gradients, written, into and added, and on a tape.
template <class Model, class X>
void check_same(Model model, X x, double tolerance) {
  layers::fill(model, 3, 0.5);
  layers::fill(x, 4);
  auto const p = std::make_unique<decltype(compile<wrt<0, 1>>(looped, model, x))>();
  auto const q = std::make_unique<decltype(compile<wrt<0, 1>>(by_hand, model, x))>();
  CHECK(laws::distance((*p)(model, x), (*q)(model, x)) < tolerance);
  CHECK(apart(p->template grad<0>(), q->template grad<0>()) < tolerance);
  CHECK(apart(p->template grad<1>(), q->template grad<1>()) < tolerance);

  auto const into_it = std::make_unique<Model>(model);
  X other = x;
  (*p)(model, x, into(*into_it, other));
  CHECK(apart(*into_it, q->template grad<0>()) < tolerance);
  (*p)(model, x, add_to(*into_it, other));
  Model twice = *into_it;
  visit_leaves(
      [](auto& leaf) {
        for (std::size_t i = 0; i < detail::entry_count(leaf); ++i) detail::entries_of(leaf)[i] /= 2;
      },
      twice);
  CHECK(apart(twice, q->template grad<0>()) < tolerance);
  Model itself = model;  // a gradient in the place of its argument
  (*p)(itself, x, into(itself, other));
  CHECK(apart(itself, q->template grad<0>()) < tolerance);

  auto const [value, gradient] = dynamic::value_and_grad<wrt<0>>(looped)(model, x);
  CHECK(laws::distance(value, (*q)(model, x)) < tolerance);
  CHECK(apart(gradient, q->template grad<0>()) < tolerance);
}

}  // namespace repetition

// rnn_cell, lstm_cell, gru_cell: one step of a recurrent network, and layers that run them over a sequence.
#pragma once

#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>
#include <etch/op/table.hpp>
#include <etch/transform/scan.hpp>

#include <tuple>

ETCH_NAMESPACE_BEGIN
namespace nn {

namespace detail {

/// Rows `Part * Size` ... of the gates, which are stacked along the first axis.
template <int Part, int Size>
constexpr auto gate(auto const& gates) {
  return slice<0, Part * Size, Size>(gates);
}

}  // namespace detail

/// h' = tanh(W x + U h + b), for x of shape `[In]` or `[In, batch]` and h of `[Hidden]` or
/// `[Hidden, batch]` (J. Elman, 1990).
template <class T, int In, int Hidden>
struct rnn_cell {
  param<T, Hidden, In> input_weight;
  param<T, Hidden, Hidden> hidden_weight;
  param<T, Hidden> bias;
  ETCH_MEMBERS(rnn_cell, input_weight, hidden_weight, bias)

  static constexpr int inputs = In, hidden = Hidden;
  /// The carry is h.
  constexpr auto operator()(auto const& h, auto const& x) const {
    return tanh(input_weight * x + hidden_weight * h + bias);
  }
  static constexpr auto const& output(auto const& h) { return h; }
  constexpr void initialise(auto const& draw) {
    draw(input_weight, In, Hidden), draw(hidden_weight, Hidden, Hidden), draw.zero(bias);
  }
};

/// Long short-term memory (S. Hochreiter, J. Schmidhuber, 1997), with forget gate: gates i, f, z, o
/// stacked in the order input, forget, cell,
/// output are W x + U h + b;  c' = sigmoid(f) c + sigmoid(i) tanh(z);  h' = sigmoid(o) tanh(c').
template <class T, int In, int Hidden>
struct lstm_cell {
  param<T, 4 * Hidden, In> input_weight;
  param<T, 4 * Hidden, Hidden> hidden_weight;
  param<T, 4 * Hidden> bias;
  ETCH_MEMBERS(lstm_cell, input_weight, hidden_weight, bias)

  static constexpr int inputs = In, hidden = Hidden;
  /// The carry is `std::tuple(h, c)`.
  template <class H, class C>
  constexpr auto operator()(std::tuple<H, C> const& carry, auto const& x) const {
    auto const& [h, c] = carry;
    auto const gates = input_weight * x + hidden_weight * h + bias;
    auto const i = sigmoid(detail::gate<0, Hidden>(gates)), f = sigmoid(detail::gate<1, Hidden>(gates));
    auto const z = tanh(detail::gate<2, Hidden>(gates));
    auto const o = sigmoid(detail::gate<3, Hidden>(gates));
    auto const next = cwise_product(f, c) + cwise_product(i, z);
    return std::tuple(cwise_product(o, tanh(next)), next);
  }
  static constexpr auto const& output(auto const& carry) { return std::get<0>(carry); }
  /// The forget gate's bias is 1, so that a cell remembers at first (R. Jozefowicz et al., ICML 2015).
  constexpr void initialise(auto const& draw) {
    draw(input_weight, In, Hidden), draw(hidden_weight, Hidden, Hidden), draw.zero(bias);
    for (std::size_t i = Hidden; i < 2 * Hidden; ++i) bias.data()[i] = 1;
  }
};

/// A gated recurrent unit (K. Cho et al., EMNLP 2014), in the variant of cuDNN, PyTorch and Keras' default (reset
/// after the product): with gates r, u, n stacked in the
/// order reset, update, new,  a = W x + b,  g = U h + c:  r = sigmoid(a_r + g_r);  u = sigmoid(a_u + g_u);  n =
/// tanh(a_n + r g_n); h' = (1 - u) n + u h.
template <class T, int In, int Hidden>
struct gru_cell {
  param<T, 3 * Hidden, In> input_weight;
  param<T, 3 * Hidden, Hidden> hidden_weight;
  param<T, 3 * Hidden> input_bias;
  param<T, 3 * Hidden> hidden_bias;
  ETCH_MEMBERS(gru_cell, input_weight, hidden_weight, input_bias, hidden_bias)

  static constexpr int inputs = In, hidden = Hidden;
  /// The carry is h.
  constexpr auto operator()(auto const& h, auto const& x) const {
    auto const a = input_weight * x + input_bias;
    auto const g = hidden_weight * h + hidden_bias;
    auto const r = sigmoid(detail::gate<0, Hidden>(a) + detail::gate<0, Hidden>(g));
    auto const u = sigmoid(detail::gate<1, Hidden>(a) + detail::gate<1, Hidden>(g));
    auto const n = tanh(detail::gate<2, Hidden>(a) + cwise_product(r, detail::gate<2, Hidden>(g)));
    return cwise_product(1 - u, n) + cwise_product(u, h);
  }
  static constexpr auto const& output(auto const& h) { return h; }
  constexpr void initialise(auto const& draw) {
    draw(input_weight, In, Hidden), draw(hidden_weight, Hidden, Hidden), draw.zero(input_bias), draw.zero(hidden_bias);
  }
};

/// A cell run over a sequence `xs`, time last, from `init` on: `step{last carry, outputs}`, outputs
/// of all steps along a new last axis.
template <class Cell, class Init, class Xs>
constexpr auto unroll(Cell const& cell, Init const& init, Xs const& xs) {
  return scan(
      [=](auto const& carry, auto const& x) {
        auto const next = cell(carry, x);
        return step{next, Cell::output(next)};
      },
      init, xs);
}

/// Two cells over a sequence, one from its begin and one from its end: `[2 Hidden, ..., time]`, the outputs of the
/// first above those of the second, both at their own times. `init` is the first carry of either.
template <class T, class Cell>
struct bidirectional {
  Cell forward, backward;
  ETCH_MEMBERS(bidirectional, forward, backward)

  template <class Init, static_handle Xs>
  constexpr auto operator()(Init const& init, Xs const& xs) const {
    constexpr int time = Xs::extent.rank - 1;
    auto const there = unroll(forward, init, xs).y;
    auto const back = unroll(backward, init, reverse<time>(xs)).y;
    return concat<0>(there, reverse<std::remove_const_t<decltype(back)>::extent.rank - 1>(back));
  }
};

}  // namespace nn
ETCH_NAMESPACE_END

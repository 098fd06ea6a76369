// ADBench's LSTM: two layers whose weights are all diagonal, along a sequence of characters.
#pragma once

#include <tuple>

namespace lstm_problem {

/// One layer: `w` and `b` are the weights and biases [b, 4] of the gates forget, input, output, change.
inline constexpr auto layer = [](auto const& w, auto const& b, auto const& x, auto const& h, auto const& cell) {
  auto const forget = sigmoid(cwise_product(x, w.col(0)) + b.col(0)),
             in = sigmoid(cwise_product(h, w.col(1)) + b.col(1));
  auto const out = sigmoid(cwise_product(x, w.col(2)) + b.col(2)), change = tanh(cwise_product(h, w.col(3)) + b.col(3));
  auto const next = cwise_product(cell, forget) + cwise_product(in, change);
  return std::tuple{cwise_product(out, tanh(next)), next};
};

/// `main` [b, 4, weights and biases, layers], `extra` [b, 3], `state` [b, hidden and cell, layers], `sequence` [b, c].
inline constexpr auto loss = [](auto main, auto extra, auto state, auto sequence) {
  constexpr int b = decltype(sequence)::extent[0], c = decltype(sequence)::extent[1];
  auto const part = [&]<int Kind, int Layer>(std::integer_sequence<int, Kind, Layer>) {
    return etch::reshape<b, 4>(etch::slice<2, Kind, 1>(etch::slice<3, Layer, 1>(main)));
  };
  auto const begins = [&]<int Kind, int Layer>(std::integer_sequence<int, Kind, Layer>) {
    return etch::reshape<b>(etch::slice<1, Kind, 1>(etch::slice<2, Layer, 1>(state)));
  };
  auto const w1 = part(std::integer_sequence<int, 0, 0>{}), b1 = part(std::integer_sequence<int, 1, 0>{});
  auto const w2 = part(std::integer_sequence<int, 0, 1>{}), b2 = part(std::integer_sequence<int, 1, 1>{});
  auto const last = etch::scan(
      [&](auto carry, auto x) {
        auto const [h1, c1, h2, c2, total] = carry;
        auto const [now, then] = x;
        auto const [g1, d1] = layer(w1, b1, cwise_product(now, extra.col(0)), h1, c1);
        auto const [g2, d2] = layer(w2, b2, g1, h2, c2);
        auto const y = cwise_product(g2, extra.col(1)) + extra.col(2);
        return std::tuple{g1, d1, g2, d2, total + sum(cwise_product(then, y - log(2.0 + sum(exp(y)))))};
      },
      std::tuple{begins(std::integer_sequence<int, 0, 0>{}), begins(std::integer_sequence<int, 1, 0>{}),
                 begins(std::integer_sequence<int, 0, 1>{}), begins(std::integer_sequence<int, 1, 1>{}), 0.0},
      std::tuple{etch::slice<1, 0, c - 1>(sequence), etch::slice<1, 1, c - 1>(sequence)});
  return std::get<4>(last) * (-1.0 / (b * (c - 1)));
};

}  // namespace lstm_problem

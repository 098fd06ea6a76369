// layers_by_torch: the layers of a GPT in libtorch, over the memory of the model's leaves.
#pragma once

#include "../by_torch.hpp"
#include "model.hpp"

#include <cmath>
#include <limits>

namespace bench {

/// The leaves of a model as parameters of libtorch, in the order of the members.
struct parameters {
  std::vector<at::Tensor> all;
  std::size_t used = 0;

  explicit parameters(auto const& model) {
    etch::visit_leaves([&](auto const& leaf) { all.push_back(parameter(leaf)); }, model);
  }
  at::Tensor next() { return all[used++]; }
};

inline at::Tensor linear(at::Tensor const& x, parameters& p) {
  at::Tensor const weight = p.next();
  return at::linear(x, weight.t(), p.next());
}
inline at::Tensor norm(at::Tensor const& x, at::Tensor const& gain, at::Tensor const& bias) {
  return at::layer_norm(x, {x.size(2)}, gain, bias);
}

/// A block of x [batch, tokens, rows].
inline at::Tensor block_of(at::Tensor const& x, int heads, parameters& p) {
  at::Tensor const gain = p.next(), bias = p.next(), later_gain = p.next(), later_bias = p.next();
  at::Tensor const n = norm(x, gain, bias);
  auto const in_heads = [&] {
    return linear(n, p).view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
  };
  at::Tensor const q = in_heads(), k = in_heads(), v = in_heads();
  at::Tensor const ahead = at::ones({x.size(1), x.size(1)}, at::kBool).triu(1);
  at::Tensor const scores = at::matmul(q, k.transpose(2, 3)) * (1 / std::sqrt(double(q.size(3))));
  at::Tensor const share = at::softmax(scores.masked_fill(ahead, -std::numeric_limits<float>::infinity()), 3);
  at::Tensor const y = x + linear(at::matmul(share, v).transpose(1, 2).reshape(x.sizes()), p);
  at::Tensor const wide = at::gelu(linear(norm(y, later_gain, later_bias), p));
  return y + linear(wide, p);
}

/// The value and gradient of `gpt_loss`.
template <class T, int Vocabulary, int Width, int Heads, int Layers, int Length, int Positions>
double differentiate_gpt(gpt<T, Vocabulary, Width, Heads, Layers, Length, Positions> const& model, auto const& text,
                         auto const& following, auto& to) {
  parameters p(model);
  at::Tensor const table = p.next(), positions = p.next();
  at::Tensor x = at::embedding(table, given(text).to(at::kLong)) + positions.slice(0, 0, Length);
  for (int layer = 0; layer < Layers; ++layer) x = block_of(x, Heads, p);
  at::Tensor const gain = p.next(), bias = p.next();
  at::Tensor const logits = at::matmul(norm(x, gain, bias), table.t());
  at::Tensor const value =
      at::cross_entropy_loss(logits.view({-1, Vocabulary}), given(following).to(at::kLong).view({-1}));
  return differentiate(value, p.all, to);
}

}  // namespace bench

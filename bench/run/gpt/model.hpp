// model: GPT-2's network (A. Radford et al., Language models are unsupervised multitask learners, 2019).
#pragma once

#include <etch/etch.hpp>

#include <cmath>
#include <cstdint>

template <class T, int Vocabulary, int Width, int Heads, int Layers, int Length, int Positions = Length>
struct gpt {
  etch::nn::embedding<T, Vocabulary, Width> meaning;
  etch::param<T, Width, Positions> positions;
  etch::nn::repeated<Layers, etch::nn::transformer_block<T, Width, Heads, 4 * Width, etch::nn::looks::back>> blocks;
  etch::nn::layer_norm<T, Width> norm;
  ETCH_MEMBERS(gpt, meaning, positions, blocks, norm)

  /// Logits [Vocabulary, Length, batch] of what follows each token of `text` [Length, batch]; the embedding is
  /// the last layer too.
  constexpr auto operator()(auto const& text) const {
    auto const x = meaning(text) + etch::slice<1, 0, Length>(positions);
    return transpose(meaning.table) * norm(blocks(x));
  }
};

/// GPT-2's initial weights: of deviation 0.02, less where a block adds to what goes through all of them.
template <class T, int Vocabulary, int Width, int Heads, int Layers, int Length, int Positions>
void initialise(gpt<T, Vocabulary, Width, Heads, Layers, Length, Positions>& model, std::uint64_t seed) {
  etch::nn::generator random(seed);
  auto const normal = [&](auto& weights, double deviation) {
    for (T& w : weights) w = static_cast<T>(deviation * random.normal());
  };
  etch::nn::init::glorot_uniform(model.norm, seed);  // gains of 1, biases of 0
  normal(model.meaning.table, 0.02), normal(model.positions, 0.02);
  for (auto& block : model.blocks.layers) {
    etch::nn::init::glorot_uniform(block, seed);
    auto& [query, key, value, output] = block.attention;
    for (auto* each : {&query, &key, &value}) normal(each->weight, 0.02);
    normal(block.wide.weight, 0.02);
    normal(output.weight, 0.02 / std::sqrt(2.0 * Layers));
    normal(block.narrow.weight, 0.02 / std::sqrt(2.0 * Layers));
  }
}

inline constexpr auto gpt_loss = [](auto model, auto text, auto following) {
  return etch::nn::softmax_cross_entropy(model(text), following);
};

// transformer, gpt: a block of a transformer, and a small GPT: four blocks between an embedding, which is its head too,
// and the cross-entropy of the characters that follow. 128 rows, 4 heads, 64 tokens, batch 12, float: the size that
// nanoGPT trains on a CPU.
#pragma once

#include "../rival.hpp"
#include "model.hpp"

struct transformer {
  static constexpr int width = 128, heads = 4, length = 64, batch = 12;
  static constexpr char name[] = "transformer";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-4;
  /// Products of a block on the way there: with 12 width^2 weights; scores and what they weigh, masked or not.
  static constexpr double weights = 2.0 * length * batch * 12 * width * width;
  static constexpr double attention = 2.0 * 2 * length * length * width * batch;
  /// Twice as many on the way back.
  static constexpr double flops = 3 * (weights + attention);
  /// The gradient by the biases of keys is 0.
  static constexpr double least_scale = 0.01;

  using gradient = etch::nn::transformer_block<float, width, heads, 4 * width, etch::nn::looks::back>;
  struct inputs {
    gradient model;
    etch::tensor<float, width, length, batch> x;
  };

  static void fill(inputs& i) {
    etch::nn::init::glorot_uniform(i.model, 1);
    etch::nn::generator random(2);
    for (float& e : i.x) e = static_cast<float>(random.normal());
  }
};

struct small_gpt {
  static constexpr int vocabulary = 65, layers = 4;
  static constexpr int width = transformer::width, heads = transformer::heads, length = transformer::length,
                       batch = transformer::batch;
  static constexpr char name[] = "gpt";
  static constexpr double least_scale = transformer::least_scale;
  static constexpr auto unit = benchmark::kMillisecond;
  static constexpr double tolerance = 1e-4;
  static constexpr double flops =
      3 * (layers * (transformer::weights + transformer::attention) + 2.0 * length * batch * vocabulary * width);

  using gradient = gpt<float, vocabulary, width, heads, layers, length>;
  struct inputs {
    gradient model;
    etch::tensor<int, length, batch> text, following;
  };

  static void fill(inputs& i) {
    etch::nn::init::glorot_uniform(i.model, 1);
    etch::nn::generator random(2);
    for (float& e : i.model.positions) e = static_cast<float>(0.1 * random.normal());
    for (int& e : i.text) e = static_cast<int>(random.below(vocabulary));
    for (int& e : i.following) e = static_cast<int>(random.below(vocabulary));
  }
};

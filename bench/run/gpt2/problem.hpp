// gpt2: GPT-2 small, 124 million parameters, and the cross-entropy of 4 x 64 tokens; float. The tokens are drawn.
#pragma once

#include "../gpt/model.hpp"
#include "../rival.hpp"

struct gpt2 {
  static constexpr int vocabulary = 50257, width = 768, heads = 12, layers = 12, length = 64, batch = 4;
  static constexpr char name[] = "gpt2";
  static constexpr auto unit = benchmark::kMillisecond;
  static constexpr double tolerance = 1e-4, least_scale = 0.01;  // the gradient by the biases of keys is 0
  /// Products with 12 width^2 weights a layer, of scores, of what they weigh, and of the head; two more for each of
  /// them on the way back.
  static constexpr double flops =
      3 * 2.0 * length * batch * (layers * (12.0 * width * width + 2.0 * length * width) + 1.0 * vocabulary * width);

  using gradient = gpt<float, vocabulary, width, heads, layers, length, 1024>;
  struct inputs {
    gradient model;
    etch::tensor<int, length, batch> text, following;
  };

  static void fill(inputs& i) {
    initialise(i.model, 1);
    draw(i, 2);
  }
  /// Tokens of which the first are drawn most often.
  static void draw(inputs& i, std::uint64_t seed) {
    etch::nn::generator random(seed);
    for (auto* tokens : {&i.text, &i.following})
      for (int& e : *tokens) {
        double const u = random.uniform();
        e = static_cast<int>(vocabulary * u * u * u * u);
      }
  }
};

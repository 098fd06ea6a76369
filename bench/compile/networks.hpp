// networks: programs made of etch::nn layers, as docs/models.md has users write them. OPERATIONS
// is a number of blocks or layers.
#pragma once

#include <etch/etch.hpp>

#include "family.hpp"

#include <array>
#include <tuple>
#include <utility>

namespace families {

namespace nn = etch::nn;

/// ResNet-18 at a quarter of its width, whose OPERATIONS are 8 blocks, two of 16, 32, 64 and 128
/// channels each; of fewer than 4, the first.
namespace residual {

/// Two convolutions; where the channels or the size change, a third one is beside them.
template <class T, int In, int Out, int Stride>
struct block {
  nn::conv2d<T, In, Out, 3, Stride, 1> first;
  nn::batch_norm<T, Out> first_norm;
  nn::conv2d<T, Out, Out, 3, 1, 1> second;
  nn::batch_norm<T, Out> second_norm;
  nn::conv2d<T, In, Out, 1, Stride> shortcut;
  nn::batch_norm<T, Out> shortcut_norm;
  ETCH_MEMBERS(block, first, first_norm, second, second_norm, shortcut, shortcut_norm)

  constexpr auto operator()(auto const& x) const {
    auto const inner = relu(first_norm.train(first(x)));
    return relu(second_norm.train(second(inner)) + shortcut_norm.train(shortcut(x)));
  }
};
template <class T, int Channels>
struct block<T, Channels, Channels, 1> {
  nn::conv2d<T, Channels, Channels, 3, 1, 1> first;
  nn::batch_norm<T, Channels> first_norm;
  nn::conv2d<T, Channels, Channels, 3, 1, 1> second;
  nn::batch_norm<T, Channels> second_norm;
  ETCH_MEMBERS(block, first, first_norm, second, second_norm)

  constexpr auto operator()(auto const& x) const {
    auto const inner = relu(first_norm.train(first(x)));
    return relu(second_norm.train(second(inner)) + x);
  }
};

inline constexpr int blocks = operations, stages = 4;
constexpr int stage(int b) { return b < 0 ? 0 : b * stages / (blocks > stages ? blocks : stages); }
constexpr int channels(int b) { return 16 << stage(b); }

template <class T, int... B>
auto body(std::integer_sequence<int, B...>)
    -> nn::sequential<T, block<T, channels(B - 1), channels(B), stage(B) == stage(B - 1) ? 1 : 2>...>;

template <class T>
struct network {
  nn::conv2d<T, 3, 16, 3, 1, 1> stem;
  nn::batch_norm<T, 16> stem_norm;
  decltype(residual::body<T>(std::make_integer_sequence<int, blocks>{})) body;
  nn::dense<T, channels(blocks - 1), 10> head;
  ETCH_MEMBERS(network, stem, stem_norm, body, head)

  constexpr auto operator()(auto const& images) const {
    return head(nn::global_avg_pool{}(body(relu(stem_norm.train(stem(images))))));
  }
};

}  // namespace residual

/// A decoder of OPERATIONS blocks, one after the other.
namespace decoder {

inline constexpr int width = 32, heads = 4, length = 16, vocabulary = 32, batch = 4;

template <class T, int>
using block = nn::transformer_block<T, width, heads, 4 * width, nn::looks::back>;
template <class T, int... B>
auto body(std::integer_sequence<int, B...>) -> nn::sequential<T, block<T, B>...>;

template <class T>
struct network {
  nn::embedding<T, vocabulary, width> meaning;
  etch::param<T, width, length> positions;
  decltype(decoder::body<T>(std::make_integer_sequence<int, operations>{})) body;
  nn::layer_norm<T, width> norm;
  nn::dense<T, width, vocabulary> next;
  ETCH_MEMBERS(network, meaning, positions, body, norm, next)

  constexpr auto operator()(auto const& text) const { return next(norm(body(meaning(text) + positions))); }
};

}  // namespace decoder

/// OPERATIONS layers of LSTM cells over a sequence; the last state tells what it is.
namespace recurrent {

inline constexpr int width = 32, batch = 16, length = 20;

template <class T>
struct network {
  std::array<nn::lstm_cell<T, width, width>, operations> cells;
  nn::dense<T, width, 10> head;
  ETCH_MEMBERS(network, cells, head)

  constexpr auto operator()(auto const& sequence) const {
    auto y = sequence;
    for (auto const& cell : cells)
      y = nn::unroll(cell, std::tuple(etch::zeros<width, batch>(), etch::zeros<width, batch>()), y).y;
    return head(reshape<width, batch>(etch::slice<2, length - 1, 1>(y)));
  }
};

}  // namespace recurrent

/// OPERATIONS equal layers, as one loop or one after the other.
namespace equal {

template <class T>
using layer = nn::sequential<T, nn::dense<T, 32, 32>, nn::activation::tanh>;

template <class T>
struct loop {
  nn::repeated<operations, layer<T>> body;
  nn::dense<T, 32, 10> head;
  ETCH_MEMBERS(loop, body, head)

  constexpr auto operator()(auto const& x) const { return head(body(x)); }
};
template <class T>
struct array {
  std::array<layer<T>, operations> body;
  nn::dense<T, 32, 10> head;
  ETCH_MEMBERS(array, body, head)

  constexpr auto operator()(auto x) const {
    for (auto const& each : body) x = each(x);
    return head(x);
  }
};

}  // namespace equal

struct cross_entropy {
  constexpr auto operator()(auto const& model, auto const& x, auto const& labels) const {
    return nn::softmax_cross_entropy(model(x), labels);
  }
};

using resnet = family<cross_entropy, etch::wrt<0>, residual::network<float>, etch::tensor<float, 32, 32, 3, 16>,
                      etch::tensor<int, 16>>;
using gpt =
    family<cross_entropy, etch::wrt<0>, decoder::network<float>, etch::tensor<int, decoder::length, decoder::batch>,
           etch::tensor<int, decoder::length, decoder::batch>>;
using lstm = family<cross_entropy, etch::wrt<0>, recurrent::network<float>,
                    etch::tensor<float, recurrent::width, recurrent::batch, recurrent::length>,
                    etch::tensor<int, recurrent::batch>>;
using repeated =
    family<cross_entropy, etch::wrt<0>, equal::loop<float>, etch::tensor<float, 32, 16>, etch::tensor<int, 16>>;
using array =
    family<cross_entropy, etch::wrt<0>, equal::array<float>, etch::tensor<float, 32, 16>, etch::tensor<int, 16>>;

}  // namespace families

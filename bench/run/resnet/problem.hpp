// resnet: ResNet-18 at a quarter of its width, 16, 32, 64 and 128 channels, for images of 32 x 32 pixels (He et al.
// 2016, "Deep residual learning for image recognition"): a convolution of 3 x 3 taps, eight blocks of two, the mean of
// each channel, a dense layer, cross-entropy. Batch normalisation follows each convolution; batch 16, float. Images are
// [width, height, channels, batch], the first index fastest, and kernels [width, height, channels, channels of the
// result].
#pragma once

#include "../rival.hpp"

#include <etch/nn/dense.hpp>
#include <etch/nn/init.hpp>
#include <etch/nn/norm.hpp>

namespace bench {

template <int In, int Out, int Taps>
struct normed_convolution {
  etch::tensor<float, Taps, Taps, In, Out> kernel;
  etch::nn::batch_norm<float, Out> norm;
  ETCH_MEMBERS(normed_convolution, kernel, norm)

  void initialise(auto const& draw) { draw(kernel, Taps * Taps * In, Taps * Taps * Out), norm.initialise(draw); }
};

template <int Channels>
struct equal_block {
  normed_convolution<Channels, Channels, 3> first, second;
  ETCH_MEMBERS(equal_block, first, second)
};

/// Twice the channels on a quarter of the pixels, x through a convolution of one tap.
template <int Channels>
struct halving_block {
  normed_convolution<Channels / 2, Channels, 3> first;
  normed_convolution<Channels, Channels, 3> second;
  normed_convolution<Channels / 2, Channels, 1> shortcut;
  ETCH_MEMBERS(halving_block, first, second, shortcut)
};

}  // namespace bench

struct resnet {
  static constexpr int side = 32, batch = 16, classes = 10;
  static constexpr char name[] = "resnet";
  static constexpr auto unit = benchmark::kMillisecond;
  static constexpr double tolerance = 1e-3;

  struct gradient {
    bench::normed_convolution<3, 16, 3> stem;
    bench::equal_block<16> block1, block2;
    bench::halving_block<32> block3;
    bench::equal_block<32> block4;
    bench::halving_block<64> block5;
    bench::equal_block<64> block6;
    bench::halving_block<128> block7;
    bench::equal_block<128> block8;
    etch::nn::dense<float, 128, classes> head;
    ETCH_MEMBERS(gradient, stem, block1, block2, block3, block4, block5, block6, block7, block8, head)
  };
  struct inputs {
    gradient model;
    etch::tensor<float, side, side, 3, batch> images;
    etch::tensor<int, batch> labels;
  };

  /// One image's multiplications in the stem, and in a convolution between equal blocks: as many at all four widths. A
  /// halving block's first has half as many, and its shortcut a ninth of that.
  static constexpr double stem = 1024 * 3 * 16 * 9, equal = 1024 * 16 * 16 * 9, halving = equal / 2 + equal / 18;
  /// Each convolution once on the way there, and twice on the way back, but for the first: images need no gradient.
  static constexpr double flops = 2 * batch * (2 * stem + 3 * (4 * equal + 3 * (3 * equal + halving)));

  static void fill(inputs& i) {
    etch::nn::init::he_normal(i.model, 1);
    etch::nn::generator random(2);
    for (float& e : i.images) e = static_cast<float>(random.normal());
    for (int& label : i.labels) label = static_cast<int>(random.below(classes));
  }
};

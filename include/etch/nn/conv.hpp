// conv1d, conv2d, conv_transpose2d: convolutional layers.
#pragma once

#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>
#include <etch/nn/bias.hpp>
#include <etch/op/image/convolve.hpp>
#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace nn {

/// `etch::conv1d` with a bias for each channel, for sequences `[length, In, batch]`, the batch left out or not.
template <class T, int In, int Out, int Size, int Stride = 1, int Padding = 0, int Dilation = 1, int Groups = 1,
          bool Bias = true>
struct conv1d {
  param<T, Size, In / Groups, Out> kernel;
  param<T, Out> bias;
  ETCH_MEMBERS(conv1d, kernel, bias)

  static constexpr int inputs = Size * In / Groups, outputs = Size * Out / Groups;

  constexpr auto operator()(auto const& x) const {
    return etch::conv1d<Stride, Padding, Dilation, Groups>(x, kernel) + reshape<1, Out>(bias);
  }
  constexpr void initialise(auto const& draw) { draw(kernel, inputs, outputs), draw.zero(bias); }
};

template <class T, int In, int Out, int Size, int Stride, int Padding, int Dilation, int Groups>
struct conv1d<T, In, Out, Size, Stride, Padding, Dilation, Groups, no_bias> {
  param<T, Size, In / Groups, Out> kernel;
  ETCH_MEMBERS(conv1d, kernel)

  static constexpr int inputs = Size * In / Groups, outputs = Size * Out / Groups;

  constexpr auto operator()(auto const& x) const { return etch::conv1d<Stride, Padding, Dilation, Groups>(x, kernel); }
  constexpr void initialise(auto const& draw) { draw(kernel, inputs, outputs); }
};

/// `etch::conv2d` with a bias for each channel, for images `[width, height, In, batch]`, the batch left out or not.
/// With as many `Groups` as channels it is depthwise.
template <class T, int In, int Out, int Size, int Stride = 1, int Padding = 0, int Dilation = 1, int Groups = 1,
          bool Bias = true>
struct conv2d {
  param<T, Size, Size, In / Groups, Out> kernel;
  param<T, Out> bias;
  ETCH_MEMBERS(conv2d, kernel, bias)

  static constexpr int inputs = Size * Size * In / Groups, outputs = Size * Size * Out / Groups;

  constexpr auto operator()(auto const& x) const {
    return etch::conv2d<Stride, Padding, Dilation, Groups>(x, kernel) + reshape<1, 1, Out>(bias);
  }
  constexpr void initialise(auto const& draw) { draw(kernel, inputs, outputs), draw.zero(bias); }
};

template <class T, int In, int Out, int Size, int Stride, int Padding, int Dilation, int Groups>
struct conv2d<T, In, Out, Size, Stride, Padding, Dilation, Groups, no_bias> {
  param<T, Size, Size, In / Groups, Out> kernel;
  ETCH_MEMBERS(conv2d, kernel)

  static constexpr int inputs = Size * Size * In / Groups, outputs = Size * Size * Out / Groups;

  constexpr auto operator()(auto const& x) const { return etch::conv2d<Stride, Padding, Dilation, Groups>(x, kernel); }
  constexpr void initialise(auto const& draw) { draw(kernel, inputs, outputs); }
};

/// `etch::conv_transpose2d` with a bias for each channel: from images `[width, height, In, batch]`, the batch left out
/// or not, to larger ones with `Out` channels.
template <class T, int In, int Out, int Size, int Stride = 1, int Padding = 0, int Dilation = 1, int Groups = 1,
          int More = 0, bool Bias = true>
struct conv_transpose2d {
  param<T, Size, Size, Out / Groups, In> kernel;
  param<T, Out> bias;
  ETCH_MEMBERS(conv_transpose2d, kernel, bias)

  static constexpr int inputs = Size * Size * In / Groups, outputs = Size * Size * Out / Groups;

  constexpr auto operator()(auto const& x) const {
    return etch::conv_transpose2d<Stride, Padding, Dilation, Groups, More>(x, kernel) + reshape<1, 1, Out>(bias);
  }
  constexpr void initialise(auto const& draw) { draw(kernel, inputs, outputs), draw.zero(bias); }
};

template <class T, int In, int Out, int Size, int Stride, int Padding, int Dilation, int Groups, int More>
struct conv_transpose2d<T, In, Out, Size, Stride, Padding, Dilation, Groups, More, no_bias> {
  param<T, Size, Size, Out / Groups, In> kernel;
  ETCH_MEMBERS(conv_transpose2d, kernel)

  static constexpr int inputs = Size * Size * In / Groups, outputs = Size * Size * Out / Groups;

  constexpr auto operator()(auto const& x) const {
    return etch::conv_transpose2d<Stride, Padding, Dilation, Groups, More>(x, kernel);
  }
  constexpr void initialise(auto const& draw) { draw(kernel, inputs, outputs); }
};

/// A convolution of every channel on its own, with `Multiple` results for each.
template <class T, int Channels, int Size, int Stride = 1, int Padding = 0, int Dilation = 1, int Multiple = 1,
          bool Bias = true>
using depthwise_conv2d = conv2d<T, Channels, Channels * Multiple, Size, Stride, Padding, Dilation, Channels, Bias>;

}  // namespace nn
ETCH_NAMESPACE_END

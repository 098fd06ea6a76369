// conv1d, conv2d, conv_transpose2d: convolutions of traced images and sequences. Kernels are
// not flipped, as in all frameworks.
#pragma once

#include <etch/op/image/convolution.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

constexpr shape with_rank(shape s, int rank) {
  s.rank = rank;
  return s;
}

/// The convolution `S`, where channels and sizes fit.
template <sliding S, static_handle X, static_handle Kernel>
constexpr auto convolve(X const& x, Kernel const& kernel) {
  constexpr shape image = batch_first(X::extent), taps = Kernel::extent;
  if constexpr (!S.channels_agree(image, taps)) {
    error::channels_differ<X, Kernel>();
    return instead_of<float, X::extent>(x, kernel);
  } else if constexpr (!S.fits(image, taps)) {
    error::kernel_is_larger_than_the_image<X, Kernel>();
    return instead_of<float, X::extent>(x, kernel);
  } else if constexpr (!types_meet<X, Kernel>()) {
    error::element_types_differ<X, Kernel>();
    return instead_of<double, X::extent>(x, kernel);
  } else {
    using T = decltype(meeting_type<X, Kernel>());
    constexpr shape result = batch_last(S.result(image, taps), X::extent);
    auto const compute = [&](term image_of, term kernel_of) {
      return fit(batch_last(emit<op::conv2d>(S, batch_first(image_of), fit(kernel_of, with_rank(taps, max_rank)))),
                 result);
    };
    return built<T, result, X::elementwise_product>(compute, cast<T>(x), cast<T>(kernel));
  }
}

/// The shape of a sequence [length, channels, ...] as images of height 1, and the other way.
constexpr shape as_images(shape const& s) {
  shape image = make_shape(s[0], 1, s[1], s[2]);
  image.rank = s.rank + 1;
  return image;
}
constexpr shape as_sequences(shape const& s) {
  shape sequence = make_shape(s[0], s[2], s[3]);
  sequence.rank = s.rank - 1;
  return sequence;
}
template <shape Target, static_handle X>
constexpr auto reshaped_to(X const& x) {
  return computed<Target>(x, [](term t) { return emit_to<op::reshape>(Target, t); });
}

/// The shape of the images that a convolution takes to `y`, with `More` entries behind the last one that it reads.
constexpr shape transposed_result(sliding const& s, shape const& y, shape const& kernel, int more) {
  auto const entries = [&](int axis) {
    std::size_t const i = static_cast<std::size_t>(axis);
    return (y[axis] - 1) * s.stride[i] - 2 * s.padding[i] + s.dilation[i] * (kernel[axis] - 1) + 1 + more;
  };
  shape image = make_shape(entries(0), entries(1), kernel[2] * s.groups, y[3]);
  image.rank = std::max(y.rank, 3);
  return image;
}

}  // namespace detail

/// Images `[width, height, channels, batch]`, the batch left out or not, with a kernel `[width, height, channels,
/// channels of the result]`, which is not flipped. Around the image are `Padding` zeros. Of `Groups` groups of
/// channels each is convolved on its own.
template <int Stride = 1, int Padding = 0, int Dilation = 1, int Groups = 1, static_handle X, static_handle Kernel>
constexpr auto conv2d(X const& x, Kernel const& kernel) {
  constexpr sliding s({Stride, Stride}, {Padding, Padding}, {Dilation, Dilation}, Groups);
  if constexpr (!s.is_possible()) {
    error::sliding_is_impossible<Stride, Padding, Dilation, Groups>();
    return detail::instead_of<float, X::extent>(x, kernel);
  } else {
    return detail::convolve<s>(x, kernel);
  }
}

/// Sequences `[length, channels, batch]`, the batch left out or not, with a kernel `[length, channels of a group,
/// channels of the result]`. Before and behind the sequence are `Padding` zeros.
template <int Stride = 1, int Padding = 0, int Dilation = 1, int Groups = 1, static_handle X, static_handle Kernel>
constexpr auto conv1d(X const& x, Kernel const& kernel) {
  constexpr sliding s({Stride, 1}, {Padding, 0}, {Dilation, 1}, Groups);
  if constexpr (!s.is_possible()) {
    error::sliding_is_impossible<Stride, Padding, Dilation, Groups>();
    return detail::instead_of<float, X::extent>(x, kernel);
  } else if constexpr (X::extent.rank > 3 || Kernel::extent.rank > 3) {
    error::rank_too_large<X, Kernel>();
    return detail::instead_of<float, X::extent>(x, kernel);
  } else {
    auto const y =
        detail::convolve<s>(detail::reshaped_to<detail::as_images(X::extent)>(x),
                            detail::reshaped_to<detail::as_images(detail::with_rank(Kernel::extent, 3))>(kernel));
    using Y = std::remove_const_t<decltype(y)>;
    return detail::reshaped_to<detail::as_sequences(Y::extent)>(y);
  }
}

/// The adjoint of `conv2d` in its image, as a map from `[width, height, channels, batch]` to larger images: entry p of
/// x is spread by the kernel `[width, height, channels of a group of the result, channels]` around entry `Stride p -
/// Padding` of the result. `More` entries (fewer than `Stride`) behind the last are appended to both axes.
template <int Stride = 1, int Padding = 0, int Dilation = 1, int Groups = 1, int More = 0, static_handle X,
          static_handle Kernel>
constexpr auto conv_transpose2d(X const& x, Kernel const& kernel) {
  constexpr sliding s({Stride, Stride}, {Padding, Padding}, {Dilation, Dilation}, Groups);
  constexpr shape taps = Kernel::extent, image = detail::transposed_result(s, X::extent, taps, More);
  if constexpr (!s.is_possible() || More < 0 || More >= Stride) {
    error::sliding_is_impossible<Stride, Padding, Dilation, Groups>();
    return detail::instead_of<float, X::extent>(x, kernel);
  } else if constexpr (X::extent[2] != taps[3] || taps[3] % Groups != 0) {
    error::channels_differ<X, Kernel>();
    return detail::instead_of<float, X::extent>(x, kernel);
  } else if constexpr (image[0] < 1 || image[1] < 1) {
    error::kernel_is_larger_than_the_image<X, Kernel>();
    return detail::instead_of<float, X::extent>(x, kernel);
  } else if constexpr (!detail::types_meet<X, Kernel>()) {
    error::element_types_differ<X, Kernel>();
    return detail::instead_of<double, X::extent>(x, kernel);
  } else {
    using T = decltype(detail::meeting_type<X, Kernel>());
    auto const compute = [&](term x_of, term kernel_of) {
      return fit(
          detail::batch_last(emit_shaped<op::conv2d_image>(detail::batch_first(image), s, detail::batch_first(x_of),
                                                           fit(kernel_of, detail::with_rank(taps, max_rank)))),
          image);
    };
    return detail::built<T, image, X::elementwise_product>(compute, cast<T>(x), cast<T>(kernel));
  }
}

/// A plain tensor of few numbers, such as a filter, is a constant.
template <int Stride = 1, int Padding = 0, int Dilation = 1, int Groups = 1, class X, class Kernel>
  requires detail::stray_operands<X, Kernel>
constexpr auto conv2d(X const& x, Kernel const& kernel) {
  return detail::with_constants(
      [](auto const& a, auto const& b) { return etch::conv2d<Stride, Padding, Dilation, Groups>(a, b); }, x, kernel);
}

template <int Stride = 1, int Padding = 0, int Dilation = 1, int Groups = 1, class X, class Kernel>
  requires detail::stray_operands<X, Kernel>
constexpr auto conv1d(X const& x, Kernel const& kernel) {
  return detail::with_constants(
      [](auto const& a, auto const& b) { return etch::conv1d<Stride, Padding, Dilation, Groups>(a, b); }, x, kernel);
}

template <int Stride = 1, int Padding = 0, int Dilation = 1, int Groups = 1, int More = 0, class X, class Kernel>
  requires detail::stray_operands<X, Kernel>
constexpr auto conv_transpose2d(X const& x, Kernel const& kernel) {
  return detail::with_constants(
      [](auto const& a, auto const& b) {
        return etch::conv_transpose2d<Stride, Padding, Dilation, Groups, More>(a, b);
      },
      x, kernel);
}

ETCH_NAMESPACE_END

// Convolution of images (cross-correlation, as all frameworks have it), and its two
// adjoints, which are convolutions again.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/op/linalg/product.hpp>
#include <etch/op/reshape.hpp>

ETCH_NAMESPACE_BEGIN

/// Names the one of image, kernel and result that a convolution gives from the other two.
enum class convolved : std::uint8_t { nothing, result, image, kernel };

/// How a kernel moves over an image, along both axes: tap t of the kernel at position p meets entry
/// `stride p + dilation t - padding`. Channels are in `groups`, each convolved on its own. (15 bits
/// for groups, 8 for everything else.)
struct sliding {
  fixed<int, 2> stride{1, 1}, padding{0, 0}, dilation{1, 1};
  int groups = 1;

  constexpr sliding(fixed<int, 2> by, fixed<int, 2> around, fixed<int, 2> apart, int parts)
      : stride(by), padding(around), dilation(apart), groups(parts) {}
  constexpr explicit sliding(attribute bits)
      : stride{byte(bits, 0), byte(bits, 1)},
        padding{byte(bits, 2), byte(bits, 3)},
        dilation{byte(bits, 4), byte(bits, 5)},
        groups(static_cast<int>(bits >> 48)) {}
  constexpr operator attribute() const {
    attribute bits = static_cast<attribute>(groups);
    for (fixed<int, 2> const& pair : {dilation, padding, stride})
      bits = bits << 16 | static_cast<attribute>(pair.entry[1]) << 8 | static_cast<attribute>(pair.entry[0]);
    return bits;
  }
  friend constexpr bool operator==(sliding const&, sliding const&) = default;

  static constexpr int largest = 255, most_groups = (1 << 15) - 1;
  constexpr bool is_possible() const {
    for (int axis : {0, 1})
      if (!in(stride.entry[axis], 1) || !in(dilation.entry[axis], 1) || !in(padding.entry[axis], 0)) return false;
    return groups >= 1 && groups <= most_groups;
  }
  /// How many positions a kernel of `taps` entries has along an axis of `entries`; 0 if it does not fit.
  constexpr int positions(int axis, int entries, int taps) const {
    int const room = entries + 2 * padding.entry[axis] - dilation.entry[axis] * (taps - 1) - 1;
    return room < 0 ? 0 : room / stride.entry[axis] + 1;
  }
  /// The entry of the image that a tap meets at a position; beside the image there is none.
  constexpr int met(int axis, int position, int tap) const {
    return position * stride.entry[axis] + tap * dilation.entry[axis] - padding.entry[axis];
  }
  constexpr bool fits(shape const& image, shape const& kernel) const {
    return positions(0, image[1], kernel[0]) > 0 && positions(1, image[2], kernel[1]) > 0;
  }
  constexpr bool channels_agree(shape const& image, shape const& kernel) const {
    return image[3] == kernel[2] * groups && kernel[3] % groups == 0;
  }
  /// The shape of the result: images are [batch, width, height, channels], kernels [width, height, channels
  /// of a group, channels of the result].
  constexpr shape result(shape const& image, shape const& kernel) const {
    shape s = make_shape(image[0], positions(0, image[1], kernel[0]), positions(1, image[2], kernel[1]), kernel[3]);
    s.counted = image.counted == 1;
    return s;
  }
  constexpr bool relates(shape const& image, shape const& kernel, shape const& result_) const {
    return channels_agree(image, kernel) && fits(image, kernel) && same_extents(result(image, kernel), result_);
  }
  /// Calls `f(entry of the image, of the kernel, of the result)` for every product that a convolution consists of.
  template <class Image, class Kernel, class Result>
  constexpr void each_product(block<Image> x, block<Kernel> w, block<Result> y, auto f) const {
    int const of_group = y.extent[3] / groups;
    for_each_index(w.extent, [&](auto const& t) {
      int const channel = t.entry[2] + t.entry[3] / of_group * w.extent[2];
      shape plane = y.extent;
      plane[3] = 1;
      for_each_index(plane, [&](auto const& p) {
        int const i = met(0, p.entry[1], t.entry[0]), j = met(1, p.entry[2], t.entry[1]);
        if (i >= 0 && i < x.extent[1] && j >= 0 && j < x.extent[2])
          f(x(p.entry[0], i, j, channel), w(t), y(p.entry[0], p.entry[1], p.entry[2], t.entry[3]));
      });
    });
  }

 private:
  static constexpr int byte(attribute bits, int i) { return static_cast<int>(bits >> (8 * i) & 255); }
  static constexpr bool in(int value, int least) { return value >= least && value <= largest; }
};

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace op {

/// One of three values that determine each other: image x, kernel w, and result y = sum over taps and channels of x w.
/// Each is linear in the two others, so the adjoints of each op are the other two.
struct convolution : product_kind {
  static constexpr int arity = 2;
  static std::string describe(node const& n) {
    sliding const s(n.attributes);
    auto const pair = [](char const* name, fixed<int, 2> const& of, int usual) {
      if (of == fixed<int, 2>{usual, usual}) return std::string();
      return std::string(", ") + name + " " + std::to_string(of[0]) +
             (of[0] == of[1] ? "" : " x " + std::to_string(of[1]));
    };
    std::string const all = pair("stride", s.stride, 1) + pair("padding", s.padding, 0) +
                            pair("dilation", s.dilation, 1) +
                            (s.groups == 1 ? "" : ", groups " + std::to_string(s.groups));
    return all.empty() ? "" : "<" + all.substr(2) + ">";
  }
};

/// The result, from image and kernel.
struct conv2d : convolution {
  static constexpr auto name = "conv2d";
  static constexpr auto call = "conv2d<1, 1>(image, kernel)";
  static constexpr auto formula =
      "y[n, p, q, o] = sum over i, j, c of x[n, stride p + dilation i - padding, ..., c] w[i, j, c, o]";
  static constexpr convolved gives = convolved::result;
  static constexpr shape infer(attribute a, shapes<2> const& x) {
    sliding const s(a);
    if (!s.channels_agree(x[0], x[1])) error::channels_differ(x[0], x[1]);
    if (!s.fits(x[0], x[1])) error::kernel_is_larger_than_the_image(x[0], x[1]);
    return s.result(x[0], x[1]);
  }
  template <class T>
  static constexpr status run(attribute a, block<T> y, block<T const> x, block<T const> w) {
    for_each_index(y.extent, [&](auto const& i) { y(i) = 0; });
    sliding(a).each_product(x, w, y, [](T const& of_x, T const& of_w, T& of_y) { of_y += of_x * of_w; });
    return status::ok;
  }
  static constexpr auto pullback(auto g, auto, auto x, auto w, attribute a) {
    return operands{emit_shaped<conv2d_image>(x.extent(), a, g, w), emit_shaped<conv2d_kernel>(w.extent(), a, x, g)};
  }
};

/// The image's adjoint, from the result's and the kernel: the transposed convolution.
struct conv2d_image : convolution {
  static constexpr auto name = "conv2d_image";
  static constexpr auto part_of = "conv_transpose2d, and the gradient of conv2d";
  static constexpr auto formula =
      "the adjoint of conv2d in x: x[n, stride p + dilation i - padding, ..., c] += y[n, p, q, o] w[i, j, c, o]";
  static constexpr convolved gives = convolved::image;
  static constexpr bool takes_shape = true;
  static constexpr bool accepts(attribute a, shape const& image, shapes<2> const& x) {
    return sliding(a).relates(image, x[1], x[0]);
  }
  template <class T>
  static constexpr status run(attribute a, block<T> x, block<T const> y, block<T const> w) {
    for_each_index(x.extent, [&](auto const& i) { x(i) = 0; });
    sliding(a).each_product(x, w, y, [](T& of_x, T const& of_w, T const& of_y) { of_x += of_w * of_y; });
    return status::ok;
  }
  static constexpr auto pullback(auto g, auto, auto y, auto w, attribute a) {
    return operands{emit<conv2d>(a, g, w), emit_shaped<conv2d_kernel>(w.extent(), a, g, y)};
  }
};

/// The kernel's adjoint, from the image and the result's.
struct conv2d_kernel : convolution {
  static constexpr auto name = "conv2d_kernel";
  static constexpr auto part_of = "the gradient of conv2d";
  static constexpr auto formula =
      "the adjoint of conv2d in w: w[i, j, c, o] = sum of x[n, stride p + dilation i - padding, ..., c] y[n, p, q, o]";
  static constexpr convolved gives = convolved::kernel;
  static constexpr bool takes_shape = true;
  static constexpr bool accepts(attribute a, shape const& kernel, shapes<2> const& x) {
    return sliding(a).relates(x[0], kernel, x[1]);
  }
  template <class T>
  static constexpr status run(attribute a, block<T> w, block<T const> x, block<T const> y) {
    for_each_index(w.extent, [&](auto const& i) { w(i) = 0; });
    sliding(a).each_product(x, w, y, [](T const& of_x, T& of_w, T const& of_y) { of_w += of_x * of_y; });
    return status::ok;
  }
  static constexpr auto pullback(auto g, auto, auto x, auto y, attribute a) {
    return operands{emit_shaped<conv2d_image>(x.extent(), a, y, g), emit<conv2d>(a, x, g)};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

namespace detail {

/// Images of users are [width, height, channels, batch]; programs keep them with the batch first,
/// so that registers run along it.
constexpr term batch_first(term image) {
  shape s = image.extent();
  s.rank = max_rank;
  return emit<op::permute>(0b10'01'00'11, fit(image, s));
}
constexpr term batch_last(term image) { return emit<op::permute>(0b00'11'10'01, image); }

/// The shape of an image as programs keep it.
constexpr shape batch_first(shape const& s) {
  shape image = make_shape(s[3], s[0], s[1], s[2]);
  image.counted = s.counted == 4 ? 1 : s.counted == 0 ? 0 : s.counted + 1;
  return image;
}
/// The shape of users' images, without a batch where `like` has none.
constexpr shape batch_last(shape const& s, shape const& like) {
  shape image = make_shape(s[1], s[2], s[3], s[0]);
  image.rank = std::max(like.rank, 3);
  image.counted = s.counted == 1 ? 4 : s.counted == 0 ? 0 : s.counted - 1;
  return image;
}

}  // namespace detail

ETCH_NAMESPACE_END

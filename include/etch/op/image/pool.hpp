// Pooling: the largest entry of each window of an image.
#pragma once

#include <etch/op/image/convolution.hpp>
#include <etch/op/extremum.hpp>
#include <etch/op/rectifier.hpp>

ETCH_NAMESPACE_BEGIN

/// Windows over the two axes of an image: their size, and how far apart they begin. (8 bits each.)
struct windows {
  fixed<int, 2> size{1, 1}, stride{1, 1};

  constexpr windows(fixed<int, 2> of, fixed<int, 2> by) : size(of), stride(by) {}
  constexpr explicit windows(attribute bits)
      : size{byte(bits, 0), byte(bits, 1)}, stride{byte(bits, 2), byte(bits, 3)} {}
  constexpr operator attribute() const {
    attribute bits = 0;
    for (int value : {stride.entry[1], stride.entry[0], size.entry[1], size.entry[0]})
      bits = bits << 8 | static_cast<attribute>(value);
    return bits;
  }
  constexpr bool are_possible() const {
    for (int value : {stride.entry[0], stride.entry[1], size.entry[0], size.entry[1]})
      if (value < 1 || value > sliding::largest) return false;
    return true;
  }
  constexpr bool fit(shape const& image) const { return image[1] >= size.entry[0] && image[2] >= size.entry[1]; }
  /// One entry for each window of an image [batch, width, height, channels]; what is left over at the end is dropped.
  constexpr shape result(shape const& image) const {
    shape s = make_shape(image[0], (image[1] - size.entry[0]) / stride.entry[0] + 1,
                         (image[2] - size.entry[1]) / stride.entry[1] + 1, image[3]);
    s.counted = image.counted == 1;
    return s;
  }
  /// Where the windows have entry `i` along the axis.
  constexpr region along(int axis, int i) const { return {axis + 1, i, stride.entry[axis]}; }

 private:
  static constexpr int byte(attribute bits, int i) { return static_cast<int>(bits >> (8 * i) & 255); }
};

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace op {

/// An op on the windows of an image.
struct pooling : composite_kind {
  static constexpr int arity = 1;
  static constexpr auto separates = separable::not_windows;

  static constexpr shape infer(attribute a, shapes<1> const& x) {
    if (!windows(a).fit(x[0])) error::window_is_larger_than_the_image(x[0]);
    return windows(a).result(x[0]);
  }
  static std::string describe(node const& n) {
    windows const w(n.attributes);
    auto const pair = [](fixed<int, 2> const& of) { return std::to_string(of[0]) + " x " + std::to_string(of[1]); };
    return "<" + pair(w.size) + (w.stride == w.size ? "" : ", stride " + pair(w.stride)) + ">";
  }

 protected:
  /// Calls `f(entry, its place, i, j)` for entry i, j of the windows, all windows at once, in the order of memory.
  static constexpr void each_entry(windows const& w, term x, auto f) {
    shape const result = w.result(x.extent());
    int place = 0;
    for (int j = 0; j < w.size.entry[1]; ++j)
      for (int i = 0; i < w.size.entry[0]; ++i)
        f(etch::slice(etch::slice(x, w.along(0, i), result[1]), w.along(1, j), result[2]),
          constant(*x.owner, x->type, place++), i, j);
  }
};

/// The place of the first largest entry in each window, width fastest; NaN where any entry is.
struct max_pool_place : pooling {
  static constexpr auto name = "max_pool_place";
  static constexpr auto part_of = "max_pool";
  static constexpr auto formula = "the place in its window of the first largest entry: 0, 1, ...";
  static constexpr auto kinks = "NaN where any entry is; gradient 0 everywhere";
  static constexpr bool differentiable = false;

  static constexpr auto expand(attribute a, auto x) {
    term largest{}, place{};
    each_entry(windows(a), x, [&](term entry, term here, int, int) {
      place = place.exists() ? emit<select>(0, less_than(largest, entry), here, place) : here;
      largest = largest.exists() ? emit<maximum>(0, largest, entry) : entry;
    });
    return emit<select>(0, equal_to(largest, largest), place, largest);
  }
};

/// The largest entry of each window, NaN where any is. The gradient goes to the first entry that is the largest: what
/// the way back keeps are the places, not the image.
struct max_pool : pooling {
  static constexpr auto name = "max_pool";
  static constexpr auto call = "max_pool<2>(image)";
  static constexpr auto formula = "the largest entry of each window";
  static constexpr auto kinks =
      "the gradient goes to the first of equal entries, width fastest; NaN, also all gradients, where any entry is";

  static constexpr auto expand(attribute a, auto x) {
    term y{};
    each_entry(windows(a), x, [&](term entry, term, int, int) { y = y.exists() ? emit<maximum>(0, y, entry) : entry; });
    return y;
  }
  static constexpr auto pullback(auto g, auto y, auto x, attribute a) {
    windows const w(a);
    auto const place = emit<max_pool_place>(a, x), nothing = zero_or_nan(place);
    sequence<term> row, rows;
    shape rows_of_windows = x.extent();
    rows_of_windows[2] = y.extent()[2];
    each_entry(w, x, [&](term, term here, int i, int j) {
      row.push_back(etch::embed(emit<select>(0, equal_to(place, here), g, nothing), rows_of_windows, w.along(0, i)));
      if (i + 1 < w.size.entry[0]) return;
      rows.push_back(etch::embed(sum_of(row), x.extent(), w.along(1, j)));
      row.clear();
    });
    return operands{sum_of(rows)};
  }
  /// A growing function can be applied to fewer entries. The first largest entry is the same: where all are
  /// negative, relu has no gradient.
  static constexpr term simplify(attribute a, auto x) {
    if (a == windows({1, 1}, {1, 1})) return x;
    auto const beneath = is<permute>(x) ? x.operand(0) : x;
    if (!is<relu>(beneath)) return {};
    auto const before = beneath.operand(0);
    return emit<relu>(0, emit<max_pool>(a, is<permute>(x) ? emit<permute>(x->attributes, before) : before));
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

namespace detail {

/// The result of `compute(windows, x, result)` on the windows of images, where these fit.
template <int Size, int Stride, static_handle X>
constexpr auto pooled(X const& x, auto compute) {
  constexpr windows w({Size, Size}, {Stride, Stride});
  constexpr shape image = batch_first(X::extent);
  if constexpr (!w.are_possible() || !w.fit(image)) {
    error::window_does_not_fit<X, Size, Stride>();
    return instead_of<typename X::scalar_type, X::extent>(x);
  } else {
    constexpr shape result = batch_last(w.result(image), X::extent);
    return computed<result>(x, [&](term t) { return compute(w, t, result); });
  }
}

}  // namespace detail

/// The largest entry of each `Size` x `Size` window of images `[width, height, channels, batch]`, the batch left out or
/// not. Windows begin `Stride` apart; those that the image has no room for are left out.
template <int Size, int Stride = Size, static_handle X>
constexpr auto max_pool(X const& x) {
  return detail::pooled<Size, Stride>(x, [](windows const& w, term t, shape const&) {
    return detail::batch_last(emit<op::max_pool>(w, detail::batch_first(t)));
  });
}

/// The mean of each window, where `max_pool` takes the largest entry.
template <int Size, int Stride = Size, static_handle X>
constexpr auto avg_pool(X const& x) {
  return detail::pooled<Size, Stride>(x, [](windows const&, term t, shape const& result) {
    term total{};
    for (int j = 0; j < Size; ++j)
      for (int i = 0; i < Size; ++i) {
        term const entry = slice(slice(t, region(0, i, Stride), result[0]), region(1, j, Stride), result[1]);
        total = total.exists() ? total + entry : entry;
      }
    return total * (1.0 / (Size * Size));
  });
}

ETCH_NAMESPACE_END

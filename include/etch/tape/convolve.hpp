// Convolutions of values of the tape, and their adjoints: products with patches of the image, some positions at a time.
#pragma once

#include <etch/base/sequence.hpp>
#include <etch/op/image/convolution.hpp>
#include <etch/machine/run_time_product.hpp>
#include <etch/tape/copy.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// The patch of a position is what its kernel meets: for each tap and channel, taps fastest, an entry of the
/// image, or 0 beside it. With patches as the rows of a matrix A, kernels as the columns of W and results as
/// the columns of Y, Y = A W; the adjoints are Y Wᵀ, added up where patches overlap, and Aᵀ Y. Images and
/// results are [batch, width, height, channels].
template <class T>
class convolution {
 public:
  /// Of `what`, contiguous, from the two others, at any steps.
  convolution(convolved what, sliding const& s, strided_value const& image, strided_value const& kernel,
              strided_value const& result)
      : what_(what),
        s_(s),
        image_(image),
        kernel_(kernel),
        result_(result),
        terms_(kernel.extent[0] * kernel.extent[1] * kernel.extent[2]),
        outputs_(kernel.extent[3] / s.groups),
        images_(std::clamp(most_entries / std::max(terms_, outputs_), 1, image.extent[0])),
        positions_(images_ < image.extent[0]
                       ? 1
                       : std::clamp(most_entries / (std::max(terms_, outputs_) * images_), 1, result.extent[1])),
        patches_(buffer(positions_ * images_ * terms_)),
        some_results_(buffer(what == convolved::result ? 0 : positions_ * images_ * outputs_)),
        weights_(buffer(what == convolved::kernel || kernel.is_contiguous() ? 0 : terms_ * outputs_)) {}

  void run() {
    if (what_ == convolved::image) clear(image_);
    for (int group = 0; group < s_.groups; ++group) {
      matrix const weights{what_ == convolved::kernel ? nullptr : weights_of(group), 1, terms_};
      bool is_first = true;
      for (int q = 0; q < result_.extent[2]; ++q)
        for (int p = 0; p < result_.extent[1]; p += positions_)
          for (int n = 0; n < image_.extent[0]; n += images_, is_first = false) {
            at_ = {n,    std::min(images_, image_.extent[0] - n), p, std::min(positions_, result_.extent[1] - p), q,
                   group};
            int const rows = at_.images * at_.positions;
            matrix const patches{patches_.data(), 1, rows}, results{some_results_.data(), 1, rows};
            if (what_ != convolved::result) read_results();
            if (what_ == convolved::image) {
              run::run_time_product<T>::run({patches_.begin(), 1, rows}, rows, terms_, outputs_, results,
                                            weights.transposed(), false);
              for_each_patch_row([this](T* patch, T* entry) { spread(patch, entry); });
              continue;
            }
            for_each_patch_row([this](T* patch, T const* entry) { gather(patch, entry); });
            if (what_ == convolved::result)
              run::run_time_product<T>::run({place(result_, n, p, q, group * outputs_), 1, result_.where.step[3]}, rows,
                                            outputs_, terms_, patches, weights, false);
            else
              run::run_time_product<T>::run({place(kernel_, 0, 0, 0, group * outputs_), 1, terms_}, terms_, outputs_,
                                            rows, patches.transposed(), results, !is_first);
          }
    }
  }

 private:
  using matrix = run::strided_matrix<T const>;
  static constexpr int most_entries = 32768;  ///< of patches at once: they stay in the second cache

  /// The part at hand: some images of the batch, some positions along the width, one along the height, one group.
  struct some {
    int image = 0, images = 0, p = 0, positions = 0, q = 0, group = 0;
  };

  convolved what_;
  sliding s_;
  strided_value image_, kernel_, result_;
  int terms_, outputs_, images_, positions_;  // of a group; at once
  sequence<T> patches_, some_results_, weights_;
  some at_;

  static sequence<T> buffer(int entries) { return sequence<T>::zeros(static_cast<std::size_t>(entries)); }
  static T* place(strided_value const& x, int i, int j, int k, int l) { return &block_of<T>(x)(i, j, k, l); }
  /// Part of `x` from `first` on, side by side at `to`.
  static void read(T* to, strided_value const& x, T* first, shape const& part) {
    copy(contiguous(x.type, part, to), {x.type, part, {0, x.where.step}, reinterpret_cast<std::byte*>(first)});
  }

  T const* weights_of(int group) {
    T* const first = place(kernel_, 0, 0, 0, group * outputs_);
    if (weights_.empty()) return first;
    shape part = kernel_.extent;
    part[3] = outputs_;
    read(weights_.begin(), kernel_, first, part);
    return weights_.data();
  }
  void read_results() {
    read(some_results_.begin(), result_, place(result_, at_.image, at_.p, at_.q, at_.group * outputs_),
         make_shape(at_.images, at_.positions, 1, outputs_));
  }

  /// Calls `f(entries of the patches, entries of the image)`, of all images at hand, for each position and
  /// term; beside the image there is none.
  void for_each_patch_row(auto f) {
    T* patch = patches_.begin();
    for (int c = 0; c < kernel_.extent[2]; ++c)
      for (int j = 0; j < kernel_.extent[1]; ++j)
        for (int i = 0; i < kernel_.extent[0]; ++i)
          for (int p = at_.p; p < at_.p + at_.positions; ++p, patch += at_.images) {
            int const x = s_.met(0, p, i), y = s_.met(1, at_.q, j);
            bool const is_inside = x >= 0 && x < image_.extent[1] && y >= 0 && y < image_.extent[2];
            f(patch, is_inside ? place(image_, at_.image, x, y, at_.group * kernel_.extent[2] + c) : nullptr);
          }
  }
  void gather(T* patch, T const* entry) const {
    if (entry == nullptr) std::fill_n(patch, at_.images, T(0));
    else if (image_.where.step[0] == 1) std::copy_n(entry, at_.images, patch);
    else
      for (int n = 0; n < at_.images; ++n) patch[n] = entry[n * image_.where.step[0]];
  }
  void spread(T const* patch, T* entry) const {
    if (entry != nullptr)
      for (int n = 0; n < at_.images; ++n) entry[n * image_.where.step[0]] += patch[n];
  }
};

/// The convolution or adjoint `Op` of `x`, into `y`, which is contiguous.
template <class Op, class T>
status convolve(sliding const& s, strided_value const& y, const_span<strided_value> x) {
  constexpr convolved what = Op::gives;
  strided_value const &image = what == convolved::image ? y : x[0], &kernel = what == convolved::kernel ? y : x[1];
  strided_value const& result = what == convolved::result ? y : what == convolved::image ? x[0] : x[1];
  convolution<T>(what, s, image, kernel, result).run();
  return status::ok;
}

}  // namespace dynamic
ETCH_NAMESPACE_END

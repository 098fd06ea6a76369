// images: where the digits come from, and how they get into a batch.
#pragma once

#include "digits.hpp"
#include "mnist.hpp"

#include <etch/core/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>

namespace images {

/// The files of directory `data`, or digits drawn here. Throws a `std::runtime_error` for files that cannot be used,
/// also if they hold fewer training images than one batch.
inline mnist::data_set read_or_draw(std::optional<std::string> const& data, int batch) {
  if (!data) {
    std::printf("no --data given: the digits are drawn by this program\n");
    return {digits::draw_images(0, 8000), digits::draw_images(8000, 2000)};
  }
  mnist::data_set set = mnist::read(*data);
  if (set.train.count < batch)
    throw std::runtime_error(*data + ": there are fewer training images than a batch of " + std::to_string(batch));
  std::printf("images from %s\n", data->c_str());
  return set;
}

/// Copies image `from` of the set, grey values from 0 to 1, and its label to sample `to` of a batch,
/// of images or of columns of pixels.
template <class Images, int Batch>
void load(etch::io::labelled_images const& set, std::uint32_t from, Images& x, etch::tensor<int, Batch>& labels,
          int to) {
  constexpr std::size_t pixels = Images::count / Batch;
  std::uint8_t const* const image = set.pixels.data() + from * pixels;
  std::transform(image, image + pixels, x.data() + static_cast<std::size_t>(to) * pixels,
                 [](std::uint8_t p) { return static_cast<float>(p) / 255; });
  labels(to) = set.labels[from];
}

/// The percentage of images whose largest logit is the label's. `logits(x)` is `[classes, batch]`. All images count; of
/// an incomplete batch only those that there are.
template <class Images, int Batch, class Logits>
double accuracy(etch::io::labelled_images const& set, Images& x, etch::tensor<int, Batch>& labels,
                Logits const& logits_of) {
  int correct = 0;
  for (int first = 0; first < set.count; first += Batch) {
    int const count = std::min(Batch, set.count - first);
    for (int i = 0; i < count; ++i) load(set, static_cast<std::uint32_t>(first + i), x, labels, i);
    auto const& logits = logits_of(x);
    for (int i = 0; i < count; ++i) {
      float const* const column = &logits(0, i);
      correct += std::max_element(column, column + digits::classes) - column == labels(i);
    }
  }
  return 100.0 * correct / set.count;
}

}  // namespace images

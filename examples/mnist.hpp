// mnist: the images of a directory, by their usual file names. Without a train pair, a
// fifth of the t10k pair is held out.
#pragma once

#include <etch/io/idx.hpp>

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace mnist {

/// The images to learn from, and those that only test.
struct data_set {
  etch::io::labelled_images train, test;
};

/// The file `stem`, or `stem`.gz; nothing if there is neither.
inline std::string find(std::filesystem::path const& directory, std::string const& stem) {
  for (char const* ending : {"", ".gz"}) {
    std::filesystem::path const file = directory / (stem + ending);
    std::error_code unknown;  // A file that exists but may not be looked at is found, and then refused by its reader.
    if (std::filesystem::status(file, unknown).type() != std::filesystem::file_type::not_found) return file.string();
  }
  return "";
}

inline bool has_pair(std::filesystem::path const& directory, std::string const& name) {
  return !find(directory, name + "-images-idx3-ubyte").empty() || !find(directory, name + "-labels-idx1-ubyte").empty();
}

inline etch::io::labelled_images read_pair(std::filesystem::path const& directory, std::string const& name) {
  auto const existing = [&](std::string const& stem) {
    std::string const file = find(directory, stem);
    if (file.empty())
      throw std::runtime_error(directory.string() + ": there is neither " + stem + " nor " + stem + ".gz");
    return file;
  };
  std::string const images = existing(name + "-images-idx3-ubyte"), labels = existing(name + "-labels-idx1-ubyte");
  etch::io::labelled_images set = etch::io::read_labelled_images(images, labels, 10);
  if (set.width != 28 || set.height != 28)
    throw std::runtime_error(images + ": the images have " + std::to_string(set.width) + " by " +
                             std::to_string(set.height) + " pixels, not 28 by 28");
  return set;
}

/// Images `first` to `last - 1`.
inline etch::io::labelled_images part(etch::io::labelled_images const& of, int first, int last) {
  std::ptrdiff_t const size = std::ptrdiff_t{of.width} * of.height;
  auto const pixel = of.pixels.begin();
  auto const label = of.labels.begin();
  return {
      last - first, of.width, of.height, {pixel + first * size, pixel + last * size}, {label + first, label + last}};
}

/// Throws a `std::runtime_error` with the file and the reason if the directory does not hold what it should.
inline data_set read(std::filesystem::path const& directory) {
  std::error_code reason;
  if (!std::filesystem::is_directory(directory, reason))
    throw std::runtime_error("'" + directory.string() + "' is not a directory" +
                             (reason ? ": " + reason.message() : ""));
  if (has_pair(directory, "train")) return {read_pair(directory, "train"), read_pair(directory, "t10k")};
  etch::io::labelled_images const all = read_pair(directory, "t10k");
  int const kept = all.count / 5 * 4;  // 8,000 of 10,000
  return {part(all, 0, kept), part(all, kept, all.count)};
}

}  // namespace mnist

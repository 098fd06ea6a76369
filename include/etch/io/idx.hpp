// read_idx: the IDX files of MNIST, plain or gzip'd. Needs zlib (link with -lz).
#pragma once

#include <etch/io/file.hpp>

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

ETCH_NAMESPACE_BEGIN
namespace io {

/// An IDX file of unsigned bytes: extents in the file's order (slowest first), entries in the file's order.
/// For images that is `[images, height, width]`, so entries of one image are contiguous, rows one after the other.
struct idx_array {
  std::vector<int> extent;
  std::vector<std::uint8_t> entries;
};

namespace detail {

/// A file read through zlib, which passes plain files unchanged. Offsets are those of the uncompressed contents.
class byte_source {
 public:
  explicit byte_source(std::string const& name) : name_(name), file_(gzopen(name.c_str(), "rb")) {
    if (file_ == nullptr) refuse(name_, 0, "the file cannot be opened");
  }
  byte_source(byte_source const&) = delete;
  byte_source& operator=(byte_source const&) = delete;
  ~byte_source() { gzclose(file_); }

  std::int64_t offset() const { return offset_; }

  void read(std::uint8_t* to, std::int64_t count, char const* what) {
    while (count > 0) {
      constexpr std::int64_t largest = 1 << 24;
      int const got = gzread(file_, to, static_cast<unsigned>(count < largest ? count : largest));
      if (got < 0) refuse(name_, offset_, "the file cannot be read: " + reason());
      offset_ += got;
      if (got == 0)
        refuse(name_, offset_,
               std::string("the file ends inside ") + what + ", " + std::to_string(count) + " bytes too early");
      to += got;
      count -= got;
    }
  }
  void expect_end() {
    std::uint8_t surplus = 0;
    int const got = gzread(file_, &surplus, 1);
    if (got < 0) refuse(name_, offset_, "the file cannot be read: " + reason());
    if (got != 0) refuse(name_, offset_, "the file goes on after its last entry");
    int code = Z_OK;
    gzerror(file_, &code);
    if (code == Z_BUF_ERROR) refuse(name_, offset_, "the compressed file ends inside its checksum");
  }

 private:
  std::string name_;
  gzFile file_;
  std::int64_t offset_ = 0;

  /// zlib's words, without the file's name that it puts in front of them.
  std::string reason() const {
    int code = 0;
    std::string const words = gzerror(file_, &code);
    return words.starts_with(name_ + ": ") ? words.substr(name_.size() + 2) : words;
  }
};

}  // namespace detail

/// Reads an IDX file of unsigned bytes with `rank` extents (format: Y. LeCun, C. Cortes, C. Burges, The MNIST
/// database). Throws `etch::exception` naming file, offset and reason if the file cannot be opened, is damaged, has
/// another magic number, or is longer or shorter than its header says. Nothing is returned from a file that fails.
inline idx_array read_idx(std::string const& file, int rank) {
  detail::byte_source source(file);
  auto const big_endian = [&](char const* what) {
    std::uint8_t b[4];
    source.read(b, 4, what);
    return static_cast<std::uint32_t>(b[0]) << 24 | static_cast<std::uint32_t>(b[1]) << 16 |
           static_cast<std::uint32_t>(b[2]) << 8 | b[3];
  };
  std::uint32_t const magic = big_endian("the magic number"), expected = 0x0800u + static_cast<std::uint32_t>(rank);
  if (magic != expected)
    detail::refuse(file, 0,
                   "the magic number is " + std::to_string(magic) + ", not " + std::to_string(expected) +
                       " (unsigned bytes, " + std::to_string(rank) + " extents)");
  idx_array a;
  std::int64_t total = 1;
  constexpr std::int64_t largest = (std::int64_t{1} << 31) - 1;
  for (int axis = 0; axis < rank; ++axis) {
    std::int64_t const at = source.offset();
    std::uint32_t const extent = big_endian("the header");
    if (extent == 0 || extent > static_cast<std::uint32_t>(largest / total))
      detail::refuse(file, at,
                     "extent " + std::to_string(axis) + " is " + std::to_string(extent) +
                         "; extents are at least 1, and files hold less than 2 GiB");
    total *= extent;
    a.extent.push_back(static_cast<int>(extent));
  }
  // Memory grows with what the file really holds, not with what its header claims.
  constexpr std::int64_t chunk = 1 << 20;
  for (std::int64_t done = 0; done < total; done += chunk) {
    std::int64_t const count = total - done < chunk ? total - done : chunk;
    a.entries.resize(static_cast<std::size_t>(done + count));
    source.read(a.entries.data() + done, count, "the entries");
  }
  source.expect_end();
  return a;
}

/// Images and their labels.
struct labelled_images {
  int count = 0, width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  ///< count * height * width, 0 to 255
  std::vector<std::uint8_t> labels;
};

/// Reads a pair of IDX files, images and labels. Throws as `read_idx` does, and also if the counts differ,
/// or a label is not below `classes`.
inline labelled_images read_labelled_images(std::string const& images, std::string const& labels, int classes) {
  idx_array pixels = read_idx(images, 3);
  idx_array numbers = read_idx(labels, 1);
  if (pixels.extent[0] != numbers.extent[0])
    detail::refuse(labels, 4,
                   "the number of labels is " + std::to_string(numbers.extent[0]) + ", but that of images in " +
                       images + " is " + std::to_string(pixels.extent[0]));
  for (std::size_t i = 0; i < numbers.entries.size(); ++i)
    if (numbers.entries[i] >= classes)
      detail::refuse(labels, 8 + static_cast<std::int64_t>(i),
                     "label " + std::to_string(numbers.entries[i]) + " is not below " + std::to_string(classes));
  return {pixels.extent[0], pixels.extent[2], pixels.extent[1], std::move(pixels.entries), std::move(numbers.entries)};
}

}  // namespace io
ETCH_NAMESPACE_END

// idx_source: the entries of an IDX file as examples, read one by one from the disk.
#pragma once

#include <etch/io/example_source.hpp>
#include <etch/io/source_file.hpp>

#include <array>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace io {

/// Settings of an `idx_source`.
struct idx_source_options {
  double divisor = 1;  ///< entries are divided by it: 255 makes grey values from 0 to 1
  int classes = 256;   ///< a byte that is not below it is refused
};

/// The examples of an IDX file of unsigned bytes, which stays on the disk and may be larger than memory. An example has
/// the extents of the file without the first, in reverse: of images `[images, height, width]` it is
/// `idx_source<float, width, height>`. Axes of extent 1 do not count, so `<float, width, height, 1>` is one channel; a
/// single axis takes all entries in the file's order: `<float, 784>`. Labels are `idx_source<int>`.
/// Throws `etch::exception` with file, offset and reason: from the constructor if the file cannot be opened, is
/// compressed, has another magic number or shape, or is longer or shorter than its header says.
template <scalar T, int... Dims>
class idx_source {
 public:
  using example = tensor<T, Dims...>;

  explicit idx_source(std::string file, idx_source_options const& options = {})
      : file_(std::move(file)), classes_(options.classes), bytes_(example::count) {
    for (std::size_t p = 0; p < value_.size(); ++p)
      value_[p] = static_cast<T>(static_cast<double>(p) / options.divisor);
    std::uint8_t magic[4];
    if (file_.size() < 4) file_.refuse(file_.size(), "the file ends inside the magic number");
    file_.read(0, magic, 4);
    if (magic[0] == 0x1f && magic[1] == 0x8b)
      file_.refuse(0, "the file is compressed: unpack it, since its entries are read in any order");
    if (magic[0] != 0 || magic[1] != 0 || magic[2] != 8 || magic[3] < 1 || magic[3] > max_rank)
      file_.refuse(0, "the magic number is not that of unsigned bytes with 1 to 4 extents");
    first_ = 4 + 4 * std::uint64_t{magic[3]};
    if (file_.size() < first_) file_.refuse(file_.size(), "the file ends inside the header");
    std::array<std::uint32_t, max_rank> extent{};
    for (int axis = 0; axis < magic[3]; ++axis) {
      std::uint8_t b[4];
      file_.read(4 + 4 * static_cast<std::uint64_t>(axis), b, 4);
      extent[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(b[0]) << 24 |
                                               static_cast<std::uint32_t>(b[1]) << 16 |
                                               static_cast<std::uint32_t>(b[2]) << 8 | b[3];
    }
    count_ = extent[0];
    if (count_ == 0) file_.refuse(4, "the file has no examples");
    if (!fits(extent, magic[3]))
      file_.refuse(8, "an example is " + text(extent, magic[3]) + " in the file, which does not make " +
                          to_string(example::extent));
    std::uint64_t const end = first_ + static_cast<std::uint64_t>(count_) * bytes_.size();
    if (file_.size() < end)
      file_.refuse(file_.size(),
                   "the file ends inside the entries, " + std::to_string(end - file_.size()) + " bytes too early");
    if (file_.size() > end) file_.refuse(end, "the file goes on after its last entry");
  }

  std::int64_t count() const { return count_; }
  std::string const& name() const { return file_.name(); }
  /// Writes example `i`.
  void read(std::int64_t i, T* to) {
    std::uint64_t const at = first_ + static_cast<std::uint64_t>(i) * bytes_.size();
    file_.read(at, bytes_.data(), bytes_.size());
    for (std::size_t k = 0; k < bytes_.size(); ++k) {
      if (bytes_[k] >= classes_)
        file_.refuse(at + k, "label " + std::to_string(bytes_[k]) + " is not below " + std::to_string(classes_));
      to[k] = value_[bytes_[k]];
    }
  }
  void check() const { file_.check(); }

 private:
  detail::source_file file_;
  int classes_;
  std::int64_t count_ = 0;
  std::uint64_t first_ = 0;
  std::vector<std::uint8_t> bytes_;  // of one example
  std::array<T, 256> value_{};

  static bool fits(std::array<std::uint32_t, max_rank> const& extent, int rank) {
    std::uint64_t total = 1;
    std::vector<std::uint64_t> here, there;
    for (int axis = rank; axis-- > 1;) {
      std::uint64_t const n = extent[static_cast<std::size_t>(axis)];
      if (n > example::count) return false;
      total *= n;
      if (n != 1) there.push_back(n);
    }
    for (int axis = 0; axis < example::extent.rank; ++axis)
      if (example::extent[axis] != 1) here.push_back(static_cast<std::uint64_t>(example::extent[axis]));
    return here == there || (example::extent.rank == 1 && total == example::count);
  }
  static std::string text(std::array<std::uint32_t, max_rank> const& extent, int rank) {
    std::string shape = "[";
    for (int axis = rank; axis-- > 1;)
      shape += std::to_string(extent[static_cast<std::size_t>(axis)]) + (axis > 1 ? ", " : "");
    return shape + "]";
  }
};

}  // namespace io
ETCH_NAMESPACE_END

// npy_source: the entries of a numpy array along its first or last axis as examples, read one by one from the disk.
#pragma once

#include <etch/io/example_source.hpp>
#include <etch/io/npy.hpp>
#include <etch/io/source_file.hpp>

ETCH_NAMESPACE_BEGIN
namespace io {

/// Settings of an `npy_source`.
struct npy_source_options {
  bool batch_last = false;  ///< whether the last axis counts the examples, as in files of this library; else the first
  bool reversed = false;    ///< whether an example's axes are numpy's in reverse: `[width, height, channels]` of images
                            ///< `[images, channels, height, width]`
};

/// The examples of an .npy file, which stays on the disk and may be larger than memory. Entry (i, j) of example n is
/// `[n, i, j]` in numpy (`[i, j, n]` with `batch_last`, `[n, j, i]` with `reversed`). The elements have type `T`.
/// Throws `etch::exception` with file, offset and reason: from the constructor if the file is not such an array, is
/// longer or shorter than its header says, or if the entries of an example do not lie one behind the other.
template <scalar T, int... Dims>
class npy_source {
 public:
  using example = tensor<T, Dims...>;

  explicit npy_source(std::string file, npy_source_options const& options = {}) : file_(std::move(file)) {
    constexpr std::size_t longest = detail::npy_preamble + detail::longest_npy_header;
    byte_string head(file_.size() < longest ? static_cast<std::size_t>(file_.size()) : longest);
    file_.read(0, head.data(), head.size());
    auto const [begin, entries, header] = detail::read_npy_preface({head, file_.name()});
    std::string const type = detail::npy_type(element_of<T>);
    if (header.type != type)
      file_.refuse(begin, "the type is " + detail::in_quotes(header.type) + ", not '" + type + "'");
    if (header.rank == 0) file_.refuse(begin, "the file holds a number, and no axis counts examples");

    int const axis = options.batch_last ? header.rank - 1 : 0;
    std::array<std::uint64_t, max_rank> extent = header.extent, wanted{};
    std::uint64_t const count = extent[static_cast<std::size_t>(axis)];
    auto const own = [&](int of) {  // the axis of an example that axis `of` of numpy's is
      int const i = of - (options.batch_last ? 0 : 1);
      return options.reversed ? example::extent.rank - 1 - i : i;
    };
    for (int i = 0; i <= example::extent.rank; ++i) {
      bool const counts = i == (options.batch_last ? example::extent.rank : 0);
      wanted[static_cast<std::size_t>(i)] = counts ? count : static_cast<std::uint64_t>(example::extent[own(i)]);
    }
    if (header.rank != example::extent.rank + 1 || extent != wanted)
      file_.refuse(begin, "the shape is " + detail::python_tuple(extent, header.rank) + ", not " +
                              detail::python_tuple(wanted, example::extent.rank + 1) + ", where the " +
                              (options.batch_last ? "last" : "first") + " axis counts the examples");
    if (count == 0) file_.refuse(begin, "the file has no examples");
    if (header.rank > 1 && example::count > 1 && count > 1 && header.fortran_order != options.batch_last)
      file_.refuse(begin, std::string("the entries of an example do not lie one behind the other: save ") +
                              (options.batch_last ? "numpy.asfortranarray(x)" : "numpy.ascontiguousarray(x)"));
    // An example lies with its first axis fastest in Fortran's order, and as it is wanted if that is so for its own.
    as_it_lies_ = example::extent.rank < 2 || header.fortran_order != options.reversed;
    std::uint64_t const most = (std::uint64_t{1} << 62) / example_bytes;
    if (count > most || file_.size() - entries < count * example_bytes)
      file_.refuse(file_.size(), "the file ends inside the entries");
    if (file_.size() - entries > count * example_bytes)
      file_.refuse(entries + count * example_bytes, "the file goes on after its last entry");
    first_ = entries;
    count_ = static_cast<std::int64_t>(count);
  }

  std::int64_t count() const { return count_; }
  std::string const& name() const { return file_.name(); }
  /// Writes example `i`.
  void read(std::int64_t i, T* to) {
    std::uint64_t const at = first_ + static_cast<std::uint64_t>(i) * example_bytes;
    if (as_it_lies_ && !std::is_same_v<T, bool>) return file_.read(at, to, held_.size());
    file_.read(at, held_.data(), held_.size());
    if (std::is_same_v<T, bool>)
      for (std::size_t k = 0; k < held_.size(); ++k)
        if (held_[k] > std::byte{1})
          file_.refuse(at + k, "a boolean is " + std::to_string(std::to_integer<int>(held_[k])) + ", not 0 or 1");
    strides const step = contiguous_strides(example::extent);
    detail::copy_entries(example_, reinterpret_cast<std::byte*>(to), step, held_.data(),
                         as_it_lies_ ? step : last_index_fastest(example::extent));
  }
  void check() const { file_.check(); }

 private:
  static constexpr std::uint64_t example_bytes = example::count * sizeof(T);
  detail::source_file file_;
  std::int64_t count_ = 0;
  std::uint64_t first_ = 0;
  bool as_it_lies_ = true;
  leaf example_{{}, element_of<T>, example::extent, {}};
  byte_string held_ = byte_string(example_bytes);  // an example as the file has it
};

}  // namespace io
ETCH_NAMESPACE_END

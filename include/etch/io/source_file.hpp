// source_file: an open file of any size, of which bytes are read at any place. It is read with pread and not mapped: a
// mapping of a file that another process cuts ends the program by a signal, without a word.
#pragma once

#include <etch/io/file.hpp>

#include <memory>

ETCH_NAMESPACE_BEGIN
namespace io {
namespace detail {

class source_file {
 public:
  /// Opens a regular file; throws `etch::exception` for anything else, and where there is none.
  explicit source_file(std::string name)
      // To open a pipe that nobody writes to waits forever, unless told not to wait.
      : name_(std::move(name)),
        in_(std::make_unique<descriptor>(
            uninterrupted([&] { return ::open(name_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); }))) {
    if (in_->number < 0) refuse(0, "the file cannot be opened: " + system_error());
    opened_ = state();
    if (!S_ISREG(opened_.st_mode)) refuse(0, "the file cannot be read: it is no regular file");
  }

  std::string const& name() const { return name_; }
  std::uint64_t size() const { return static_cast<std::uint64_t>(opened_.st_size); }
  [[noreturn]] void refuse(std::uint64_t at, std::string const& reason) const {
    detail::refuse(name_, static_cast<std::int64_t>(at), reason);
  }

  /// Reads `count` bytes at `at`, all of them or throws.
  void read(std::uint64_t at, void* to, std::size_t count) const {
    auto* next = static_cast<std::byte*>(to);
    while (count > 0) {
      constexpr std::size_t largest = std::size_t{1} << 30;
      auto const got = uninterrupted(
          [&] { return ::pread(in_->number, next, count < largest ? count : largest, static_cast<off_t>(at)); });
      if (got < 0) refuse(at, "the file cannot be read: " + system_error());
      if (got == 0) {
        check();
        refuse(at, "the file ends " + std::to_string(count) + " bytes too early");
      }
      next += got;
      at += static_cast<std::uint64_t>(got);
      count -= static_cast<std::size_t>(got);
    }
  }

  /// Throws if the file has another size, or was written to, since it was opened; as far as its time stamps tell, which
  /// advance every few milliseconds. A file that another one has taken the name of is still read.
  void check() const {
    struct stat const now = state();
    auto const size = static_cast<std::uint64_t>(now.st_size);
    if (size != this->size())
      refuse(size < this->size() ? size : this->size(), "the file has changed: it has " + std::to_string(size) +
                                                            " bytes, and had " + std::to_string(this->size()) +
                                                            " when it was opened");
#if defined(__APPLE__)
    auto const [seconds, fraction] = now.st_mtimespec;
    bool const same = seconds == opened_.st_mtimespec.tv_sec && fraction == opened_.st_mtimespec.tv_nsec;
#else
    bool const same = now.st_mtim.tv_sec == opened_.st_mtim.tv_sec && now.st_mtim.tv_nsec == opened_.st_mtim.tv_nsec;
#endif
    if (!same) refuse(0, "the file has changed: it was written to since it was opened");
  }

 private:
  std::string name_;
  std::unique_ptr<descriptor> in_;
  struct stat opened_{};

  struct stat state() const {
    struct stat now{};
    if (::fstat(in_->number, &now) != 0) refuse(0, "the file cannot be read: " + system_error());
    return now;
  }
};

}  // namespace detail
}  // namespace io
ETCH_NAMESPACE_END

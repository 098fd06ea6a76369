// Bytes from a file, and bytes into a file that is replaced as a whole or not at all. Needs POSIX.
#pragma once

#include <etch/base/exception.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <vector>

ETCH_NAMESPACE_BEGIN
namespace io {

/// Bytes that belong to the caller, such as the content of a file.
using byte_view = std::span<std::byte const>;
/// Bytes that are owned: what is to become the content of a file.
using byte_string = std::vector<std::byte>;

namespace detail {

[[noreturn]] inline void refuse(std::string const& file, std::int64_t offset, std::string const& reason) {
  error::file_is_malformed(file, offset, reason);
}

/// Text of a file as part of a sentence: not too long, and without what a terminal would obey.
inline std::string in_quotes(std::string const& text) {
  constexpr std::size_t longest = 80;
  std::string shown = "'" + text.substr(0, longest) + (text.size() > longest ? "...'" : "'");
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  return shown;
}

/// The reason why the last call of the system failed.
inline std::string system_error() { return std::generic_category().message(errno); }

/// Calls `f` until no signal interrupts it.
inline auto uninterrupted(auto f) {
  auto result = f();
  while (result < 0 && errno == EINTR) result = f();
  return result;
}

/// An open file.
struct descriptor {
  int number;

  explicit descriptor(int opened) : number(opened) {}
  descriptor(descriptor const&) = delete;
  descriptor& operator=(descriptor const&) = delete;
  ~descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// The file that `name` leads to through links, or `name` itself where there is none yet. A link that leads nowhere
/// is refused: to write would replace it.
inline std::filesystem::path behind_links(std::string const& name) {
  std::error_code none;
  std::filesystem::path const target = std::filesystem::canonical(name, none);
  if (!none) return target;
  struct stat self{};
  if (::lstat(name.c_str(), &self) == 0 && S_ISLNK(self.st_mode))
    error::file_cannot_be_written(name, "it is a link that leads to no file: " + none.message());
  return name;
}

}  // namespace detail

/// Bytes of a file that are read as one thing, and how to refuse them.
struct section {
  byte_view bytes;
  std::string file;
  std::int64_t offset = 0;     ///< of the first byte in the file
  std::string within = {};     ///< what the bytes are, where they are not the whole file
  bool is_compressed = false;  ///< then positions in `bytes` are none in the file

  std::size_t size() const { return bytes.size(); }
  [[noreturn]] void refuse(std::size_t at, std::string const& reason) const {
    detail::refuse(file, offset + (is_compressed ? 0 : static_cast<std::int64_t>(at)),
                   within.empty() ? reason : within + ": " + reason);
  }
  /// Whether `count` bytes follow at `at`.
  bool holds(std::size_t at, std::size_t count) const { return at <= size() && count <= size() - at; }
  /// The unsigned number of `T`'s size at `at`, lowest byte first; the bytes must be there.
  template <class T>
  T number(std::size_t at) const {
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
    return static_cast<T>(value);
  }
  /// `count` bytes at `at` as text; they must be there.
  std::string text(std::size_t at, std::size_t count) const {
    return {reinterpret_cast<char const*>(bytes.data()) + at, count};
  }
};

/// Appends a number, lowest byte first, or text.
template <std::unsigned_integral T>
void append(byte_string& to, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) to.push_back(static_cast<std::byte>(value >> (8 * i) & 255));
}
inline void append(byte_string& to, byte_view bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }
inline void append(byte_string& to, std::string const& text) { append(to, std::as_bytes(std::span(text))); }

/// All bytes of a file. Throws `etch::exception` if it cannot be read, is no regular file or holds more than `most`.
/// Memory grows with what is read, whatever the system says of the size.
inline byte_string read_bytes(std::string const& file, std::size_t most) {
  auto const refuse_at = [&](std::size_t at, std::string const& reason) {
    detail::refuse(file, static_cast<std::int64_t>(at), reason);
  };
  // To open a pipe that nobody writes to waits forever, unless told not to wait.
  detail::descriptor const in(
      detail::uninterrupted([&] { return ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); }));
  if (in.number < 0) refuse_at(0, "the file cannot be opened: " + detail::system_error());
  struct stat self{};
  if (::fstat(in.number, &self) != 0) refuse_at(0, "the file cannot be read: " + detail::system_error());
  if (!S_ISREG(self.st_mode)) refuse_at(0, "the file cannot be read: it is no regular file");
  byte_string bytes;
  for (std::size_t end = 0;;) {
    constexpr std::size_t chunk = std::size_t{1} << 20;
    bytes.resize(end + chunk);
    auto const got = detail::uninterrupted([&] { return ::read(in.number, bytes.data() + end, chunk); });
    if (got < 0) refuse_at(end, "the file cannot be read: " + detail::system_error());
    end += static_cast<std::size_t>(got);
    if (end > most)
      refuse_at(most, "the file goes on, although it may have " + std::to_string(most) + " bytes at most");
    if (got == 0) return bytes.resize(end), bytes;
  }
}

/// Makes `bytes` the contents of `file`: they are written to a new file beside it, flushed to the disk, and the
/// new file takes the old one's name and permissions. Throws `etch::exception` if that fails; the old file is
/// then as it was, and the new one is removed.
inline void replace_file(std::string const& file, byte_view bytes) {
  std::filesystem::path const target = detail::behind_links(file);
  struct stat old{};
  bool const exists = ::stat(target.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) error::file_cannot_be_written(file, "it is no regular file");

  std::string temporary;
  detail::descriptor out(-1);
  for (int attempt = 0; out.number < 0 && attempt < 100; ++attempt) {
    temporary = target.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".part";
    out.number = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out.number < 0 && errno != EEXIST && errno != EINTR) break;
  }
  if (out.number < 0) error::file_cannot_be_written(file, detail::system_error());
  auto const check = [&](bool fine) {
    if (fine) return;
    std::string const reason = detail::system_error();
    ::unlink(temporary.c_str());
    error::file_cannot_be_written(file, reason);
  };
  if (exists) check(::fchmod(out.number, old.st_mode & 0777) == 0);
  while (!bytes.empty()) {
    constexpr std::size_t largest = std::size_t{1} << 30;
    auto const put = detail::uninterrupted(
        [&] { return ::write(out.number, bytes.data(), bytes.size() < largest ? bytes.size() : largest); });
    check(put > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  check(detail::uninterrupted([&] { return ::fsync(out.number); }) == 0);
  int const finished = out.number;
  out.number = -1;
  check(::close(finished) == 0);
  check(::rename(temporary.c_str(), target.c_str()) == 0);
  // The name is on the disk once the folder is. Some folders cannot be opened, and some systems flush none.
  std::filesystem::path const folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  detail::descriptor const directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number >= 0) detail::uninterrupted([&] { return ::fsync(directory.number); });
}

}  // namespace io
ETCH_NAMESPACE_END

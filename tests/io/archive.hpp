// Archives for tests, with any field of any entry as the test wants it.
#pragma once

#include "files.hpp"

#include <etch/io/zip.hpp>

#include <optional>
#include <vector>

namespace files {

/// An entry as it is to be written; what is left out follows from its contents.
struct archived {
  std::string name;
  etch::io::byte_string contents;
  bool deflated = false;
  bool zip64 = false;  ///< sizes in the header's extra field, as numpy writes them
  std::uint16_t flags = 0;
  std::optional<std::uint16_t> method = {};
  std::optional<std::uint32_t> checksum = {}, size = {}, packed_size = {}, offset = {};
  std::optional<std::string> local_name = {};
  std::string other_field = {};  ///< an extra field more
};

/// The bytes of the file for some contents.
inline etch::io::byte_string deflated(etch::io::byte_view bytes) {
  etch::io::byte_string packed(bytes.size() + 1000);
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline etch::io::byte_string archive(std::vector<archived> const& entries, std::string const& comment = "") {
  using namespace etch::io;
  byte_string bytes, directory;
  auto const half = [](byte_string& to, std::size_t n) { append(to, static_cast<std::uint16_t>(n)); };
  auto const word = [](byte_string& to, std::size_t n) { append(to, static_cast<std::uint32_t>(n)); };
  for (archived const& e : entries) {
    byte_string const packed = e.deflated ? deflated(e.contents) : e.contents;
    std::size_t const at = e.offset.value_or(static_cast<std::uint32_t>(bytes.size()));
    std::size_t const checksum = e.checksum.value_or(etch::io::detail::zip_checksum(e.contents));
    std::size_t const size = e.size.value_or(static_cast<std::uint32_t>(e.contents.size())),
                      packed_size = e.packed_size.value_or(static_cast<std::uint32_t>(packed.size()));
    auto const common = [&](byte_string& to, bool elsewhere) {
      half(to, e.zip64 ? 45 : 20), half(to, e.flags), half(to, e.method.value_or(e.deflated ? 8 : 0)), half(to, 0),
          half(to, 33);
      word(to, checksum), word(to, elsewhere ? 0xffffffff : packed_size), word(to, elsewhere ? 0xffffffff : size);
    };
    std::string const local_name = e.local_name.value_or(e.name);
    byte_string extra = bytes_of_text(e.other_field);
    if (e.zip64)
      half(extra, 1), half(extra, 16), append(extra, std::uint64_t{size}), append(extra, std::uint64_t{packed_size});
    append(bytes, std::uint32_t{0x04034b50});
    common(bytes, e.zip64);
    half(bytes, local_name.size()), half(bytes, extra.size());
    append(bytes, local_name), append(bytes, extra), append(bytes, packed);
    append(directory, std::uint32_t{0x02014b50});
    half(directory, 45);
    common(directory, false);
    half(directory, e.name.size()), half(directory, 0), half(directory, 0), half(directory, 0), half(directory, 0);
    word(directory, 0), word(directory, at);
    append(directory, e.name);
  }
  std::size_t const begin = bytes.size();
  append(bytes, directory);
  append(bytes, std::uint32_t{0x06054b50});
  half(bytes, 0), half(bytes, 0), half(bytes, entries.size()), half(bytes, entries.size());
  word(bytes, directory.size()), word(bytes, begin), half(bytes, comment.size());
  append(bytes, comment);
  return bytes;
}

}  // namespace files

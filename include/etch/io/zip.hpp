// zip archives as numpy makes them: entries stored or deflated, one after the other without gaps. Needs zlib (link with
// -lz). Format: PKWARE, APPNOTE.TXT - .ZIP File Format Specification, 6.3.10.
#pragma once

#include <etch/io/file.hpp>

#include <zlib.h>

ETCH_NAMESPACE_BEGIN
namespace io {

/// An entry of an archive, its bytes as they stand there.
struct zip_entry {
  std::string name;
  section packed;
  std::size_t size = 0;  ///< when unpacked
  std::uint32_t checksum = 0;
  bool is_deflated = false;
};

namespace detail {

inline constexpr std::uint32_t zip_local = 0x04034b50, zip_central = 0x02014b50, zip_end = 0x06054b50;
inline constexpr std::size_t zip_local_bytes = 30, zip_central_bytes = 46, zip_end_bytes = 22;
inline constexpr std::uint32_t zip_elsewhere = 0xffffffff;  // a size that stands in the zip64 field
inline constexpr std::size_t most_zip_bytes = 0xfffffffe;
/// 2.0: deflate and folders; 1 January 1980, so that equal models are equal files.
inline constexpr std::uint16_t zip_version = 20, zip_date = 0x21;
inline constexpr std::uint16_t zip_utf8 = 0x800;  // names are UTF-8

inline std::uint32_t zip_checksum(byte_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<Bytef const*>(bytes.data()), bytes.size()));
}

/// The sizes in the header of an entry: packed and unpacked. Python writes those of an entry begun before its size was
/// known into an extra field, which begins at `extra`.
inline std::array<std::uint64_t, 2> local_sizes(section const& s, std::size_t at, std::size_t extra, std::size_t end) {
  std::array<std::uint64_t, 2> const sizes{s.number<std::uint32_t>(at + 18), s.number<std::uint32_t>(at + 22)};
  if (sizes[0] != zip_elsewhere && sizes[1] != zip_elsewhere) return sizes;
  while (end - extra >= 4) {
    std::size_t const length = s.number<std::uint16_t>(extra + 2);
    if (end - extra - 4 < length) break;
    if (s.number<std::uint16_t>(extra) == 1 && length >= 16)
      return {s.number<std::uint64_t>(extra + 12), s.number<std::uint64_t>(extra + 4)};
    extra += 4 + length;
  }
  s.refuse(at, "the entry's sizes are not in its zip64 field");
}

/// Reads the entry whose record in the directory is at `record`, and whose header must be at `at`; sets `record`
/// and `at` to where the next ones are.
inline zip_entry read_zip_entry(section const& s, std::size_t& record, std::size_t& at, std::size_t directory,
                                std::size_t end) {
  if (end - record < zip_central_bytes || s.number<std::uint32_t>(record) != zip_central)
    s.refuse(record, "the directory ends too early");
  std::size_t const name_bytes = s.number<std::uint16_t>(record + 28),
                    record_bytes = zip_central_bytes + name_bytes + s.number<std::uint16_t>(record + 30) +
                                   s.number<std::uint16_t>(record + 32);
  if (end - record < record_bytes) s.refuse(record, "the directory ends inside an entry");
  zip_entry e;
  e.name = s.text(record + zip_central_bytes, name_bytes);
  unsigned const flags = s.number<std::uint16_t>(record + 8), method = s.number<std::uint16_t>(record + 10);
  constexpr unsigned harmless = 0x806;  // how hard deflate tried, and names in UTF-8
  if ((flags & ~harmless) != 0)
    s.refuse(record + 8, "entry " + in_quotes(e.name) + " is encrypted, or its sizes follow its data");
  if (method != 0 && method != 8)
    s.refuse(record + 10, "entry " + in_quotes(e.name) + " is packed by method " + std::to_string(method) +
                              ", not stored or deflated");
  e.is_deflated = method == 8;
  e.checksum = s.number<std::uint32_t>(record + 16);
  std::size_t const packed = s.number<std::uint32_t>(record + 20);
  e.size = s.number<std::uint32_t>(record + 24);
  if (s.number<std::uint32_t>(record + 42) != at)
    s.refuse(record + 42, "entry " + in_quotes(e.name) + " does not begin where the one before it ends");

  // The header must say the same as the directory.
  auto const holds = [&](std::size_t from, std::size_t bytes) {
    return from <= directory && bytes <= directory - from;
  };
  if (!holds(at, zip_local_bytes) || s.number<std::uint32_t>(at) != zip_local)
    s.refuse(at, "entry " + in_quotes(e.name) + " has no header");
  std::size_t const extra = at + zip_local_bytes + s.number<std::uint16_t>(at + 26),
                    data = extra + s.number<std::uint16_t>(at + 28);
  if (!holds(at, data - at) || !holds(data, packed))
    s.refuse(at, "entry " + in_quotes(e.name) + " goes on after the last entry's end");
  if (extra - at - zip_local_bytes != name_bytes || s.text(at + zip_local_bytes, name_bytes) != e.name ||
      s.number<std::uint16_t>(at + 6) != flags || s.number<std::uint16_t>(at + 8) != method ||
      s.number<std::uint32_t>(at + 14) != e.checksum ||
      local_sizes(s, at, extra, data) != std::array<std::uint64_t, 2>{packed, e.size})
    s.refuse(at, "the header of entry " + in_quotes(e.name) + " differs from the directory");
  e.packed = {s.bytes.subspan(data, packed), s.file, s.offset + static_cast<std::int64_t>(data),
              "entry " + in_quotes(e.name), e.is_deflated};
  at = data + packed;
  record += record_bytes;
  return e;
}

}  // namespace detail

/// The entries of an archive, of which there may be `most`. Throws `etch::exception` unless they stand in the order of
/// the directory, and they, the directory and its end make up the whole file.
inline std::vector<zip_entry> read_zip(section const& s, std::size_t most) {
  using namespace detail;
  if (s.size() < zip_end_bytes) s.refuse(s.size(), "the file ends inside the end of an archive");
  std::size_t const end = s.size() - zip_end_bytes;
  if (s.number<std::uint32_t>(end) != zip_end)
    s.refuse(end, "the file does not end as an archive without a comment does");
  std::size_t const count = s.number<std::uint16_t>(end + 10), bytes = s.number<std::uint32_t>(end + 12),
                    directory = s.number<std::uint32_t>(end + 16);
  if (s.number<std::uint32_t>(end + 4) != 0 || s.number<std::uint16_t>(end + 8) != count ||
      s.number<std::uint16_t>(end + 20) != 0)
    s.refuse(end, "the archive has several parts or a comment");
  if (directory > end || bytes != end - directory)
    s.refuse(end + 12, "the directory does not end where the archive's end begins");
  if (count > most)
    s.refuse(end + 10,
             "the archive has " + std::to_string(count) + " entries; it may have " + std::to_string(most) + " at most");
  std::vector<zip_entry> entries;
  std::size_t record = directory, at = 0;
  for (std::size_t i = 0; i < count; ++i) entries.push_back(read_zip_entry(s, record, at, directory, end));
  if (at != directory) s.refuse(at, "the archive has bytes that belong to no entry");
  if (record != end) s.refuse(record, "the directory has bytes that belong to no entry");
  return entries;
}

/// The contents of an entry, in `storage` where they are packed. The caller has found `e.size`
/// to be no more than it should be.
inline section unpack(zip_entry const& e, byte_string& storage) {
  section contents = e.packed;
  if (e.is_deflated) {
    storage.resize(e.size);
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(e.packed.bytes.data()));
    stream.avail_in = static_cast<uInt>(e.packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(storage.data());
    stream.avail_out = static_cast<uInt>(e.size);
    bool const began = inflateInit2(&stream, -MAX_WBITS) == Z_OK;
    bool const whole =
        began && inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
    if (began) inflateEnd(&stream);
    if (!whole)
      e.packed.refuse(0,
                      "the packed bytes do not give the " + std::to_string(e.size) + " bytes that the directory names");
    contents.bytes = storage;
  } else if (e.packed.size() != e.size) {
    e.packed.refuse(0, "a stored entry has two different sizes");
  }
  if (detail::zip_checksum(contents.bytes) != e.checksum)
    e.packed.refuse(0, "the checksum differs from that of the entry's bytes");
  return contents;
}

/// Makes an archive of stored entries.
class zip_writer {
 public:
  /// Adds an entry that consists of two parts.
  void add(std::string const& name, byte_view header, byte_view data) {
    if (bytes_.size() + header.size() + data.size() > detail::most_zip_bytes || count_ == 0xffff)
      error::raise("a zip archive holds less than 4 GiB and less than 65,536 entries");
    std::uint32_t checksum = detail::zip_checksum(header);
    checksum = static_cast<std::uint32_t>(crc32_z(checksum, reinterpret_cast<Bytef const*>(data.data()), data.size()));
    byte_string common;
    for (std::uint16_t word :
         {detail::zip_version, detail::zip_utf8, std::uint16_t{0}, std::uint16_t{0}, detail::zip_date})
      append(common, word);
    auto const size = static_cast<std::uint32_t>(header.size() + data.size());
    for (std::uint32_t word : {checksum, size, size}) append(common, word);
    append(common, static_cast<std::uint16_t>(name.size()));
    append(common, std::uint16_t{0});

    append(directory_, detail::zip_central);
    append(directory_, static_cast<std::uint16_t>(3 << 8 | detail::zip_version));  // made where files have permissions
    append(directory_, common);
    for (int i = 0; i < 3; ++i) append(directory_, std::uint16_t{0});
    append(directory_, std::uint32_t{0644} << 16);
    append(directory_, static_cast<std::uint32_t>(bytes_.size()));
    append(directory_, name);

    append(bytes_, detail::zip_local);
    append(bytes_, common);
    append(bytes_, name);
    append(bytes_, header);
    append(bytes_, data);
    ++count_;
  }
  /// The archive.
  byte_string finish() {
    auto const directory = static_cast<std::uint32_t>(bytes_.size());
    append(bytes_, directory_);
    append(bytes_, detail::zip_end);
    append(bytes_, std::uint32_t{0});
    for (int i = 0; i < 2; ++i) append(bytes_, count_);
    append(bytes_, static_cast<std::uint32_t>(directory_.size()));
    append(bytes_, directory);
    append(bytes_, std::uint16_t{0});
    return std::move(bytes_);
  }

 private:
  byte_string bytes_, directory_;
  std::uint16_t count_ = 0;
};

}  // namespace io
ETCH_NAMESPACE_END

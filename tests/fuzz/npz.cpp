#include "property.hpp"

#include <etch/io/npz.hpp>

#include <algorithm>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace fuzz;
  byte_view const bytes = std::as_bytes(std::span(data, size));
  auto const save = [](auto const& m) { return io::to_npz(m); };
  auto const load = [](byte_view b, auto& m) { io::from_npz(b, m); };
  bool const fits = holds_for<model>(bytes, load, save);
  holds_for<part<float>>(bytes, load, save);
  bool const fits_program = holds_for<model>(
      bytes, [](byte_view b, model& m) { io::from_npz(b, m, 12345); },
      [](model const& m) { return io::to_npz(m, 12345); });
  require(fits || !fits_program, "a file is refused without a hash and read with one");
  return 0;
}

namespace {

std::size_t number(std::uint8_t const* from, int bytes) {
  std::size_t n = 0;
  for (int i = bytes; i-- > 0;) n = n << 8 | from[i];
  return n;
}
void put(std::uint8_t* to, std::size_t n, int bytes) {
  for (int i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(n >> (8 * i));
}

/// Makes the checksums of all entries right again, as far as there are any, so that not each change ends at them.
void mend_checksums(std::uint8_t* data, std::size_t size) {
  if (size < 22) return;
  std::size_t record = number(data + size - 6, 4);
  for (int i = 0; i < 20 && record < size - 22 && size - 22 - record >= 46; ++i) {
    std::size_t const packed = number(data + record + 20, 4), at = number(data + record + 42, 4);
    if (at > size || size - at < 30) return;
    std::size_t const entry = at + 30 + number(data + at + 26, 2) + number(data + at + 28, 2);
    if (entry > size || size - entry < packed) return;
    std::vector<Bytef> contents(data + entry, data + entry + packed);
    if (number(data + record + 10, 2) == 8) {
      contents.resize(std::min<std::size_t>(number(data + record + 24, 4), 1 << 16));
      z_stream stream{};
      stream.next_in = data + entry, stream.avail_in = static_cast<uInt>(packed);
      stream.next_out = contents.data(), stream.avail_out = static_cast<uInt>(contents.size());
      if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return;
      inflate(&stream, Z_FINISH);
      contents.resize(stream.total_out);
      inflateEnd(&stream);
    }
    std::size_t const checksum = crc32_z(0, contents.data(), contents.size());
    put(data + record + 16, checksum, 4);
    put(data + at + 14, checksum, 4);
    record += 46 + number(data + record + 28, 2) + number(data + record + 30, 2) + number(data + record + 32, 2);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::size_t const changed = LLVMFuzzerMutate(data, size, most);
  if (seed % 4 != 0) mend_checksums(data, changed);
  return changed;
}

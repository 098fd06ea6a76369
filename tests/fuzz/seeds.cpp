// Writes the files that each fuzzer begins with: usage seeds FOLDER.
#include "property.hpp"

#include <etch/io/csv.hpp>
#include <etch/io/npz.hpp>
#include <etch/io/safetensors.hpp>

namespace {

using namespace fuzz;

byte_string of_text(std::string const& text) {
  byte_string bytes;
  io::append(bytes, text);
  return bytes;
}

/// The same archive with its entries deflated, as numpy.savez_compressed makes it.
byte_string deflated(byte_view archive) {
  byte_string bytes, directory;
  std::vector<io::zip_entry> const entries = io::read_zip({archive, "npz"}, 100);
  auto const half = [](byte_string& to, std::size_t n) { io::append(to, static_cast<std::uint16_t>(n)); };
  auto const word = [](byte_string& to, std::size_t n) { io::append(to, static_cast<std::uint32_t>(n)); };
  for (io::zip_entry const& e : entries) {
    std::vector<Bytef> packed(e.size + 1000);
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(e.packed.bytes.data())),
    stream.avail_in = static_cast<uInt>(e.size);
    stream.next_out = packed.data(), stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    std::size_t const at = bytes.size();
    auto const common = [&](byte_string& to, bool elsewhere) {
      half(to, 45), half(to, 0), half(to, 8), word(to, 0x210000), word(to, e.checksum);
      word(to, elsewhere ? 0xffffffff : packed.size()), word(to, elsewhere ? 0xffffffff : e.size),
          half(to, e.name.size());
    };
    word(bytes, 0x04034b50), common(bytes, true), half(bytes, 20), io::append(bytes, e.name);
    half(bytes, 1), half(bytes, 16), io::append(bytes, std::uint64_t{e.size}),
        io::append(bytes, std::uint64_t{packed.size()});
    io::append(bytes, std::as_bytes(std::span(packed)));
    word(directory, 0x02014b50), half(directory, 45), common(directory, false);
    for (int i = 0; i < 4; ++i) half(directory, 0);
    word(directory, 0), word(directory, at), io::append(directory, e.name);
  }
  std::size_t const begin = bytes.size();
  io::append(bytes, directory);
  word(bytes, 0x06054b50), word(bytes, 0), half(bytes, entries.size()), half(bytes, entries.size());
  word(bytes, directory.size()), word(bytes, begin), half(bytes, 0);
  return bytes;
}

}  // namespace

int main(int, char** arguments) {
  std::filesystem::path const folder = arguments[1];
  auto const save = [&](char const* format, char const* name, byte_view bytes) {
    std::filesystem::create_directories(folder / format);
    io::replace_file((folder / format / name).string(), bytes);
  };
  model const m = filled<model>();
  model again{};
  io::from_npz(deflated(io::to_npz(m)), again);
  require(memory_of(again) == memory_of(m), "a seed is no file that can be read");
  save("npy", "matrix", io::to_npy(filled<tensor<float, 2, 3>>()));
  save("npy", "transposed", io::to_npy(filled<Eigen::Matrix<float, 2, 3, Eigen::RowMajor>>()));
  save("npy", "booleans", io::to_npy(tensor<bool, 3>{true, false, true}));
  save("npy", "bits", io::to_npy(tensor<bool, 2, 3>{true, false, true}));
  save("npy", "number", io::to_npy(2.5));
  save("npz", "model", io::to_npz(m));
  save("npz", "program", io::to_npz(m, 12345));
  save("npz", "part", io::to_npz(filled<part<float>>()));
  save("npz", "deflated", deflated(io::to_npz(m, 12345)));
  save("npz", "deflated_part", deflated(io::to_npz(filled<part<float>>())));
  save("safetensors", "model", io::to_safetensors(m));
  save("safetensors", "program", io::to_safetensors(m, 12345));
  save("safetensors", "part", io::to_safetensors(filled<part<float>>()));
  save("csv", "integers", io::to_csv(filled<tensor<int, 2, 2>>(), {"a", "b"}));
  save("csv", "bits", io::to_csv(tensor<bool, 3>{true, false, true}));
  save("csv", "fractions", of_text("a,\"b, \"\"c\"\"\"\r\n-1.5e-300,\" +2\"\r\ninf,nan\r\n"));
  save("idx", "labels",
       of_text(std::string("\0\0\x08\x01\0\0\0\x03"
                           "abc",
                           11)));
  save("idx", "images",
       of_text(std::string("\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x01"
                           "abcd",
                           20)));
  std::string const packed = (folder / "idx" / "packed").string();
  gzFile const file = gzopen(packed.c_str(), "wb");
  gzwrite(file,
          "\0\0\x08\x01\0\0\0\x03"
          "abc",
          11);
  return gzclose(file) == Z_OK ? 0 : 1;
}

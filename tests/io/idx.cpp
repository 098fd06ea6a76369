#include <etch/io/idx.hpp>

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace {

using namespace etch;
namespace fs = std::filesystem;
using bytes = std::vector<std::uint8_t>;

/// A directory of this test's own, removed at its end.
struct temporary_directory {
  fs::path path;
  temporary_directory() {
    static int count = 0;
    path = fs::temp_directory_path() / ("etch_idx_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    fs::create_directories(path);
  }
  temporary_directory(temporary_directory const&) = delete;
  temporary_directory& operator=(temporary_directory const&) = delete;
  ~temporary_directory() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }

  std::string plain(std::string const& name, bytes const& contents) const {
    std::ofstream file(path / name, std::ios::binary);
    for (std::uint8_t b : contents) file.put(static_cast<char>(b));
    REQUIRE(file.good());
    return (path / name).string();
  }
  std::string gzipped(std::string const& name, bytes const& contents, char const* mode = "wb") const {
    gzFile const file = gzopen((path / name).c_str(), mode);
    REQUIRE(file != nullptr);
    REQUIRE(gzwrite(file, contents.data(), static_cast<unsigned>(contents.size())) ==
            static_cast<int>(contents.size()));
    REQUIRE(gzclose(file) == Z_OK);
    return (path / name).string();
  }
  bytes read(std::string const& file) const {
    std::ifstream in(file, std::ios::binary);
    return bytes(std::istreambuf_iterator<char>(in), {});
  }
};

void append_big_endian(bytes& to, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::uint8_t>(number >> shift));
}
bytes header(std::vector<std::uint32_t> const& extents, std::uint32_t type = 8) {
  bytes h;
  append_big_endian(h, type << 8 | static_cast<std::uint32_t>(extents.size()));
  for (std::uint32_t e : extents) append_big_endian(h, e);
  return h;
}
/// Entries without a period that a chunk could share.
bytes entries(std::size_t count) {
  bytes e(count);
  std::uint32_t state = 1;
  for (std::uint8_t& b : e) b = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
  return e;
}
bytes joined(bytes a, bytes const& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The text of the refusal of `f`; empty if `f` goes through.
std::string refusal(auto f) {
  try {
    f();
  } catch (etch::exception const& e) {
    return e.what();
  }
  return {};
}
/// Checks that reading `file` is refused, and that the text names file, offset and reason.
void check_refused(std::string const& file, int rank, std::int64_t offset, std::string const& reason) {
  std::string const text = refusal([&] { io::read_idx(file, rank); });
  CAPTURE(text);
  CHECK(text.starts_with("etch: " + file + ": at byte " + std::to_string(offset) + ": "));
  CHECK(text.find(reason) != std::string::npos);
}

TEST_CASE("what is written is read, plain or compressed, of one extent or more") {
  temporary_directory const here;
  bytes const small = entries(24);
  for (auto const& extents : {std::vector<std::uint32_t>{24}, std::vector<std::uint32_t>{2, 3, 4},
                              std::vector<std::uint32_t>{1, 24, 1}, std::vector<std::uint32_t>{3, 2, 2, 2}}) {
    bytes const contents = joined(header(extents), small);
    for (std::string const& file : {here.plain("plain", contents), here.gzipped("compressed.gz", contents)}) {
      io::idx_array const a = io::read_idx(file, static_cast<int>(extents.size()));
      CHECK(a.entries == small);
      CHECK(std::equal(a.extent.begin(), a.extent.end(), extents.begin(), extents.end(),
                       [](int x, std::uint32_t y) { return x == static_cast<int>(y); }));
    }
  }
}

TEST_CASE("files longer than one read come whole") {
  temporary_directory const here;
  for (std::uint32_t const count : {(1u << 20) - 1, 1u << 20, (1u << 20) + 1, 3u << 20}) {
    bytes const large = entries(count);
    CHECK(io::read_idx(here.plain("large", joined(header({count}), large)), 1).entries == large);
  }
  bytes const large = entries(2500000);
  CHECK(io::read_idx(here.gzipped("large.gz", joined(header({100, 25000}), large)), 2).entries == large);
}

TEST_CASE("a file that does not exist, is empty or is a directory is refused") {
  temporary_directory const here;
  check_refused((here.path / "nowhere").string(), 1, 0, "cannot be opened");
  check_refused(here.plain("empty", {}), 1, 0, "ends inside the magic number, 4 bytes");
  CHECK(refusal([&] {
          io::read_idx(here.path.string(), 1);
        }).starts_with("etch: " + here.path.string() + ": at byte 0: "));
}

TEST_CASE("another magic number is refused: type, rank or byte order") {
  temporary_directory const here;
  bytes const body = entries(12);
  check_refused(here.plain("floats", joined(header({12}, 0x0d), body)), 1, 0, "magic number is 3329, not 2049");
  check_refused(here.plain("images", joined(header({12}), body)), 3, 0, "magic number is 2049, not 2051");
  check_refused(here.plain("reversed", joined({1, 8, 0, 0, 0, 0, 0, 12}, body)), 1, 0, "magic number");
  check_refused(here.plain("text", {'P', '5', ' ', '2', '8'}), 1, 0, "magic number");
  check_refused(here.gzipped("compressed.gz", joined(header({12}), body)), 2, 0,
                "magic number is 2049, not 2050 (unsigned bytes, 2 extents)");
}

TEST_CASE("a file cut anywhere is refused at the place where it ends") {
  temporary_directory const here;
  bytes const whole = joined(header({2, 2, 3}), entries(12));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    bytes const part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    char const* const where = length < 4    ? "the file ends inside the magic number"
                              : length < 16 ? "the file ends inside the header"
                                            : "the file ends inside the entries";
    check_refused(here.plain("cut", part), 3, static_cast<std::int64_t>(length), where);
    check_refused(here.gzipped("cut.gz", part), 3, static_cast<std::int64_t>(length), where);
  }
  check_refused(here.plain("cut", bytes(whole.begin(), whole.end() - 5)), 3, 23, "ends inside the entries, 5 bytes");
}

TEST_CASE("a file cut in a later chunk is refused at the place where it ends") {
  temporary_directory const here;
  constexpr std::uint32_t count = (2u << 20) + 100;
  bytes whole = joined(header({count}), entries(count));
  whole.resize(whole.size() - 7);
  check_refused(here.plain("cut", whole), 1, static_cast<std::int64_t>(whole.size()),
                "ends inside the entries, 7 bytes");
}

TEST_CASE("a file that goes on after its entries is refused") {
  temporary_directory const here;
  bytes const whole = joined(header({12}), entries(12)), longer = joined(whole, {0});
  check_refused(here.plain("long", longer), 1, 20, "goes on after its last entry");
  check_refused(here.gzipped("long.gz", longer), 1, 20, "goes on after its last entry");
  std::string const file = here.gzipped("two_members.gz", whole);
  here.gzipped("two_members.gz", {1, 2, 3}, "ab");
  check_refused(file, 1, 20, "goes on after its last entry");
}

TEST_CASE("a compressed file whose bytes were changed is refused") {
  temporary_directory const here;
  bytes const whole = joined(header({40, 50}), entries(2000));
  std::string const file = here.gzipped("whole.gz", whole);
  bytes const packed = here.read(file);
  REQUIRE(packed.size() > 1000);
  for (std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{10}, std::size_t{12},
                         std::size_t{500}, packed.size() - 8, packed.size() - 5, packed.size() - 1}) {
    CAPTURE(at);
    bytes damaged = packed;
    damaged[at] ^= 0x55;
    std::string const name = here.plain("damaged.gz", damaged);
    std::string const text = refusal([&] { io::read_idx(name, 2); });
    CHECK(text.starts_with("etch: " + name + ": at byte "));
    if (at >= 500) CHECK(text.find("the file cannot be read: ") != std::string::npos);
  }
}

TEST_CASE("a compressed file cut inside its data is refused") {
  temporary_directory const here;
  bytes const packed = here.read(here.gzipped("whole.gz", joined(header({40, 50}), entries(2000))));
  for (std::size_t length :
       {std::size_t{1}, std::size_t{9}, std::size_t{10}, std::size_t{11}, std::size_t{700}, packed.size() - 30}) {
    CAPTURE(length);
    bytes const part(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(length));
    std::string const name = here.plain("cut.gz", part);
    CHECK(refusal([&] { io::read_idx(name, 2); }).starts_with("etch: " + name + ": at byte "));
  }
}

TEST_CASE("a compressed file cut inside its check sum is refused") {
  temporary_directory const here;
  bytes const packed = here.read(here.gzipped("whole.gz", joined(header({40, 50}), entries(2000))));
  for (std::size_t missing = 1; missing <= 8; ++missing) {
    CAPTURE(missing);
    std::string const name =
        here.plain("cut.gz", bytes(packed.begin(), packed.end() - static_cast<std::ptrdiff_t>(missing)));
    CHECK(refusal([&] { io::read_idx(name, 2); }).starts_with("etch: " + name + ": at byte "));
  }
}

TEST_CASE("extents of zero or beyond 2 GiB are refused where they stand") {
  temporary_directory const here;
  check_refused(here.plain("zero", header({0})), 1, 4, "extent 0 is 0; extents are at least 1");
  check_refused(here.plain("zero", joined(header({5, 0, 5}), entries(25))), 3, 8, "extent 1 is 0");
  check_refused(here.plain("huge", header({0xffffffffu})), 1, 4, "extent 0 is 4294967295");
  check_refused(here.plain("huge", header({65536, 65536, 65536})), 3, 8, "extent 1 is 65536");
  check_refused(here.plain("huge", header({3, 3, 0x40000000u})), 3, 12, "less than 2 GiB");
}

TEST_CASE("an extent of exactly 2 GiB is refused: it is no int") {
  temporary_directory const here;
  check_refused(here.plain("huge", header({0x80000000u})), 1, 4, "less than 2 GiB");
  check_refused(here.plain("huge", header({0x10000u, 0x8000u})), 2, 8, "less than 2 GiB");
}

/// The largest amount of memory, in KiB, of a child process that runs `f`; its own, whatever this process had before.
long peak_memory_of(auto f) {
  pid_t const child = fork();
  if (child == 0) {
    f();
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  REQUIRE(wait4(child, &status, 0, &usage) == child);
  CHECK(status == 0);
  return usage.ru_maxrss;
}

TEST_CASE("memory follows what the file holds, not what its header claims") {
  temporary_directory const here;
  std::string const plain = here.plain("claims", joined(header({1u << 30}), entries(100)));
  std::string const gzipped = here.gzipped("claims.gz", joined(header({1000, 1000, 1000}), entries(10)));
  check_refused(plain, 1, 108, "the file ends inside the entries");
  check_refused(gzipped, 3, 26, "the file ends inside the entries");
  long const idle = peak_memory_of([] {});
  long const reading = peak_memory_of([&] {
    refusal([&] { io::read_idx(plain, 1); });
    refusal([&] { io::read_idx(gzipped, 3); });
  });
  CHECK(reading - idle < 64 * 1024);
}

TEST_CASE("images and labels are read together") {
  temporary_directory const here;
  bytes const pixels = entries(3 * 4 * 5);
  std::string const images = here.plain("images", joined(header({3, 4, 5}), pixels)),
                    labels = here.gzipped("labels.gz", joined(header({3}), {9, 0, 4}));
  io::labelled_images const all = io::read_labelled_images(images, labels, 10);
  CHECK(all.count == 3);
  CHECK(all.height == 4);
  CHECK(all.width == 5);
  CHECK(all.pixels == pixels);
  CHECK(all.labels == bytes{9, 0, 4});
}

TEST_CASE("labels that are no class, or of another number than the images, are refused") {
  temporary_directory const here;
  std::string const images = here.plain("images", joined(header({3, 1, 2}), entries(6)));
  auto const text_of = [&](std::string const& labels, int classes) {
    return refusal([&] { io::read_labelled_images(images, labels, classes); });
  };
  std::string const labels = here.plain("labels", joined(header({3}), {9, 0, 4}));
  CHECK(text_of(labels, 9) == "etch: " + labels + ": at byte 8: label 9 is not below 9");
  CHECK(text_of(here.plain("labels", joined(header({3}), {0, 4, 10})), 10) ==
        "etch: " + labels + ": at byte 10: label 10 is not below 10");
  std::string const fewer = text_of(here.plain("labels", joined(header({2}), {0, 4})), 10);
  CHECK(fewer.starts_with("etch: " + labels + ": at byte 4: the number of labels is 2"));
  CHECK(fewer.find(images) != std::string::npos);
  CHECK(fewer.find(" 3") != std::string::npos);
  CHECK(text_of(images, 10).starts_with("etch: " + images + ": at byte 0: the magic number is 2051, not 2049"));
  CHECK(text_of(here.plain("labels", joined(header({3}), {0, 4, 9})), 10).empty());
}

TEST_CASE("the test set of MNIST is what its makers published") {
  char const* const shared = std::getenv("ETCH_SHARED");
  fs::path const folder = fs::path(shared != nullptr ? shared : "") / "data" / "mnist";
  if (shared == nullptr || !fs::exists(folder / "t10k-images-idx3-ubyte.gz")) {
    MESSAGE("skipped: $ETCH_SHARED/data/mnist/t10k-images-idx3-ubyte.gz is not there");
    return;
  }
  io::labelled_images const all = io::read_labelled_images((folder / "t10k-images-idx3-ubyte.gz").string(),
                                                           (folder / "t10k-labels-idx1-ubyte.gz").string(), 10);
  REQUIRE(all.count == 10000);
  CHECK(all.width == 28);
  CHECK(all.height == 28);
  REQUIRE(all.pixels.size() == 10000u * 28 * 28);
  REQUIRE(all.labels.size() == 10000);
  CHECK(std::equal(all.labels.begin(), all.labels.begin() + 10, std::array{7, 2, 1, 0, 4, 1, 4, 9, 5, 9}.begin()));
  std::array<int, 10> histogram{};
  for (std::uint8_t l : all.labels) ++histogram[l];
  CHECK(std::accumulate(histogram.begin(), histogram.end(), 0) == 10000);
  CHECK(histogram == std::array{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009});
  double const mean = static_cast<double>(std::accumulate(all.pixels.begin(), all.pixels.end(), std::int64_t{0})) /
                      (255.0 * 10000 * 28 * 28);
  CHECK(mean == doctest::Approx(0.1325).epsilon(0.001));
}

}  // namespace

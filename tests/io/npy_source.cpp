#include <etch/io/npy_source.hpp>

#include "files.hpp"

#include <cstdio>

namespace {

using namespace files;

/// An array of float whose entries count up as they lie in the file.
byte_string npy(std::string const& shape, bool fortran, std::size_t entries, std::string const& type = "<f4") {
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
  byte_string b;
  io::append(b, std::string("\x93NUMPY\x01", 7) + '\0');
  io::append(b, static_cast<std::uint16_t>(text.size()));
  io::append(b, text);
  for (std::size_t i = 0; i < entries; ++i) {
    float const x = static_cast<float>(i);
    io::append(b, std::as_bytes(std::span(&x, 1)));
  }
  return b;
}

template <class Source>
auto example_of(Source& s, std::int64_t i) {
  typename Source::example x;
  s.read(i, x.data());
  return x;
}

TEST_CASE("examples along the first axis, as numpy has them") {
  folder const f;
  write(f / "x", npy("(5, 2, 3)", false, 30));
  io::npy_source<float, 2, 3> source(f / "x");
  CHECK(source.count() == 5);
  for (int n : {4, 0, 3})
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) CHECK(example_of(source, n)(i, j) == static_cast<float>(6 * n + 3 * i + j));
  io::npy_source<float, 3, 2> reversed(f / "x", {.reversed = true});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) CHECK(example_of(reversed, 2)(j, i) == static_cast<float>(12 + 3 * i + j));
  write(f / "vectors", npy("(4, 3)", false, 12));
  io::npy_source<float, 3> vectors(f / "vectors");
  CHECK(example_of(vectors, 2) == tensor<float, 3>{6, 7, 8});
  write(f / "numbers", npy("(4,)", false, 4));
  io::npy_source<float> numbers(f / "numbers");
  CHECK(example_of(numbers, 3) == 3);
  write(f / "one", npy("(1, 3)", true, 3));
  io::npy_source<float, 3> one(f / "one");
  CHECK(example_of(one, 0) == tensor<float, 3>{0, 1, 2});
}

TEST_CASE("examples along the last axis, as save_npy has them") {
  folder const f;
  auto const x = filled<tensor<double, 2, 3, 2, 4>>(1);
  io::save_npy(f / "x", x);
  io::npy_source<double, 2, 3, 2> source(f / "x", {.batch_last = true});
  CHECK(source.count() == 4);
  io::npy_source<double, 2, 3, 2> reversed(f / "x", {.batch_last = true, .reversed = true});
  for (int n : {3, 1}) {
    auto const y = example_of(source, n), z = example_of(reversed, n);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 2; ++k) {
          CHECK(y(i, j, k) == x(i, j, k, n));
          CHECK(z(k, j, i) == x(i, j, k, n));
        }
  }
}

TEST_CASE("arrays that are others") {
  folder const f;
  auto const opened = [&](byte_string const& bytes, io::npy_source_options const& options = {}) {
    write(f / "x", bytes);
    return refusal([&] { io::npy_source<float, 3>(f / "x", options); });
  };
  byte_string const right = npy("(4, 3)", false, 12);
  CHECK(opened(right).empty());
  CHECK(has(opened(npy("(3, 4)", false, 12)),
            "at byte 10: the shape is (3, 4), not (3, 3), where the first axis counts"));
  CHECK(has(opened(npy("(4, 3)", false, 12), {.batch_last = true}), "the shape is (4, 3), not (3, 3), where the last"));
  CHECK(has(opened(npy("(12,)", false, 12)), "the shape is (12,), not (12, 3)"));
  CHECK(has(opened(npy("()", false, 1)), "the file holds a number"));
  CHECK(has(opened(npy("(0, 3)", false, 0)), "the file has no examples"));
  CHECK(has(opened(npy("(4, 3)", true, 12)), "do not lie one behind the other: save numpy.ascontiguousarray(x)"));
  CHECK(has(opened(npy("(3, 4)", false, 12), {.batch_last = true}), "save numpy.asfortranarray(x)"));
  CHECK(has(opened(npy("(4, 3)", false, 12, "<f8")), "the type is '<f8', not '<f4'"));
  CHECK(has(opened(npy("(4, 3)", false, 13)), "the file goes on after its last entry"));
  CHECK(has(opened(npy("(18446744073709551615, 3)", false, 12)), "the file ends inside the entries"));
  CHECK(has(opened(npy("(6148914691236517206, 3)", false, 12)), "the file ends inside the entries"));
  for (std::size_t length = 0; length < right.size(); ++length) CHECK(!opened(part(right, length)).empty());
}

TEST_CASE("a boolean is 0 or 1") {
  folder const f;
  byte_string bytes = npy("(2, 3)", false, 0, "|b1");
  std::size_t const first = bytes.size();
  for (int each : {0, 1, 1, 0, 2, 1}) bytes.push_back(static_cast<std::byte>(each));
  write(f / "x", bytes);
  io::npy_source<bool, 3> source(f / "x");
  CHECK(example_of(source, 0) == tensor<bool, 3>{false, true, true});
  CHECK(has(refusal([&] { example_of(source, 1); }),
            "at byte " + std::to_string(first + 4) + ": a boolean is 2, not 0 or 1"));
}

TEST_CASE("a file larger than memory") {
  // 96 GiB of which the disk holds the pages that are written.
  folder const f;
  constexpr std::uint64_t count = std::uint64_t{3} << 33;
  write(f / "x", npy("(" + std::to_string(count) + ",)", false, 0));
  std::uint64_t const first = fs::file_size(f / "x");
  std::error_code full;
  fs::resize_file(f / "x", first + 4 * count, full);
  if (full) {
    std::printf("skipped: files of 96 GiB, which this disk has no room for\n");
    return;
  }
  {
    std::fstream out(f / "x", std::ios::in | std::ios::out | std::ios::binary);
    float const last = 17;
    out.seekp(static_cast<std::streamoff>(first + 4 * (count - 1)));
    out.write(reinterpret_cast<char const*>(&last), 4);
  }
  io::npy_source<float> source(f / "x");
  CHECK(source.count() == static_cast<std::int64_t>(count));
  CHECK(example_of(source, static_cast<std::int64_t>(count) - 1) == 17);
  CHECK(example_of(source, static_cast<std::int64_t>(count) - 2) == 0);
}

}  // namespace

#include <etch/io/idx_source.hpp>

#include "files.hpp"

namespace {

using namespace files;

byte_string idx(std::vector<std::uint32_t> const& extents, std::size_t entries, int first = 0) {
  byte_string b;
  auto const number = [&](std::uint32_t n) {
    for (int shift = 24; shift >= 0; shift -= 8) b.push_back(static_cast<std::byte>(n >> shift & 255));
  };
  number(0x0800u + static_cast<std::uint32_t>(extents.size()));
  for (std::uint32_t e : extents) number(e);
  for (std::size_t i = 0; i < entries; ++i)
    b.push_back(static_cast<std::byte>((static_cast<std::size_t>(first) + i) & 255));
  return b;
}

TEST_CASE("images and labels, in any order") {
  folder const f;
  write(f / "images", idx({4, 2, 3}, 24));
  write(f / "labels", idx({4}, 4, 5));
  io::idx_source<float, 3, 2> images(f / "images", {.divisor = 2});
  io::idx_source<int> labels(f / "labels", {.classes = 10});
  CHECK(images.count() == 4);
  CHECK(labels.count() == 4);
  for (int n : {3, 0, 2}) {
    tensor<float, 3, 2> x;
    tensor<int> y;
    images.read(n, x.data());
    labels.read(n, y.data());
    CHECK(y == n + 5);
    for (int row = 0; row < 2; ++row)
      for (int column = 0; column < 3; ++column)
        CHECK(x(column, row) == static_cast<float>(6 * n + 3 * row + column) / 2);
  }
  tensor<float, 6> flat;
  io::idx_source<float, 6>(f / "images").read(1, flat.data());
  CHECK(flat == tensor<float, 6>{6, 7, 8, 9, 10, 11});
  io::idx_source<float, 3, 2, 1> one_channel(f / "images");
  CHECK(one_channel.count() == 4);
  write(f / "many", idx({2, 3, 1, 2}, 12));
  io::idx_source<std::uint8_t, 2, 1, 3> many(f / "many");
  tensor<std::uint8_t, 2, 1, 3> each;
  many.read(1, each.data());
  CHECK(each(1, 0, 2) == 11);
}

TEST_CASE("files that are none, or others") {
  folder const f;
  auto const opened = [&](byte_string const& bytes) {
    write(f / "x", bytes);
    return refusal([&] { io::idx_source<float, 3, 2>(f / "x"); });
  };
  byte_string const right = idx({4, 2, 3}, 24);
  CHECK(opened(right).empty());
  CHECK(has(opened({}), "x: at byte 0: the file ends inside the magic number"));
  CHECK(has(opened(part(right, 3)), "at byte 3: the file ends inside the magic number"));
  CHECK(has(opened(part(right, 15)), "at byte 15: the file ends inside the header"));
  CHECK(has(opened(part(right, 39)), "at byte 39: the file ends inside the entries, 1 bytes too early"));
  CHECK(has(opened(idx({4, 2, 3}, 25)), "at byte 40: the file goes on after its last entry"));
  CHECK(has(opened(idx({0, 2, 3}, 0)), "at byte 4: the file has no examples"));
  CHECK(has(opened(idx({4, 3, 2}, 24)), "at byte 8: an example is [2, 3] in the file, which does not make [3, 2]"));
  CHECK(has(opened(idx({24}, 24)), "an example is [] in the file, which does not make [3, 2]"));
  CHECK(has(opened(idx({1, 0xffffffffu, 0xffffffffu, 0xffffffffu}, 24)), "which does not make [3, 2]"));
  byte_string other = right;
  other[2] = std::byte{13};
  CHECK(has(opened(other), "the magic number is not that of unsigned bytes with 1 to 4 extents"));
  other[0] = std::byte{0x1f}, other[1] = std::byte{0x8b};
  CHECK(has(opened(other), "the file is compressed"));
  for (std::size_t length = 0; length < right.size(); ++length) CHECK(!opened(part(right, length)).empty());
}

TEST_CASE("a label beyond the classes, and a file that is cut after it was opened") {
  folder const f;
  write(f / "labels", idx({4}, 4, 5));
  int y = 0;
  io::idx_source<int> labels(f / "labels", {.classes = 8});
  CHECK(has(refusal([&] { labels.read(3, &y); }), "labels: at byte 11: label 8 is not below 8"));
  fs::resize_file(f / "labels", 10);
  labels.read(1, &y);
  CHECK(y == 6);
  CHECK(has(refusal([&] { labels.read(2, &y); }), "at byte 10: the file has changed"));
  CHECK(has(refusal([&] { labels.check(); }), "at byte 10: the file has changed"));
}

}  // namespace

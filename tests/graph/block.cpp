#include <etch/graph/block.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

/// All indices of a shape, as numbers of four digits.
std::vector<int> visited(shape const& s) {
  std::vector<int> all;
  for_each_index(s, [&](auto const& i) { all.push_back(i[0] + 10 * i[1] + 100 * i[2] + 1000 * i[3]); });
  return all;
}

constexpr int sum_at_compile_time() {
  int const entries[6] = {1, 2, 3, 4, 5, 6};
  block<int const> const b{entries + 5, make_shape(2, 3), {-1, -2}};
  int sum = 0;
  for_each_index(b.extent, [&](auto const& i) { sum = 10 * sum + b(i); });
  return sum;
}

}  // namespace

static_assert(sum_at_compile_time() == 654321, "strides may be negative");
static_assert((status::singular | status::not_positive_definite) & status::singular);
static_assert(!(status::singular & status::not_positive_definite) && !(status::ok & status::singular));

TEST_CASE("every index is visited once, the first axis fastest") {
  CHECK(visited(make_shape()) == std::vector<int>{0});
  CHECK(visited(make_shape(3)) == std::vector<int>{0, 1, 2});
  CHECK(visited(make_shape(2, 1, 2)) == std::vector<int>{0, 1, 100, 101});
  CHECK(visited(make_shape(1, 2, 1, 2)) == std::vector<int>{0, 10, 1000, 1010});
  CHECK(visited(make_shape(3, 4, 5, 6)).size() == 360);
}

TEST_CASE("a block reads and writes through its strides, repeated entries too") {
  double entries[24] = {};
  block<double> const transposed{entries, make_shape(4, 3, 2), {3, 1, 12}};
  double next = 0;
  for_each_index(transposed.extent, [&](auto const& i) { transposed(i) = next++; });
  CHECK(entries[0] == 0);
  CHECK(entries[1] == 4);    // (0, 1, 0)
  CHECK(entries[3] == 1);    // (1, 0, 0)
  CHECK(entries[23] == 23);  // (3, 2, 1)
  CHECK(&transposed(2, 1, 1) == entries + 2 * 3 + 1 + 12);
  block<double> const repeated{entries, make_shape(5), {0}};
  repeated(4) = 7;
  CHECK(repeated(0) == 7);
}

TEST_CASE("failures add up") {
  status s = status::ok;
  s |= status::not_positive_definite;
  s |= status::ok;
  CHECK(s == status::not_positive_definite);
  s |= status::singular;
  CHECK((s & status::singular));
  CHECK((s & status::not_positive_definite));
}

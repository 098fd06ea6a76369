#include <etch/tape/strided_value.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace etch;
using dynamic::strided_value;
using dynamic::walk;

/// The places of value `v` in the order of a walk.
std::vector<std::int64_t> places(walk const& way, std::size_t v) {
  std::vector<std::int64_t> all;
  way.rows([&](walk::offsets const& at) {
    for (int i = 0; i < way.extent[0]; ++i) all.push_back(at[v] + i * way.step[0][v]);
  });
  return all;
}

TEST_CASE("values lie at their offset, and repeat where they are stretched") {
  double memory[12]{};
  strided_value x = dynamic::contiguous(element::f64, make_shape(3, 1), memory);
  CHECK(x.is_contiguous());
  x.where.offset = 2;
  CHECK(x.first<double>() == memory + 2);
  strided_value const wide = dynamic::stretched(x, make_shape(3, 4));
  CHECK(wide.extent == make_shape(3, 4));
  CHECK(wide.where.step[0] == 1);
  CHECK(wide.where.step[1] == 0);
  CHECK(!wide.is_contiguous());
}

TEST_CASE("axes without gaps are walked as one") {
  strided_value const x = dynamic::contiguous(element::f32, make_shape(3, 1, 4, 5), nullptr);
  strided_value const one[]{x};
  walk const way(x.extent, one, false);
  CHECK(way.rank == 1);
  CHECK(way.extent[0] == 60);
  strided_value const two[]{x, dynamic::stretched(dynamic::contiguous(element::f32, make_shape(3), nullptr), x.extent)};
  walk const beside(x.extent, two, false);
  CHECK(beside.rank == 2);  // the repeated axes are one, too
  CHECK(beside.extent[1] == 20);
  CHECK(walk(shape{}, {two, 0}, true).rank == 0);
}

TEST_CASE("every position is met once, values side by side") {
  shape const s = make_shape(2, 3, 2, 2);
  strided_value const straight = dynamic::contiguous(element::f64, s, nullptr);
  strided_value turned = straight, back = straight;
  for (std::size_t axis = 0; axis < max_rank; ++axis) {
    turned.where.step[axis] = contiguous_strides(make_shape(2, 2, 3, 2))[3 - axis];
    back.where.step[axis] = -straight.where.step[axis];
  }
  strided_value const values[]{straight, turned, back};
  for (bool sorted : {false, true}) {
    walk const way(s, values, sorted);
    auto const a = places(way, 0), b = places(way, 1), c = places(way, 2);
    REQUIRE(a.size() == 24);
    std::vector<bool> met(24);
    for (std::size_t n = 0; n < 24; ++n) {
      REQUIRE((a[n] >= 0 && a[n] < 24));
      met[static_cast<std::size_t>(a[n])] = true;
      std::int64_t const i = a[n] % 2, j = a[n] / 2 % 3, k = a[n] / 6 % 2, l = a[n] / 12;
      CHECK(b[n] == l + 2 * k + 4 * j + 12 * i);
      CHECK(c[n] == -a[n]);
    }
    CHECK(met == std::vector<bool>(24, true));
  }
}

TEST_CASE("a sorted walk goes where steps are shortest, an unsorted one in the order of the shape") {
  strided_value turned = dynamic::contiguous(element::f64, make_shape(5, 7), nullptr);
  std::swap(turned.where.step[0], turned.where.step[1]);
  turned.where.step[0] = 7;
  strided_value const values[]{turned};
  CHECK(walk(turned.extent, values, true).rank == 1);
  CHECK(walk(turned.extent, values, true).extent[0] == 35);
  CHECK(walk(turned.extent, values, false).rank == 2);
  CHECK(walk(turned.extent, values, false).extent[0] == 5);
}

}  // namespace

#include <etch/lower/register_tiling.hpp>

#include <doctest/doctest.h>

using namespace etch;
using pass::choose_tiling;
using pass::tiling;

// One register alone would wait for its own sums: several run side by side.
static_assert(choose_tiling(1, 1, 100, machine_vectors).chains == 4 &&
              choose_tiling(1, 1, 3, machine_vectors).chains == 1);
static_assert(pass::detail::lane_count(element::f32, 3) == 1);
static_assert(pass::detail::lane_count(element::f64, 100) * 2 == pass::detail::lane_count(element::f32, 100) ||
              pass::detail::lane_count(element::f32, 100) == 1);

TEST_CASE("a tile fits into the registers and into the product") {
  for (vectors set : {vectors::sse2, vectors::avx2_fma, vectors::avx512, vectors::neon})
    for (int rows : {1, 2, 3, 4, 5, 7, 8, 16, 63})
      for (int columns : {1, 2, 3, 5, 13, 14, 15, 128})
        for (int k : {1, 7, 100}) {
          CAPTURE(rows);
          CAPTURE(columns);
          tiling const t = choose_tiling(rows, columns, k, set);
          CHECK(t.packets <= rows);
          CHECK(t.columns <= columns);
          CHECK(t.packets * t.columns + (columns == 1 ? 1 : t.packets) + 1 <= registers_of(set));
          CHECK(t.packets * t.columns * t.chains <= std::max(8, t.packets * t.columns));
          CHECK(t.chains <= k);
        }
}

TEST_CASE("what is much larger than a tile has one that keeps the multiply-adds busy") {
  tiling const t = choose_tiling(64, 512, 512, machine_vectors);
  CHECK(2 * t.packets * t.columns >= 3 * (t.packets + t.columns));
}

#include <etch/lower/contraction.hpp>

#include <doctest/doctest.h>

using namespace etch;
using pass::contraction;

namespace {

/// The choice for C[m, n] = A[m, k] B[k, n], either operand stored transposed where that is said.
constexpr contraction choice(int m, int k, int n, bool transposed_a = false, bool transposed_b = false,
                             element type = element::f32) {
  layout const a{0, transposed_a ? strides{k, 1, 0, 0} : strides{1, m, 0, 0}};
  layout const b{0, transposed_b ? strides{n, 1, 0, 0} : strides{1, k, 0, 0}};
  return pass::choose_contraction(type, m, n, k, a.step, b.step, true);
}

}  // namespace

static_assert(contraction::rounded(1) == 16 && contraction::rounded(16) == 16 && contraction::rounded(17) == 32);
// Columns of A are contiguous: nothing is packed, and registers run down C.
static_assert(!choice(64, 64, 64).inner && !choice(64, 64, 64).pack_a && choice(64, 64, 64).packed_entries() == 0);
// Rows of A and columns of B are contiguous and k is long: registers run along k, still without packing.
static_assert(choice(4, 1000, 3, true).inner && choice(4, 1000, 3, true).packed_entries() == 0);
// A dot product of long vectors runs along k.
static_assert(choice(1, 4096, 1).inner);
// One row is computed as one column of the transposed product.
static_assert(choice(1, 50, 30).transposed && choice(1, 50, 30).m == 30 && choice(1, 50, 30).n == 1);
static_assert(!choice(1, 50, 1).transposed && !choice(30, 50, 1).transposed);

TEST_CASE("whatever the product, the tile fits into registers and the choice is one that can be computed") {
  for (element type : {element::f32, element::f64})
    for (int m : {1, 2, 3, 4, 5, 15, 16, 17, 33, 100})
      for (int k : {1, 2, 3, 7, 16, 40, 784})
        for (int n : {1, 2, 3, 5, 10, 128})
          for (int orientation = 0; orientation < 4; ++orientation) {
            contraction const c = choice(m, k, n, orientation & 1, orientation & 2, type);
            CAPTURE(m);
            CAPTURE(k);
            CAPTURE(n);
            CAPTURE(orientation);
            CHECK(c.k == k);
            CHECK(std::int64_t{c.m} * c.n == std::int64_t{m} * n);
            CHECK(c.packets >= 1);
            CHECK(c.columns >= 1);
            CHECK(c.columns <= c.n);
            CHECK(c.k_block <= c.k);
            CHECK((c.n_block == c.n || c.n_block % c.columns == 0));
            CHECK((c.tail.rows == 0 || c.main_rows() % c.width == 0));
            if (c.inner) {
              CHECK((c.pack_a || c.k == 1 || c.a[1] == 1));
              CHECK((c.pack_b || c.k == 1 || c.b[0] == 1));
              CHECK(c.packets <= c.m);
            } else {
              CHECK((c.pack_a || c.m == 1 || c.a[0] == 1));
              CHECK(c.packets * c.columns + (c.n == 1 ? 1 : c.packets) + 1 <= registers_of(machine_vectors));
            }
          }
}

namespace {

constexpr contraction blocked = choice(512, 4096, 256, false, true, element::f64);

}  // namespace

// Long sums are cut so that a strip of A stays in the first cache; only that strip is packed, not all of A.
static_assert(blocked.pack_a && blocked.k_block < 4096 && blocked.packed_entries() * 8 <= 2 * first_cache_bytes);
static_assert(blocked.k_block * blocked.height() * 8 <= first_cache_bytes);
// Rows of B that lie more than 2 KiB apart are packed where many strips of A read them: a block that stays in the
// second cache, or a strip at a time.
static_assert(choice(512, 64, 513, false, true).pack_b && !choice(512, 64, 512, false, true).pack_b);
static_assert(!choice(512, 63, 513, false, true).pack_b && !choice(255, 64, 513, false, true).pack_b);
static_assert(choice(512, 256, 513, false, true).packed_b() * 4 <= second_cache_bytes / 2);
// Of fewer rows of A, tiles go through a block of B's rows that stays in the second cache.
static_assert(choice(32, 1024, 784, false, true).k_block * 784 * 4 <= second_cache_bytes / 2 &&
              choice(32, 128, 784, false, true).k_block == 128);
static_assert(choice(32, 1024, 4096, false, true).k_block == 128 && choice(32, 140, 4096, false, true).k_block == 70 &&
              choice(32, 128, 4096, false, true).k_block == 128);
// Sums over a block of k wait in scratch memory where something is made of the product.
static_assert(!blocked.in_parts &&
              pass::choose_contraction(element::f64, 512, 256, 4096, {1, 512}, {256, 1}, false).in_parts);
// A transposed operand that fits into the second cache is packed a strip at a time.
static_assert(choice(256, 256, 256, true).pack_a && choice(256, 256, 256, true).packed_entries() < 256 * 256 / 2);
// Few rows: registers run along them, since the other way they would be nearly empty.
static_assert(choice(3, 50, 1000, false, true).transposed || choice(3, 50, 1000, false, true).inner);

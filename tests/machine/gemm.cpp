#include <etch/machine/gemm.hpp>

#include "compile/products.hpp"

using namespace etch;
using products::check;
using products::check_orientations;
using products::problem;

namespace {

constexpr int width = std::max(widest<float>, 4);

/// The way of a product cut into blocks of `k` terms and two tiles' columns, its operands packed.
constexpr pass::contraction in_blocks(pass::contraction way, int k, bool in_parts) {
  way.pack_a = way.pack_b = true;
  way.packets = std::min(way.packets, static_cast<int>(way.highest) / way.width);
  way.k_block = k;
  way.n_block = 2 * way.columns;
  way.in_parts = in_parts;
  return way;
}

}  // namespace

TEST_CASE("products in all four orientations agree with three loops") {
  check_orientations<float, problem{2, 3, 1}>();
  check_orientations<float, problem{7, 5, 3}>();
  check_orientations<float, problem{width - 1, width, width + 1}>();
  check_orientations<float, problem{2 * width + 1, 19, 15}>();
  check_orientations<double, problem{5, 37, 3}>();
  check_orientations<double, problem{width, 7, width / 2 + 1}>();
}

TEST_CASE("rows, columns and single entries") {
  check<float, problem{1, 37, 1}>();
  check<float, problem{1, 5, 33, false, true}>();
  check<float, problem{1, 19, 4, true}>();
  check<float, problem{3, 9, 40}>();
  check<double, problem{2, 9, 21, true, true}>();
  check<double, problem{35, 1, 1}>();
  check<double, problem{7, 1, 6, true, true}>();
  check<double, problem{1, 1, 1}>();
  check<float, problem{300, 41, 1}>();
  check<float, problem{41, 300, 1, true}>();
}

TEST_CASE("results are added to what is there, and finished where they are") {
  check<float, problem{2 * width + 3, 5, 15, false, false, 1, 1, true}>();
  check<float, problem{width + 1, 6, 9, true, false, 1, 1, false, true}>();
  check<double, problem{3, 17, 2, true, false, 1, 1, true, true}>();
  check<float, problem{1, 11, 20, false, false, 1, 1, true, true}>();
}

TEST_CASE("products of a batch, and of entries that do not adjoin") {
  check<float, problem{4, 4, 4, false, false, 1, 3}>();
  check<float, problem{8, 8, 8, true, false, 1, 2, true, true}>();
  check<float, problem{5, width + 2, 6, false, false, 3}>();
  check<double, problem{width + 3, 9, 20, true, true, 2, 2}>();
}

TEST_CASE("products in blocks, whose sums wait in the result or in scratch memory") {
  static constexpr problem plain{5 * width + 3, 23, 61}, adding{3 * width, 20, 61, true, true, 1, 1, true},
      finished{3 * width + 1, 22, 59, true, false, 1, 2, true, true}, apart{2 * width + 5, 31, 47, false, false, 2};
  check<float, plain, in_blocks(products::way_of<float>(plain), 9, false)>();
  check<float, plain, in_blocks(products::way_of<float>(plain), 9, true)>();
  check<float, adding, in_blocks(products::way_of<float>(adding), 8, false)>();
  check<float, finished, in_blocks(products::way_of<float>(finished), 7, true)>();
  check<double, finished, in_blocks(products::way_of<double>(finished), 7, true)>();
  check<double, apart, in_blocks(products::way_of<double>(apart), 10, false)>();
}

TEST_CASE("large products are cut into blocks by themselves") {
  static constexpr problem long_terms{160, 700, 130, true, true}, wide{160, 300, 1200, true, true},
      finished{161, 700, 131, true, true, 1, 1, false, true};
  static_assert(products::way_of<float>(long_terms).k_block < 700 && !products::way_of<float>(long_terms).in_parts);
  static_assert(products::way_of<float>(wide).n_block < 1200);
  static_assert(products::way_of<float>(finished).in_parts);
  check<float, long_terms>();
  check<float, wide>();
  check<float, finished>();
}

TEST_CASE("blocks of B's rows go through tiles of few rows") {
  static constexpr problem stored{40, 700, 500, false, true}, finished{40, 700, 501, false, true, 1, 1, false, true};
  static_assert(products::way_of<float>(stored).k_block < 700 && products::way_of<double>(stored).k_block < 700);
  static_assert(products::way_of<float>(finished).in_parts);
  check<float, stored>();
  check<float, finished>();
  check<double, stored>();
}

TEST_CASE("rows of B that lie far apart are packed where their columns adjoin") {
  static constexpr problem near_a{256, 64, 515, false, true}, far_a{257, 70, 520, true, true},
      finished{258, 66, 513, false, true, 1, 1, false, true}, pair{256, 64, 512, true, true, 1, 2};
  static_assert(products::way_of<float>(near_a).pack_b && !products::way_of<float>(near_a).pack_a);
  static_assert(products::way_of<float>(far_a).pack_b && products::way_of<float>(far_a).pack_a);
  static_assert(products::way_of<float>(finished).pack_b && products::way_of<double>(pair).pack_b);
  check<float, near_a>();
  check<float, far_a>();
  check<float, finished>();
  check<double, pair>();
  check<double, far_a, in_blocks(products::way_of<double>(far_a), 30, false)>();
}

TEST_CASE("the last rows are computed apart where a register would hold few of them") {
  static constexpr problem along_terms{2 * width + 1, 67, 71}, rows_adjoin{3 * width + 1, 131, 37, true},
      along_columns{2 * width + 1, 8 * width, 60 * width + 5, false, true},
      adding{width + 1, 71, 67, false, true, 1, 1, true}, finished{width + 1, 129, 35, false, false, 1, 2, true, true};
  static_assert(widest<float> == 1 || (products::way_of<float>(along_terms).tail.rows == 1 &&
                                       products::way_of<float>(along_terms).packed_tail() != 0));
  static_assert(widest<float> == 1 || products::way_of<float>(along_columns).tail.rows == 1);
  check<float, along_terms>();
  check<float, rows_adjoin>();
  check<float, along_columns>();
  check<float, adding>();
  check<float, finished>();
  check<double, along_terms>();
  check<double, adding>();
  check<float, problem{width + 3, 130, 66, false, true, 1, 2, true, true}>();
  check<float, problem{2 * width + 5, 130, 67, true}>();
  check<float, problem{width + 6, 200, 90, true, true}>();
  check<float, problem{width + 2, 259, width, false, true}>();
  check<double, problem{width + 2, 77, 64, false, true, 1, 1, true, true}>();
  check<float, problem{4096 / 4 + 1, 600, 18, true}>();
}

TEST_CASE("what is not a number goes where three loops carry it, and nowhere else") {
  static constexpr problem p{2 * width + 3, 9, 17};
  static constexpr auto in_place = products::kernel_of<float, false>(p, products::way_of<float>(p)),
                        blocked = products::kernel_of<float, false>(p, in_blocks(products::way_of<float>(p), 4, true));
  float const inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  products::storage<float> first(p);
  first.fill_whole();
  first.a[static_cast<std::size_t>(2 * width + 2)] = nan;  // of the last row
  first.a[static_cast<std::size_t>(3 * p.m)] = inf;
  first.b[static_cast<std::size_t>(16 * p.k + 3)] = 0;  // inf 0
  first.b[static_cast<std::size_t>(5 * p.k + 1)] = -inf;
  products::storage<float> second = first, expected = first;
  products::compute<run::pack_signature<in_place>()>(first);
  products::compute<run::pack_signature<blocked>()>(second);
  products::compute_plainly(p, expected);
  CHECK(products::same(first.c, expected.c));
  CHECK(products::same(second.c, expected.c));
}

TEST_CASE("results do not depend on addresses") {
  static constexpr problem p{width + 3, 29, 7, true};
  static constexpr auto s = products::kernel_of<float, false>(p, products::way_of<float>(p));
  std::vector<float> a(p.m * p.k + width), b(p.k * p.n + width),
      scratch(static_cast<std::size_t>(s.product.packed_entries()) + width), first(p.m * p.n + width);
  auto const bytes = [](std::vector<float>& v, int by) { return reinterpret_cast<std::byte*>(v.data() + by); };
  std::byte dummy{};
  for (int by = 0; by < width; ++by) {
    for (int i = 0; i < p.m * p.k; ++i) a[static_cast<std::size_t>(i + by)] = std::sin(static_cast<float>(i));
    for (int i = 0; i < p.k * p.n; ++i) b[static_cast<std::size_t>(i + by)] = std::cos(static_cast<float>(i));
    std::vector<float> c(first.size());
    std::byte* pointers[] = {&dummy, bytes(by == 0 ? first : c, by)};
    run::gemm<run::pack_signature<s>()>::run(pointers, bytes(a, by), bytes(b, by), bytes(scratch, by));
    if (by > 0) CHECK(std::memcmp(first.data(), c.data() + by, sizeof(float) * p.m * p.n) == 0);
  }
}

#include <etch/lower/static_kernels.hpp>

#include <etch/op/elementwise.hpp>
#include <etch/lower/fuse.hpp>
#include <etch/lower/materialise.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace etch;

namespace {

/// tanh(w x), the sum of its squares, its running sums and a product of it: every form but a loop over steps.
graph all_forms() {
  graph g;
  term const w = input(g, element::f32, make_shape(9, 9), 0), x = input(g, element::f32, make_shape(9), 1);
  term const y = tanh(matmul(w, x));
  g.outputs = {emit<op::sum>(op::reduction::whole, square(y)).id, emit<op::cumsum>(0, y).id, matmul(w, exp(2 * x)).id};
  return pass::materialise(g);
}

bool same(pass::kernel const& a, pass::kernel const& b) {
  auto const same_step = [](pass::instruction const& x, pass::instruction const& y) {
    return x.op == y.op && x.bits == y.bits && x.operand == y.operand;
  };
  auto const same_result = [](pass::result const& x, pass::result const& y) {
    return x.value == y.value && x.node == y.node && x.root == y.root && x.where == y.where && x.reduces == y.reduces &&
           x.op == y.op;
  };
  return a.head.computes == b.head.computes && a.head.space == b.head.space && a.head.type == b.head.type &&
         a.head.product == b.head.product && a.head.a == b.head.a && a.head.b == b.head.b &&
         a.head.scratch == b.head.scratch && a.inputs == b.inputs && std::ranges::equal(a.code, b.code, same_step) &&
         std::ranges::equal(a.results, b.results, same_result);
}

constexpr pass::kernel_counts room{8, 4, 32, 16, 16};

}  // namespace

TEST_CASE("kernels come out as they went in, and in any order") {
  sequence<pass::kernel> const fused = pass::fuse(all_forms());
  pass::static_kernels<room> const kept(fused);
  REQUIRE(kept.fits());
  REQUIRE(fused.size() >= 3);
  CHECK(kept.count == pass::count_parts(fused));
  CHECK(kept.count.products == 2);
  sequence<int> backwards;
  for (int k = static_cast<int>(fused.size()); k-- > 0;) backwards.push_back(k);
  sequence<pass::kernel> const as_fused = kept.as_fused(), reversed = kept.in_order(backwards);
  REQUIRE(as_fused.size() == fused.size());
  for (std::size_t k = 0; k < fused.size(); ++k) {
    CHECK(same(as_fused[k], fused[k]));
    CHECK(same(reversed[fused.size() - 1 - k], fused[k]));
  }
}

TEST_CASE("where the room is too small, how much is needed is known all the same") {
  sequence<pass::kernel> const fused = pass::fuse(all_forms());
  pass::kernel_counts const needed = pass::count_parts(fused);
  auto const without = [&]<pass::kernel_counts Room>(std::integral_constant<pass::kernel_counts, Room>) {
    pass::static_kernels<Room> const kept(fused);
    CHECK_FALSE(kept.fits());
    CHECK(kept.count == needed);
  };
  without(std::integral_constant<pass::kernel_counts, pass::kernel_counts{8, 1, 32, 16, 16}>{});
  without(std::integral_constant<pass::kernel_counts, pass::kernel_counts{8, 4, 1, 16, 16}>{});
  without(std::integral_constant<pass::kernel_counts, pass::kernel_counts{8, 4, 32, 1, 16}>{});
  without(std::integral_constant<pass::kernel_counts, pass::kernel_counts{8, 4, 32, 16, 1}>{});
}

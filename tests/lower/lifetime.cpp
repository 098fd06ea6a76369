#include <etch/lower/lifetime.hpp>

#include <etch/lower/materialise.hpp>
#include <etch/lower/order.hpp>

#include "lower/lowered.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace etch;

namespace {

pass::lifetimes lifetimes(graph_view g, sequence<pass::kernel> const& kernels) {
  return lowered::as_listed(g, kernels).lives;
}

}  // namespace

static_assert(pass::lifetime{64, 2, 4}.meets({64, 4, 9}) && !pass::lifetime{64, 2, 4}.meets({64, 5, 9}));

TEST_CASE("a value that takes its operand's place shares its lifetime") {
  graph from;
  term const x = input(from, element::f64, make_shape(32, 32), 0), w = input(from, element::f64, make_shape(32, 32), 1);
  term const a = matmul(w, x),
             b = matmul(w, transpose(x)) * exp(a);  // the product's epilogue reads a for the last time
  from.outputs = {matmul(b, b).id};
  graph const g = pass::materialise(from);
  auto const kernels = lowered::kernels_of(g);
  pass::lifetimes const all = lifetimes(g, kernels);
  REQUIRE(kernels.size() == 3);
  int const first = kernels[0].results[0].root, second = kernels[1].results[0].root;
  CHECK(all.by_node[static_cast<std::size_t>(first)] == all.by_node[static_cast<std::size_t>(second)]);
  pass::lifetime const shared = all.of[static_cast<std::size_t>(all.by_node[static_cast<std::size_t>(first)])];
  CHECK(shared.bytes == 32 * 32 * 8);
  CHECK(shared.from == 0);
  CHECK(shared.to == 2);
  CHECK(all.by_node[static_cast<std::size_t>(g.outputs[0])] == -1);
}

TEST_CASE("an operand of a product is not overwritten by it") {
  graph from;
  term const x = input(from, element::f64, make_shape(32, 32), 0);
  term const a = matmul(x, x);
  from.outputs = {emit<op::sum>(op::reduction::whole, transpose(exp(matmul(a, x) + a))).id};
  graph const g = pass::materialise(from);
  pass::lifetimes const all = lifetimes(g, lowered::kernels_of(g));
  CHECK(all.most_live >= 2 * 32 * 32 * 8);
}

TEST_CASE("memory in use by each kernel is that of the lifetimes that cover it") {
  pass::lifetime const lives[] = {{64, 0, 2}, {128, 1, 1}, {256, 3, 3}};
  auto const live = pass::live_by_kernel(lives, 5);
  CHECK(std::ranges::equal(live, std::vector<std::int64_t>{64, 192, 64, 256, 0}));
}

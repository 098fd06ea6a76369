#include <etch/lower/order.hpp>

#include <etch/rewrite/differentiate.hpp>
#include <etch/lower/materialise.hpp>
#include <etch/lower/plan.hpp>
#include <etch/rewrite/prune.hpp>

#include "lower/lowered.hpp"

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// Value and gradients of `steps` steps h <- tanh(u tanh(w h)).
graph recurrent(int steps) {
  graph from;
  term const w = input(from, element::f64, make_shape(16, 16), 0), u = input(from, element::f64, make_shape(16, 16), 1),
             x = input(from, element::f64, make_shape(16, 8), 2);
  term h = x;
  for (int i = 0; i < steps; ++i) h = tanh(matmul(u, tanh(matmul(w, h))));
  from.outputs = {emit<op::sum>(op::reduction::whole, square(h)).id};
  sequence<int> const wanted{w.id, u.id};
  return pass::materialise(pass::assemble(pass::prune(pass::differentiate(from, wanted))));
}

}  // namespace

TEST_CASE("gradients of several parameters go along with the adjoint, not one after the other") {
  graph const g = recurrent(12);
  auto const given = pass::fuse(g), found = lowered::kernels_of(g);
  std::int64_t const before = lowered::plan(g, given).bytes, after = lowered::plan(g, found).bytes;
  CHECK(after < before);
  // The values that each step saves, and nothing else that grows with their number.
  std::int64_t const one = 16 * 8 * 8;
  CHECK(lowered::plan(recurrent(20), lowered::kernels_of(recurrent(20))).bytes -
            lowered::plan(recurrent(12), found).bytes ==
        16 * one);
}

TEST_CASE("an order is a permutation, and the given one stays where none is better") {
  graph const g = recurrent(5);
  auto const kernels = pass::fuse(g);
  sequence<int> found = pass::arrange(g, kernels).order;
  REQUIRE(found.size() == kernels.size());
  std::sort(found.begin(), found.end());
  for (std::size_t k = 0; k < found.size(); ++k) CHECK(found[k] == static_cast<int>(k));

  graph chain;
  term x = input(chain, element::f64, make_shape(8, 8), 0);
  for (int i = 0; i < 5; ++i) x = matmul(x, x);
  chain.outputs = {x.id};
  graph const c = pass::materialise(chain);
  sequence<int> const same = pass::arrange(c, pass::fuse(c)).order;
  for (std::size_t k = 0; k < same.size(); ++k) CHECK(same[k] == static_cast<int>(k));
}

TEST_CASE("what is renumbered belongs to the kernel at its position") {
  graph const g = recurrent(4);
  auto const values = pass::facts_of_nodes(g);
  auto const groups = pass::group(g, values);
  auto const kernels = pass::fuse(g, values, groups.of, groups.kernels);
  auto const order = pass::arrange(g, kernels).order;
  auto const of = pass::renumbered(groups.of, kernels, order);
  REQUIRE(order.size() == kernels.size());
  for (std::size_t at = 0; at < order.size(); ++at)
    for (pass::result const& r : kernels[static_cast<std::size_t>(order[at])].results)
      CHECK(of[static_cast<std::size_t>(r.node)].kernel == static_cast<int>(at));
}

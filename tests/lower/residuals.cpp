#include <etch/lower/residuals.hpp>

#include <etch/rewrite/differentiate.hpp>
#include <etch/lower/materialise.hpp>
#include <etch/lower/order.hpp>
#include <etch/rewrite/prune.hpp>

#include "lower/lowered.hpp"

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// The values that the gradient of sum(f(x, w)) reads of the way there.
pass::residuals saved(auto f) {
  graph from;
  term const x = input(from, element::f64, make_shape(16, 8), 0), w = input(from, element::f64, make_shape(16, 16), 1);
  from.outputs = {emit<op::sum>(op::reduction::whole, f(x, w)).id};
  sequence<int> const wanted{x.id, w.id};
  graph const g = pass::materialise(pass::assemble(pass::prune(pass::differentiate(from, wanted))));
  return pass::residuals_of(g, lowered::kernels_of(g));
}

}  // namespace

TEST_CASE("what follows from arguments alone is not saved") {
  CHECK(saved([](term x, term w) { return matmul(w, x); }).count == 0);
  CHECK(saved([](term x, term w) { return matmul(w, square(x)) * 2; }).bytes <= 16 * 8 * 8);
}

TEST_CASE("an answer that its derivative needs is saved once, whatever reads it") {
  auto const twice = saved([](term x, term w) { return square(matmul(w, tanh(matmul(w, x)))); });
  CHECK(twice.count == 1);  // tanh; the square's derivative is computed beside the square
  CHECK(twice.bytes == 16 * 8 * 8);
  CHECK(saved([](term x, term w) { return square(matmul(w, tanh(matmul(w, tanh(matmul(w, x)))))); }).count == 2);
}

TEST_CASE("what a loop leaves for its way back is saved, though the value does not need it") {
  graph from, body;
  term const start = input(from, element::f64, make_shape(8), 0), w = input(from, element::f64, make_shape(8, 8), 1);
  loop_body l;
  l.count = 5;
  l.in = {loop_input::carry, loop_input::captured};
  l.out = {loop_output::carry};
  term const h = input(l.body, element::f64, make_shape(8), 0),
             inside = input(l.body, element::f64, make_shape(8, 8), 1);
  l.body.outputs = {square(tanh(matmul(inside, h))).id};
  int const operands[] = {start.id, w.id};
  int const loop = insert_loop(from, l, operands);
  from.outputs = {emit<op::sum>(op::reduction::whole, result_of(from, l, loop, 0)).id};
  sequence<int> const wanted{w.id};
  graph const g = pass::materialise(pass::assemble(pass::prune(pass::differentiate(from, wanted))));
  pass::residuals const kept = pass::residuals_of(g, lowered::kernels_of(g));
  CHECK(kept.count == 2);  // of every step the carry before it, and its tanh
  CHECK(kept.bytes == 2 * 5 * 8 * 8);
}

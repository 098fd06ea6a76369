#include <etch/lower/in_place.hpp>

#include <etch/lower/materialise.hpp>
#include <etch/lower/order.hpp>

#include "lower/lowered.hpp"

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// The number of values that continue a sum in the storage of an output, of the graph whose outputs `build` gives.
int continued(auto build) {
  graph from;
  term const x = input(from, element::f64, make_shape(16, 16), 0), w = input(from, element::f64, make_shape(16, 16), 1);
  build(from, x, w);
  graph const g = pass::materialise(pass::assemble(from));
  sequence<pass::kernel> const kernels = lowered::kernels_of(g);
  int count = 0;
  for (char each : pass::storage_in_outputs(g, kernels, pass::buffer_uses_of(g, kernels)).is_continued) count += each;
  return count;
}
term value(term x) { return emit<op::sum>(op::reduction::whole, x); }

}  // namespace

TEST_CASE("a sum of products grows in a gradient, not in the value") {
  auto const products = [](term x, term w) {  // in the order in which they are added
    term sum = matmul(x, w);
    for (term more : {matmul(w, x), matmul(x, x), matmul(w, w)}) sum = sum + more;
    return sum;
  };
  CHECK(continued([&](graph& g, term x, term w) { g.outputs = {value(x).id, products(x, w).id}; }) == 3);
  CHECK(continued([&](graph& g, term x, term w) { g.outputs = {products(x, w).id}; }) == 0);
}

TEST_CASE("only sums grow there: what is read back may hold more than the sum") {
  auto const outputs = [](auto f) {
    return [f](graph& g, term x, term w) {
      term const a = matmul(x, w), b = matmul(w, x);
      g.outputs = {value(x).id, f(a, b).id};
    };
  };
  CHECK(continued(outputs([](term a, term b) { return a + b; })) == 1);
  CHECK(continued(outputs([](term a, term b) { return a - b; })) == 1);
  CHECK(continued(outputs([](term a, term b) { return exp(b) + a; })) == 1);
  CHECK(continued(outputs([](term a, term b) { return exp(b) - exp(a); })) == 0);
  CHECK(continued(outputs([](term a, term b) { return a * b; })) == 0);
  CHECK(continued(outputs([](term a, term b) { return exp(a + b); })) == 0);
  CHECK(continued(outputs([](term a, term b) { return a + b * a; })) == 0);
  CHECK(continued(outputs([](term a, term b) { return transpose(a) + exp(transpose(b)); })) == 0);
}

TEST_CASE("a sum that somebody else reads on its way has memory of its own") {
  CHECK(continued([](graph& g, term x, term w) {
          term const part = matmul(x, w);
          g.outputs = {value(matmul(part, w)).id, (part + matmul(w, x)).id};
        }) == 0);
}

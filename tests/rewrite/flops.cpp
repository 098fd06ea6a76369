#include <etch/rewrite/flops.hpp>

using namespace etch;

namespace {

consteval std::int64_t flops_of_loss(auto build) {
  graph g;
  term const x = input(g, element::f32, make_shape(3, 4), 0), w = input(g, element::f32, make_shape(5, 3), 1);
  g.outputs = {build(x, w).id};
  return pass::count_flops(g);
}

}  // namespace

static_assert(flops_of_loss([](term x, term) { return x; }) == 0);
static_assert(flops_of_loss([](term x, term) { return exp(x) + x; }) == 12 + 12);
static_assert(flops_of_loss([](term x, term) { return emit<op::sum>(2, x); }) == 12, "a reduction costs what it reads");
static_assert(flops_of_loss([](term x, term w) { return matmul(w, x); }) == 2 * 5 * 3 * 4);
static_assert(flops_of_loss([](term x, term w) { return matmul(transpose(x), transpose(w)); }) == 2 * 4 * 3 * 5);
static_assert(flops_of_loss([](term x, term) {
                return emit_to<op::reshape>(make_shape(12), fit(constant(*x.owner, element::f32, 1), make_shape(3, 4)));
              }) == 0,
              "views and constants are free");

// A loop's are those of all its steps.
static_assert([] {
  loop_body l;
  l.count = 7;
  l.in = {loop_input::carry};
  l.out = {loop_output::carry};
  l.body.outputs = {exp(input(l.body, element::f64, make_shape(3), 0)).id};
  graph g;
  int const operands[] = {input(g, element::f64, make_shape(3), 0).id};
  g.outputs = {result_of(g, l, insert_loop(g, l, operands), 0).id};
  return pass::count_flops(g);
}() == 7 * 3);

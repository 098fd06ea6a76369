#include <etch/rewrite/axes.hpp>

using namespace etch;

namespace {

struct related {
  bool together = false;  ///< axis 1 of the first input and axis 1 of the result are one class
  bool can_be_cut = false;
};

/// How axis 1 of x[3, 8] runs through what `build` makes of x and w[5, 3].
consteval related second_axis(auto build, int result_axis = 1) {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 8), 0), w = input(g, element::f64, make_shape(5, 3), 1);
  term const y = build(x, w);
  g.outputs = {emit<op::sum>(op::reduction::whole, y).id};
  pass::axes a(g);
  int const of = a.class_of(x.id, 1);
  return {a.class_of(y.id, result_axis) == of, a.can_be_cut(of)};
}
constexpr bool cut_together(related r) { return r.together && r.can_be_cut; }
constexpr bool whole(related r) { return !r.can_be_cut; }

}  // namespace

static_assert(cut_together(second_axis([](term x, term) { return exp(x) + x; })));
static_assert(cut_together(second_axis([](term x, term w) { return matmul(w, x); })));
static_assert(cut_together(second_axis([](term x, term) { return transpose(x); }, 0)));
static_assert(cut_together(second_axis([](term x, term) { return emit<op::sum>(1, x); })));
static_assert(cut_together(second_axis([](term x, term) { return emit<op::max>(1, x); })));
static_assert(cut_together(second_axis([](term x, term) { return slice(x, region(0, 1), 2); })));
static_assert(cut_together(second_axis([](term x, term) { return emit_to<op::reshape>(make_shape(3, 1, 8), x); }, 2)));
static_assert(cut_together(second_axis([](term x, term w) {
  return fit(emit<op::sum>(2, w), make_shape(5, 8)) * slice(x, region(0, 0), 1);
})));
static_assert(cut_together(second_axis([](term x, term) { return embed(x, make_shape(7, 8), region(0, 2)); })));

// What indices pick runs with the indices, and with what is picked for each.
constexpr term indices(term x, int count) { return input(*x.owner, element::i32, make_shape(count), 2); }
constexpr term eight_numbers(term x) { return emit_to<op::reshape>(make_shape(8), emit<op::sum>(1, x)); }
static_assert(cut_together(second_axis([](term x, term) {
  return emit<op::gather>(op::index_axis(0, 1), x, indices(x, 6));
})));
static_assert(cut_together(second_axis([](term x, term w) {
  return emit<op::gather>(op::index_axis(1, 1), w, eight_numbers(x));
})));
static_assert(cut_together(second_axis([](term x, term) {
  return emit_shaped<op::scatter_add>(make_shape(20, 8), op::index_axis(0, 1), x, indices(x, 3));
})));
static_assert(whole(second_axis([](term x, term) {
  return emit<op::gather>(op::index_axis(1, 1), x, indices(x, 8));
})));

// Summed over: it is gone from the result, but can be cut.
static_assert(second_axis([](term x, term) { return emit<op::sum>(2, x); }).can_be_cut);
static_assert(second_axis([](term x, term) { return matmul(x, transpose(x)); }).can_be_cut);
static_assert(second_axis([](term x, term) {
                return emit_shaped<op::scatter_add>(make_shape(3, 20), op::index_axis(1, 1), x, indices(x, 8));
              }).can_be_cut);

static_assert(whole(second_axis([](term x, term) { return emit<op::max>(2, x); })));
static_assert(whole(second_axis([](term x, term) { return slice(x, region(1, 0), 4); })));
static_assert(whole(second_axis([](term x, term) { return emit<op::reverse>(2, x); })));
static_assert(whole(second_axis([](term x, term) { return embed(x, make_shape(3, 9), region(1, 0)); })));
static_assert(whole(second_axis([](term x, term) { return emit_to<op::reshape>(make_shape(8, 3), x); })),
              "rows become columns");
static_assert(whole(second_axis([](term x, term) { return matmul(transpose(x), x); })),
              "both axes of the result are the batch");
static_assert(whole(second_axis([](term x, term) { return x * etch::iota(*x.owner, element::f64, 1, 8); })));

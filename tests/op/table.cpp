#include <etch/op/table.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace etch;

namespace {

consteval bool names_are_unique() {
  for (std::size_t i = 0; i < op_table.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::string_view(op_table[i].name) == op_table[j].name) return false;
  return true;
}

/// Every op is of exactly one kind, and has what its kind needs.
consteval bool kinds_are_complete() {
  for (std::size_t i = 0; i < op_table.size(); ++i) {
    op_facts const& f = op_table[i];
    op_rules const& r = rule_table[i];
    if (f.name == nullptr || f.name[0] == '\0' || r.insert == nullptr) return false;
    if (f.is_nullary + f.is_elementwise + f.is_reduction + f.is_view + f.is_assembly + f.is_product + f.is_block +
            f.is_loop + f.is_result + f.is_composite !=
        1)
      return false;
    if (f.is_nullary != (f.arity == 0) || f.arity > 3) return false;
    bool const computes = f.cost > 0 || i == opcode_of<op::settled>;  // which only keeps a compiler off
    if (f.is_elementwise != (r.value != nullptr) || f.is_elementwise != computes) return false;
    if (f.is_reduction != (r.combine != nullptr)) return false;
    if (f.is_view != (f.project != nullptr)) return false;
    if (f.is_composite != (r.expand != nullptr)) return false;
    if (f.differentiable != (r.pullback != nullptr)) return false;
    if (f.is_nullary && f.differentiable) return false;
  }
  return true;
}

template <class Op>
constexpr op_facts const& facts = op_table[opcode_of<Op>];
template <class Op>
constexpr op_rules const& rules = rule_table[opcode_of<Op>];

}  // namespace

static_assert(names_are_unique());
static_assert(kinds_are_complete());
static_assert(!facts<op::less>.differentiable && !facts<op::equal>.differentiable &&
              !facts<op::stop_gradient>.differentiable);
static_assert(facts<op::select>.differentiable && facts<op::max>.differentiable && facts<op::reshape>.differentiable);
static_assert(facts<op::exp>.cost > facts<op::add>.cost, "what is dear is not computed again");

TEST_CASE("values are computed in the element type given") {
  std::array const x{16777216.0, 1.0};
  CHECK(rules<op::add>.value(element::f32, x) == 16777216.0);
  CHECK(rules<op::add>.value(element::f64, x) == 16777217.0);
  CHECK(rules<op::sum>.combine(element::f32, 16777216.0, 1.0) == 16777216.0);
  CHECK(rules<op::max>.combine(element::f64, 2.0, 3.0) == 3.0);
}

TEST_CASE("the neutral element of a reduction is neutral") {
  for (std::size_t i = 0; i < op_table.size(); ++i)
    if (op_facts const& f = op_table[i]; f.is_reduction)
      for (double x : {-3.5, 0.0, 2.0, 1e30}) {
        CAPTURE(std::string(f.name));
        CHECK(rule_table[i].combine(element::f64, f.start, x) == x);
        CHECK(rule_table[i].combine(element::f64, x, f.start) == x);
      }
}

TEST_CASE("a node is inserted again by its entry_of, with shape and attributes") {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 4), 0);
  std::vector<int> nodes{emit<op::sum>(2, x).id,
                         emit_to<op::reshape>(make_shape(2, 6), x).id,
                         emit<op::transpose>(0, x).id,
                         emit<op::softmax>(1, x).id,
                         (x * x).id,
                         constant(g, element::f32, 2.5).id};
  for (int id : nodes) {
    CAPTURE(std::string(facts_of(g[id]).name));
    std::vector<int> const operands(g.operands(id).begin(), g.operands(id).end());
    node const n = g[id];
    CHECK(rules_of(n).insert(g, n, operands).id == id);
  }
}

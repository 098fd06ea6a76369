#include <etch/graph/graph.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <type_traits>

namespace {

using namespace etch;

constexpr int insert(graph& g, opcode op, element type, shape const& extent, attribute attributes,
                     std::initializer_list<int> operands = {}) {
  return g.insert(op, type, extent, attributes, {operands.begin(), operands.size()});
}

// Equal content is one node; whatever differs makes another.
static_assert([] {
  graph g;
  int const a = insert(g, 0, element::f32, make_shape(3), 0);
  int const again = insert(g, 0, element::f32, make_shape(3), 0);
  return a == 0 && again == 0 && g.size() == 1;
}());
static_assert([] {
  graph g;
  insert(g, 0, element::f32, make_shape(3), 0);
  insert(g, 1, element::f32, make_shape(3), 0);     // op
  insert(g, 0, element::f64, make_shape(3), 0);     // element type
  insert(g, 0, element::f32, make_shape(4), 0);     // extent
  insert(g, 0, element::f32, make_shape(3, 1), 0);  // rank alone
  insert(g, 0, element::f32, make_shape(3), 1);     // attribute
  insert(g, 0, element::f32, make_shape(3), attribute{1} << 63);
  return g.size() == 7;
}());
static_assert([] {
  graph g;
  int const a = insert(g, 0, element::f32, make_shape(), 0), b = insert(g, 0, element::f32, make_shape(), 1);
  int const ab = insert(g, 2, element::f32, make_shape(), 0, {a, b}),
            ba = insert(g, 2, element::f32, make_shape(), 0, {b, a});
  int const aa = insert(g, 2, element::f32, make_shape(), 0, {a, a}),
            single = insert(g, 2, element::f32, make_shape(), 0, {a});
  return ab != ba && ab != aa && ba != aa && single != aa &&
         insert(g, 2, element::f32, make_shape(), 0, {b, a}) == ba && g.size() == 6;
}());

// A node finds its operands again.
static_assert([] {
  graph g;
  int const a = insert(g, 0, element::f32, make_shape(2), 7), b = insert(g, 0, element::f32, make_shape(2), 8);
  int const c = insert(g, 3, element::f32, make_shape(2), 0, {b, a, b});
  auto const operands = g.operands(c);
  return operands.size() == 3 && operands[0] == b && operands[1] == a && operands[2] == b && g.operands(a).empty() &&
         g[c].arity == 3 && g[a].attributes == 7;
}());

// The bits of a constant survive the attribute; zeros of either sign are two constants.
static_assert(value_of(attribute_of(-1.25e-300)) == -1.25e-300);
static_assert(attribute_of(0.0) != attribute_of(-0.0));

/// A sum of products over two inputs, `length` of them; the last term is its output.
constexpr graph chain(int length) {
  graph g;
  int const a = insert(g, 0, element::f64, make_shape(4), 0), b = insert(g, 0, element::f64, make_shape(4), 1);
  int last = a;
  for (int i = 0; i < length; ++i)
    last = insert(g, static_cast<opcode>(5 + i % 2), element::f64, make_shape(4), 0, {last, i % 3 == 0 ? a : b});
  g.outputs.push_back(last);
  g.outputs.push_back(b);
  return g;
}

TEST_CASE("identities outlive the growth of the table") {
  graph g;
  constexpr int count = 5000;
  for (int i = 0; i < count; ++i)
    REQUIRE(insert(g, static_cast<opcode>(i % 7), element::f32, make_shape(1 + i % 5), static_cast<attribute>(i)) == i);
  for (int i = count - 1; i >= 0; --i)
    REQUIRE(insert(g, static_cast<opcode>(i % 7), element::f32, make_shape(1 + i % 5), static_cast<attribute>(i)) == i);
  CHECK(g.size() == count);
  int wrong = 0;
  for (int i = 0; i < count; ++i)
    wrong += g[i].attributes != static_cast<attribute>(i) || g[i].extent != make_shape(1 + i % 5) || g[i].op != i % 7;
  CHECK(wrong == 0);
}

TEST_CASE("two graphs built by the same steps are the same, node for node") {
  graph const a = chain(3000), b = chain(3000);
  REQUIRE(a.size() == 3002);
  REQUIRE(b.size() == a.size());
  for (int id = 0; id < a.size(); ++id) {
    REQUIRE(a[id].op == b[id].op);
    REQUIRE(std::ranges::equal(a.operands(id), b.operands(id)));
    for (int operand : a.operands(id)) REQUIRE(operand < id);
  }
}

constexpr auto frozen_chain = freeze([] { return chain(1200); });

TEST_CASE("a frozen graph has the content of the one it was made from") {
  graph const live = chain(1200);
  graph_view const frozen = frozen_chain;
  REQUIRE(frozen.size() == live.size());
  int wrong = 0;
  for (int id = 0; id < live.size(); ++id) {
    node const &a = live[id], &b = frozen[id];
    wrong +=
        a.op != b.op || a.type != b.type || a.extent != b.extent || a.attributes != b.attributes || a.arity != b.arity;
    wrong += !std::ranges::equal(live.operands(id), frozen.operands(id));
  }
  CHECK(wrong == 0);
  REQUIRE(frozen.outputs.size() == 2);
  CHECK(frozen.outputs[0] == 1201);
  CHECK(frozen.outputs[1] == 1);
}

// Programs are keyed by content: equal graphs from different functions are one template argument, others are not.
template <auto Graph>
struct keyed {};
constexpr auto first_chain = freeze([] { return chain(5); });
constexpr auto other_chain = freeze([] {
  graph g = chain(4);
  g.outputs = {insert(g, 5, element::f64, make_shape(4), 0, {5, 1}), 1};
  return g;
});
constexpr auto unlike_chain = freeze([] {
  graph g = chain(4);
  g.outputs = {insert(g, 5, element::f64, make_shape(4), 0, {5, 0}), 1};
  return g;
});
static_assert(std::is_same_v<keyed<first_chain>, keyed<other_chain>>);
static_assert(std::is_same_v<decltype(first_chain), decltype(unlike_chain)> &&
              !std::is_same_v<keyed<first_chain>, keyed<unlike_chain>>);

// A graph of inputs alone has no edges, and still is a literal.
constexpr auto lonely_input = freeze([] {
  graph g;
  g.outputs.push_back(insert(g, 0, element::f32, make_shape(2), 0));
  return g;
});
static_assert(std::is_same_v<keyed<lonely_input>, keyed<lonely_input>> && lonely_input.view().size() == 1 &&
              lonely_input.view().operands(0).empty());

}  // namespace

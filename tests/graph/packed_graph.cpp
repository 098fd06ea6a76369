#include <etch/graph/packed_graph.hpp>

#include <etch/graph/content_key.hpp>

#include "core/identical.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace {

using namespace etch;

constexpr int insert(graph& g, opcode op, element type, shape const& extent, attribute attributes,
                     std::initializer_list<int> operands = {}) {
  return g.insert(op, type, extent, attributes, {operands.begin(), operands.size()});
}

/// Graphs that strain the form: attributes of every length, long and short extents, far operands, several outputs.
constexpr graph strained() {
  graph g;
  int const x = insert(g, 0, element::f64, make_shape(), 0);
  for (double c : {0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 1e300, -1e-300, std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::denorm_min()})
    insert(g, 1, element::f64, make_shape(), attribute_of(c));
  for (int bit = 0; bit < 64; ++bit) insert(g, 2, element::boolean, make_shape(), attribute{1} << bit);
  insert(g, 2, element::boolean, make_shape(), ~attribute{0});
  insert(g, 65535, element::u64, make_shape(1, 1, 1, 1), 3);
  insert(g, 3, element::f32, make_shape(2147483647), 3);
  insert(g, 3, element::f32, make_shape(127, 128, 129), 3);
  insert(g, 3, element::f32, make_shape(1), 3);
  int last = x;
  for (int i = 0; i < 300; ++i) last = insert(g, 4, element::f64, make_shape(i + 1), 0, {x, last, x});
  g.outputs = {last, x, last, 5};
  return g;
}
struct strained_graph {
  static constexpr auto value = freeze([] { return strained(); });
};
constexpr auto strained_packed = pack<strained_graph>();
static_assert(graphs::identical(unpack<strained_packed>(), strained_graph::value));
static_assert(graphs::identical(strained_graph::value, strained_graph::value));

constexpr graph chain(int length, opcode last_op) {
  graph g;
  int last = insert(g, 0, element::f32, make_shape(3), 0);
  for (int i = 1; i < length; ++i) last = insert(g, 7, element::f32, make_shape(3), 0, {last});
  g.outputs.push_back(insert(g, last_op, element::f32, make_shape(3), 0, {last}));
  return g;
}
template <int Length, opcode LastOp>
struct chain_graph {
  static constexpr auto value = freeze([] { return chain(Length, LastOp); });
};
struct chain_again {
  static constexpr auto value = freeze([] {
    graph g = chain(9, 7);
    g.outputs = {insert(g, 8, element::f32, make_shape(3), 0, {9})};
    return g;
  });
};

// Equal graphs are one template argument, however they were made; others are not.
template <auto Packed>
struct keyed {};
constexpr auto chain_of_ten = pack<chain_graph<10, 8>>();
constexpr auto same_chain = pack<chain_again>();
constexpr auto unlike_chain = pack<chain_graph<10, 9>>();
static_assert(std::is_same_v<keyed<chain_of_ten>, keyed<same_chain>> &&
              !std::is_same_v<keyed<chain_of_ten>, keyed<unlike_chain>>);

TEST_CASE("a graph of a thousand nodes packs into about a word a node and comes back") {
  static constexpr auto packed = pack<chain_graph<1000, 8>>();
  static constexpr auto restored = unpack<packed>();
  CHECK(packed.words.size() <= 1001);
  CHECK(graphs::identical(restored, chain(1000, 8)));
  CHECK(!graphs::identical(restored, chain(1000, 9)));
}

}  // namespace

// The graph: a flat array of nodes, hash-consed on insertion, so that equal expressions are one node.
#pragma once

#include <etch/graph/element.hpp>
#include <etch/graph/shape.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

ETCH_NAMESPACE_BEGIN

/// Position of an op in the op list (`op/ops.hpp`).
using opcode = std::uint16_t;

/// Data of an op besides its operands (axes, the bits of a constant, ...), packed by the op itself.
using attribute = std::uint64_t;

/// A number as an attribute, and back.
constexpr attribute attribute_of(double value) { return std::bit_cast<attribute>(value); }
constexpr double value_of(attribute bits) { return std::bit_cast<double>(bits); }

/// One value of a program.
struct node {
  opcode op{};
  element type{};
  shape extent{};
  attribute attributes{};
  int first_operand{};  ///< its operands are `edges[first_operand ... first_operand + arity)`
  int arity{};
};

/// Read access to a graph, whoever stores it. Operands of a node have smaller indices than the node.
struct graph_view {
  const_span<node> nodes;
  const_span<int> edges;
  const_span<int> outputs;
  const_span<std::uint64_t> pool{};  ///< the bodies of loops (`graph/loop_body.hpp`)

  constexpr int size() const { return static_cast<int>(nodes.size()); }
  // Straight to the arrays: compilers count the steps of a constant evaluation, and every call is two.
  constexpr node const& operator[](int id) const { return nodes.start[id]; }
  constexpr const_span<int> operands(int id) const {
    return {edges.start + nodes.start[id].first_operand, static_cast<std::size_t>(nodes.start[id].arity)};
  }
};

/// Words of a graph's pool, as the attribute of the node that they belong to.
constexpr attribute attribute_of(const_span<std::uint64_t> pool, const_span<std::uint64_t> words) {
  return static_cast<attribute>(words.start - pool.start) << 32 | words.size();
}
/// The words of `pool` that the attribute `a` names.
constexpr const_span<std::uint64_t> words_at(const_span<std::uint64_t> pool, attribute a) {
  return {pool.start + (a >> 32), static_cast<std::size_t>(a & 0xffffffffu)};
}

struct capture_scope;
struct opaque_function;

/// Receives the nodes of a graph whose values are computed while it grows: a tape (`tape/recorder.hpp`).
struct node_observer {
  int (*insert)(node_observer&, opcode, element, shape const&, attribute, const_span<int> operands) = nullptr;
  std::byte* (*settle)(node_observer&,
                       int id) = nullptr;  ///< the entries of a node's value, side by side at a multiple of 64
  element holds{};                         ///< the type of its floating values
};

/// A graph under construction. Constant evaluation, tests and tapes build one; none reaches a compiled program's heap.
class graph {
 public:
  // Nodes and their operands; `insert`, `append` and `truncate` alone change them.
  sequence<node> nodes;
  sequence<int> edges;
  sequence<int> outputs;     // the values asked for, in order
  bool simplifying = false;  ///< whether operations apply their identities on insertion (see `graph/term.hpp`)
  bool precise =
      false;  ///< whether its derivatives take rules in the form that is accurate everywhere (`etch::precise`)
  bool mistaken =
      false;  ///< whether a mistake was named while it was traced: nothing that follows from it is another one
  sequence<std::uint64_t> pool;
  capture_scope* scope = nullptr;     ///< of the body of a loop while it is traced (`core/capture.hpp`)
  int loops_begun = 0;                ///< in this graph and the bodies inside it, while they are traced
  node_observer* recorder = nullptr;  ///< of the graph of a tape
  sequence<opaque_function const*>
      functions;  ///< of the user's, which nodes call: in the outermost graph, while it is traced

  constexpr int size() const { return static_cast<int>(nodes.count); }
  constexpr node const& operator[](int id) const { return nodes.entry[id]; }
  constexpr graph_view view() const { return {nodes, edges, outputs, pool}; }
  constexpr operator graph_view() const { return view(); }
  constexpr const_span<int> operands(int id) const {
    return {edges.entry + nodes.entry[id].first_operand, static_cast<std::size_t>(nodes.entry[id].arity)};
  }

  /// Makes room for `wanted` nodes at once: growing by and by takes a compiler many steps.
  constexpr void reserve(int wanted) {
    auto const n = static_cast<std::size_t>(wanted);
    nodes.reserve(n);
    edges.reserve(2 * n);
    if (2 * n + 2 > table_.count) grow(2 * n + 2);
  }

  /// Puts words into the pool, unless they are there, and gives the attribute of a node that they belong to. Every
  /// word string begins with its own length.
  constexpr attribute keep(const_span<std::uint64_t> words) {
    for (std::size_t at = 0; at < pool.size(); at += static_cast<std::size_t>(pool.entry[at])) {
      bool same = pool.entry[at] == words.size();
      for (std::size_t i = 0; same && i < words.size(); ++i) same = pool.entry[at + i] == words.start[i];
      if (same) return attribute_of(pool, {pool.entry + at, words.size()});
    }
    std::size_t const first = pool.size();
    for (std::uint64_t word : words) pool.push_back(word);
    return attribute_of(pool, {pool.entry + first, words.size()});
  }

  /// The index of the node with this content; a new one only if there is none yet.
  constexpr int insert(opcode op, element type, shape const& extent, attribute attributes, const_span<int> operands) {
    if (recorder != nullptr) return recorder->insert(*recorder, op, type, extent, attributes, operands);
    if (2 * (nodes.count + 1) > table_.count) grow(64);
    std::size_t slot = hash(op, type, extent, attributes, operands) & (table_.count - 1);
    for (; table_.entry[slot] != 0; slot = (slot + 1) & (table_.count - 1))
      if (equal(nodes.entry[table_.entry[slot] - 1], op, type, extent, attributes, operands))
        return table_.entry[slot] - 1;
    return (table_.entry[slot] = append(op, type, extent, attributes, operands) + 1) - 1;
  }

  /// A node of its own, whatever others there are. `operands` are none of this graph's own.
  constexpr int append(opcode op, element type, shape const& extent, attribute attributes, const_span<int> operands) {
    nodes.push_back({op, type, extent, attributes, static_cast<int>(edges.count), static_cast<int>(operands.count)});
    for (std::size_t i = 0; i < operands.count; ++i) edges.push_back(operands.start[i]);
    return static_cast<int>(nodes.count) - 1;
  }
  /// Lets nodes and edges use memory that already holds them, see `sequence::borrow`.
  void borrow(node* for_nodes, std::size_t node_count, int* for_edges, std::size_t edge_count) {
    nodes.borrow(for_nodes, node_count);
    edges.borrow(for_edges, edge_count);
  }
  /// Takes back all nodes from number `first` on, of a graph made by `append`.
  constexpr void truncate(int first) {
    if (first >= size()) return;
    edges.shrink(static_cast<std::size_t>(nodes.entry[first].first_operand));
    nodes.shrink(static_cast<std::size_t>(first));
  }

 private:
  sequence<int> table_;  // open addressing, node index + 1, 0 where free

  // Few statements, because compilers count them.
  static constexpr std::size_t hash(opcode op, element type, shape const& s, attribute attributes,
                                    const_span<int> operands) {
    int const *const e = s.extent.entry, *const o = operands.start;
    std::uint64_t h =
        (((attributes ^ (attributes >> 29)) * 0x9e3779b97f4a7c15u + op + (static_cast<std::uint64_t>(type) << 16)) ^
         (static_cast<std::uint64_t>(e[0]) + (static_cast<std::uint64_t>(e[1]) << 20) +
          (static_cast<std::uint64_t>(e[2]) << 40) + (static_cast<std::uint64_t>(e[3]) << 54))) *
        0xbf58476d1ce4e5b9u;
    if (operands.count <= 2)
      h ^= (operands.count < 1 ? 0 : static_cast<std::uint64_t>(o[0])) +
           (operands.count < 2 ? 0 : static_cast<std::uint64_t>(o[1]) << 32);
    else
      for (std::size_t i = 0; i < operands.count; ++i) h = (h ^ static_cast<std::uint64_t>(o[i])) * 0x94d049bb133111ebu;
    h *= 0x94d049bb133111ebu;
    return static_cast<std::size_t>(h ^ (h >> 31));
  }

  constexpr bool equal(node const& n, opcode op, element type, shape const& extent, attribute attributes,
                       const_span<int> wanted) const {
    return n.op == op && n.type == type && n.attributes == attributes && n.arity == static_cast<int>(wanted.count) &&
           n.extent == extent && (n.arity < 1 || edges.entry[n.first_operand] == wanted.start[0]) &&
           (n.arity < 2 || edges.entry[n.first_operand + 1] == wanted.start[1]) &&
           (n.arity < 3 || equal_beyond(n, 2, wanted));
  }
  constexpr bool equal_beyond(node const& n, int from, const_span<int> wanted) const {
    for (int i = from; i < n.arity; ++i)
      if (edges.entry[n.first_operand + i] != wanted.start[i]) return false;
    return true;
  }

  /// Makes a table of at least so many slots, and of twice as many as there are nodes.
  constexpr void grow(std::size_t wanted) {
    std::size_t slots = 64;
    while (slots < wanted || slots < 2 * nodes.count + 2) slots *= 2;
    table_ = sequence<int>::zeros(slots);
    std::size_t const mask = slots - 1;
    for (int id = 0; id < size(); ++id) {
      node const& n = nodes.entry[id];
      std::size_t slot = hash(n.op, n.type, n.extent, n.attributes, operands(id)) & mask;
      while (table_.entry[slot] != 0) slot = (slot + 1) & mask;
      table_.entry[slot] = id + 1;
    }
  }
};

/// A finished graph of known size: a literal, and fit to be a template argument.
template <int Nodes, int Edges, int Outputs, int Pool = 0>
struct static_graph {
  fixed<node, Nodes> nodes{};
  fixed<int, Edges> edges{};
  fixed<int, Outputs> outputs{};
  fixed<std::uint64_t, Pool> pool{};

  constexpr graph_view view() const { return {nodes, edges, outputs, pool}; }
  constexpr operator graph_view() const { return view(); }
};

/// Nodes, edges, outputs and words of a graph.
using graph_size = fixed<int, 4>;

/// The numbers of nodes, edges, outputs and words of a graph.
constexpr graph_size size_of(graph_view v) {
  return {static_cast<int>(v.nodes.size()), static_cast<int>(v.edges.size()), static_cast<int>(v.outputs.size()),
          static_cast<int>(v.pool.size())};
}

namespace detail {

/// `g` as a literal of its own size, or with room for more.
template <graph_size Size>
constexpr auto literal_of(graph_view g) {
  static_graph<Size[0], Size[1], Size[2], Size[3]> to;
  for (std::size_t i = 0; i < g.nodes.size(); ++i) to.nodes.entry[i] = g.nodes.start[i];
  for (std::size_t i = 0; i < g.edges.size(); ++i) to.edges.entry[i] = g.edges.start[i];
  for (std::size_t i = 0; i < g.outputs.size(); ++i) to.outputs.entry[i] = g.outputs.start[i];
  for (std::size_t i = 0; i < g.pool.size(); ++i) to.pool.entry[i] = g.pool.start[i];
  return to;
}

/// A graph in a literal with room for more; empty where it did not fit.
template <graph_size Room>
struct roomy_graph {
  decltype(literal_of<Room>({})) content{};
  graph_size size{};

  constexpr explicit roomy_graph(graph const& g) : size(size_of(g)) {
    if (fits()) content = literal_of<Room>(g);
  }
  constexpr bool fits() const {
    return size[0] <= Room[0] && size[1] <= Room[1] && size[2] <= Room[2] && size[3] <= Room[3];
  }
  constexpr graph_view view() const {
    auto const count = [&](int i) { return static_cast<std::size_t>(size[static_cast<std::size_t>(i)]); };
    return {{content.nodes.data(), count(0)},
            {content.edges.data(), count(1)},
            {content.outputs.data(), count(2)},
            {content.pool.data(), count(3)}};
  }
};

// Variables of their own, each with its own budget of steps. The graphs are temporaries: clang evaluates a variable
// that has a destructor once more, when it looks whether the variable's destruction is a constant.
template <class Make, graph_size Room>
inline constexpr roomy_graph<Room> made_in_room{Make{}()};

/// The size up to which a pass is likely to grow a graph of this size.
constexpr graph_size room_for(graph_size from) {
  return {4 * from[0] + 64, 4 * from[1] + 128, from[2] + from[0], 4 * from[3]};
}

/// True, after all steps that `freeze` takes for a graph made from `From`: for trying whether
/// the compiler's limit allows them.
template <auto const& From>
constexpr bool can_be_frozen(graph const& made) {
  return roomy_graph<room_for(size_of(From))>(made).size[0] >= 0;
}

inline constexpr static_graph<0, 0, 1> no_graph{};

}  // namespace detail

/// The graph that the stateless function `Make` returns, as a literal. `Make` runs once, or twice if the graph has more
/// nodes than `From`, the graph it is made from, lets expect.
template <auto const& From, class Make>
consteval auto freeze(Make) {
  constexpr auto const& made = detail::made_in_room<Make, detail::room_for(size_of(From))>;
  if constexpr (made.fits()) return detail::literal_of<made.size>(made.view());
  else return detail::literal_of<made.size>(detail::made_in_room<Make, made.size>.view());
}
/// A graph whose size is known is made once,
template <graph_size Size, class Make>
consteval auto freeze(Make) {
  return detail::literal_of<Size>(detail::made_in_room<Make, Size>.view());
}
/// and a small one may be made from nothing.
template <class Make>
consteval auto freeze(Make make) {
  return freeze<detail::no_graph>(make);
}

ETCH_NAMESPACE_END

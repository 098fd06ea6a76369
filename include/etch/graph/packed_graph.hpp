// packed_graph: a graph as a few words, the form in which it is a template argument and hence part of symbol names.
// Compilers spend time and memory on every field of such an argument, so about one word a node is kept, not sixteen.
#pragma once

#include <etch/graph/opaque.hpp>

ETCH_NAMESPACE_BEGIN

/// A graph's content, eight bytes to a word. Equal graphs have equal words.
template <int Words>
struct packed_graph {
  fixed<std::uint64_t, Words> words{};
};

/// The words of a graph, or of a kernel, with the functions of the user's that it calls.
template <class Words, int Count>
struct with_functions : Words {
  function_list<Count> functions{};
};
/// Such words as a constant, whose address is the template argument: what a unit has for itself then gives its programs
/// internal linkage. (g++ does not look for it inside of an argument of class type.)
template <auto Words, opaque_function const*... Function>
struct calling {
  static constexpr with_functions<std::remove_const_t<decltype(Words)>, static_cast<int>(sizeof...(Function))> value{
      Words, {{Function...}}};
};
/// The content of a template argument: words, or the address of words with functions.
template <class Packed>
constexpr decltype(auto) content(Packed const& packed) {
  if constexpr (std::is_pointer_v<Packed>) return *packed;
  else return (packed);
}
template <class Packed>
constexpr auto functions_of(Packed const& packed) {
  if constexpr (requires { content(packed).functions; }) return content(packed).functions;
  else return no_functions;
}

namespace detail {

/// Writes numbers with seven bits to a byte, the last byte marked.
class byte_writer {
 public:
  constexpr void put(std::uint64_t value) {
    for (;; value >>= 7) {
      if (shift_ == 64) words_.push_back(0), ++last_, shift_ = 0;
      words_.entry[last_] |= (value < 128 ? value | 128 : value & 127) << shift_;
      shift_ += 8;
      if (value < 128) return;
    }
  }
  /// Begins a new word.
  constexpr void align() { shift_ = 64; }
  /// Words of their own, as they are.
  constexpr void put_words(const_span<std::uint64_t> all) {
    for (std::size_t i = 0; i < all.count; ++i) words_.push_back(all.start[i]);
    last_ = static_cast<int>(words_.count) - 1;
    align();
  }
  constexpr sequence<std::uint64_t> const& words() const { return words_; }

 private:
  sequence<std::uint64_t> words_;
  int last_ = -1;   // the last word
  int shift_ = 64;  // bits of it that are in use
};

/// Reads what `byte_writer` wrote.
class byte_reader {
 public:
  constexpr explicit byte_reader(const_span<std::uint64_t> words) : next_(words.start) {}

  constexpr std::uint64_t get() {
    std::uint64_t const byte = (shift_ == 64 ? (word_ = *next_++, shift_ = 0) : 0, (word_ >> shift_) & 255);
    return shift_ += 8, byte >= 128 ? byte & 127 : get_behind(byte);
  }
  constexpr int number() { return static_cast<int>(get()); }
  /// Goes to where a new word begins.
  constexpr void align() { shift_ = 64; }
  /// The `n` words that follow, as they are.
  constexpr const_span<std::uint64_t> words(std::size_t n) {
    align();
    next_ += n;
    return {next_ - n, n};
  }

 private:
  std::uint64_t const* next_;  // the word behind the one that is read
  std::uint64_t word_ = 0;     // read from a variable, since compilers take long to follow a pointer
  int shift_ = 64;             // bits of it that were read

  /// The number that begins with `value`.
  constexpr std::uint64_t get_behind(std::uint64_t value) {
    for (int shift = 7;; shift += 7) {
      std::uint64_t const byte = (shift_ == 64 ? (word_ = *next_++, shift_ = 0) : 0, (word_ >> shift_) & 255);
      shift_ += 8, value |= (byte & 127) << shift;
      if (byte >= 128) return value;
    }
  }
};

/// Twelve bits to the left, so that constants such as 1 or 0.5, whose bits stand on the left, become short numbers too.
inline constexpr int attribute_rotation = 12;

/// Where in the number that a node's small fields share each begins; the rank is in front, of an arity what is below 3.
struct node_head {
  static constexpr int counted = 3, type = 6, has_attributes = type + element_bits, arity = has_attributes + 1,
                       op = arity + 2;
};

/// All of a node but its operands.
constexpr void write_node(byte_writer& out, node const& n) {
  int const small = n.extent.rank | n.extent.counted << node_head::counted |
                    static_cast<int>(n.type) << node_head::type | (n.attributes != 0) << node_head::has_attributes |
                    (n.arity < 3 ? n.arity : 3) << node_head::arity;
  out.put(static_cast<std::uint64_t>(small) | static_cast<std::uint64_t>(n.op) << node_head::op);
  if (n.arity > 2) out.put(static_cast<std::uint64_t>(n.arity));
  for (int axis = 0; axis < n.extent.rank; ++axis) out.put(static_cast<std::uint64_t>(n.extent.extent.entry[axis]));
  if (n.attributes != 0) out.put(std::rotl(n.attributes, attribute_rotation));
}
constexpr void write_graph(byte_writer& out, graph_view g) {
  out.put(g.nodes.size());
  out.put(g.edges.size());
  out.put(g.outputs.size());
  out.put(g.pool.size());
  for (int id = 0; id < g.size(); ++id) {
    write_node(out, g[id]);
    for (int operand : g.operands(id)) out.put(static_cast<std::uint64_t>(id - operand));
  }
  for (int output : g.outputs) out.put(static_cast<std::uint64_t>(output));
  out.put_words(g.pool);
}

/// Reads the node `id`; calls `edge(operand)` for each operand.
constexpr node read_node(byte_reader& in, int id, int first_operand, auto edge) {
  node n;
  std::uint64_t const head = in.get();
  n.extent.rank = static_cast<int>(head & 7);
  n.extent.counted = static_cast<int>(head >> node_head::counted & 7);
  n.type = static_cast<element>(head >> node_head::type & ((1 << element_bits) - 1));
  n.op = static_cast<opcode>(head >> node_head::op);
  n.arity = static_cast<int>(head >> node_head::arity & 3);
  if (n.arity == 3) n.arity = in.number();
  for (int axis = 0; axis < n.extent.rank; ++axis) n.extent.extent.entry[axis] = in.number();
  if ((head >> node_head::has_attributes & 1) != 0) n.attributes = std::rotr(in.get(), attribute_rotation);
  n.first_operand = first_operand;
  for (int i = 0; i < n.arity; ++i) edge(id - in.number());
  return n;
}

/// The graph that `write_graph` wrote. (Its nodes differ already; what only reads it needs no table of them.)
constexpr graph read_graph(byte_reader& in) {
  graph g;
  int const nodes = in.number();
  auto const edges = static_cast<std::size_t>(in.get());
  int const outputs = in.number();
  auto const pool = static_cast<std::size_t>(in.get());
  g.nodes.reserve(static_cast<std::size_t>(nodes));
  g.edges.reserve(edges);
  g.pool.reserve(pool);
  sequence<int> operands;
  for (int id = 0; id < nodes; ++id) {
    operands.clear();
    node const n = read_node(in, id, 0, [&](int operand) { operands.push_back(operand); });
    g.append(n.op, n.type, n.extent, n.attributes, operands);
  }
  for (int i = 0; i < outputs; ++i) g.outputs.push_back(in.number());
  for (std::uint64_t word : in.words(pool)) g.pool.push_back(word);
  return g;
}

constexpr sequence<std::uint64_t> packed_words(graph_view g) {
  byte_writer out;
  write_graph(out, g);
  return out.words();
}

/// Words in room for more; empty where they did not fit.
template <int Room>
struct roomy_words {
  fixed<std::uint64_t, Room> words{};
  int count = 0;

  constexpr explicit roomy_words(sequence<std::uint64_t> const& all) : count(static_cast<int>(all.size())) {
    for (int i = 0; i < count && count <= Room; ++i) words.entry[i] = all.entry[i];
  }
};
template <class Graph, int Room>
inline constexpr roomy_words<Room> words_in_room{packed_words(Graph::value)};

template <int Words>
constexpr packed_graph<Words> packed_literal(std::uint64_t const* words) {
  packed_graph<Words> p;
  for (int i = 0; i < Words; ++i) p.words.entry[i] = words[i];
  return p;
}

constexpr graph_size packed_size(const_span<std::uint64_t> words) {
  byte_reader in(words);
  graph_size size;
  for (int& each : size.entry) each = in.number();
  return size;
}
template <graph_size Size>
constexpr auto read_literal(const_span<std::uint64_t> words) {
  static_graph<Size[0], Size[1], Size[2], Size[3]> g;
  byte_reader in(words);
  for (int i = 0; i < 4; ++i) in.get();
  int edges = 0;
  for (int id = 0; id < Size[0]; ++id)
    g.nodes.entry[id] = read_node(in, id, edges, [&](int operand) { g.edges.entry[edges++] = operand; });
  for (int& output : g.outputs) output = in.number();
  const_span<std::uint64_t> const pool = in.words(static_cast<std::size_t>(Size[3]));
  for (int i = 0; i < Size[3]; ++i) g.pool.entry[i] = pool.start[i];
  return g;
}

}  // namespace detail

/// The packed form of the constant `Graph::value`. It is made once, or twice where it has more words than is usual.
template <class Graph>
consteval auto pack() {
  constexpr graph_size size = size_of(Graph::value);
  constexpr int usual = 2 * size[0] + size[1] + size[2] + 2 * size[3] + 8;
  constexpr int count = detail::words_in_room<Graph, usual>.count;
  return detail::packed_literal<count>(detail::words_in_room<Graph, (count <= usual ? usual : count)>.words.data());
}

ETCH_NAMESPACE_END

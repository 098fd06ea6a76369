// program_hash: a number that tells programs apart, to be kept in files beside the weights.
#pragma once

#include <etch/compile/trace.hpp>

ETCH_NAMESPACE_BEGIN
namespace io {

namespace detail {

constexpr std::uint64_t mixed(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 32);
}
constexpr std::uint64_t hash_of_name(char const* name) {
  std::uint64_t h = 0x6574636800000001u;
  for (; *name != '\0'; ++name) h = mixed(h, static_cast<unsigned char>(*name));
  return h;
}

// Names instead of positions in lists, so that new ops and element types change no hash.
template <class... Op>
constexpr auto hashes_of_ops(op_list<Op...>) {
  return fixed{hash_of_name(Op::name)...};
}
inline constexpr auto hash_of_op = hashes_of_ops(op::list{});
inline constexpr auto hash_of_element = [] {
  fixed<std::uint64_t, static_cast<int>(element::f64) + 1> h;
  for (std::size_t i = 0; i < h.size(); ++i) h[i] = hash_of_name(name_of(static_cast<element>(i)));
  return h;
}();

constexpr sequence<std::uint64_t> hashes_of_nodes(graph_view g, const_span<std::uint64_t> inputs);

/// The hash of a loop, from those of its operands. What is captured is known by its own hash: compilers may differ in
/// the order in which a body meets what it captures. How much is kept for the way back is no part of the program.
constexpr std::uint64_t hash_of_loop(loop_body const& l, const_span<std::uint64_t> operands) {
  std::uint64_t h = mixed(static_cast<std::uint64_t>(l.count), static_cast<std::uint64_t>(l.backward));
  sequence<std::uint64_t> inputs;
  std::uint64_t carries = 0;
  if (l.gate >= 0) h = mixed(h, operands[static_cast<std::size_t>(l.gate)]);
  for (std::size_t i = 0; i < l.in.size(); ++i) {
    std::uint64_t input = mixed(static_cast<std::uint64_t>(l.in.entry[i]), operands[i]);
    if (l.in.entry[i] == loop_input::carry) h = mixed(h, input = mixed(input, ++carries));
    inputs.push_back(input);
  }
  sequence<std::uint64_t> const nodes = hashes_of_nodes(l.body, inputs);
  for (std::size_t i = 0; i < l.out.size(); ++i)
    h = mixed(mixed(h, static_cast<std::uint64_t>(l.out.entry[i])), nodes.entry[l.body.outputs.entry[i]]);
  return h;
}

/// A hash of every node, from its op, type, shape, attribute and the hashes of its operands: compilers may
/// differ in the order of the nodes, because they may evaluate the operands of a function in any order.
/// `inputs` stand for the positions of inputs.
constexpr sequence<std::uint64_t> hashes_of_nodes(graph_view g, const_span<std::uint64_t> inputs) {
  sequence<std::uint64_t> hashes, operands;
  hashes.reserve(static_cast<std::size_t>(g.size()));
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g[id];
    std::uint64_t h = mixed(hash_of_op.entry[n.op], hash_of_element.entry[static_cast<std::size_t>(n.type)]);
    for (int axis = 0; axis < n.extent.rank; ++axis) h = mixed(h, static_cast<std::uint64_t>(n.extent[axis]));
    operands.clear();
    for (int operand : g.operands(id)) operands.push_back(hashes.entry[operand]);
    if (facts_of(n).is_loop) {
      h = mixed(h, hash_of_loop(loop_at(g, id), operands));
    } else {
      h = mixed(h, n.op == opcode_of<op::input> ? inputs[static_cast<std::size_t>(n.attributes)] : n.attributes);
      for (std::uint64_t operand : operands) h = mixed(h, operand);
    }
    hashes.push_back(h);
  }
  return hashes;
}

/// The hash of a traced program: of what it gives, and the types of all its leaves.
constexpr std::uint64_t hash_of_program(graph_view g) {
  sequence<std::uint64_t> positions;
  sequence<int> leaves;
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].op != opcode_of<op::input>) continue;
    positions.push_back(static_cast<std::uint64_t>(leaves.size()));
    leaves.push_back(id);
  }
  sequence<std::uint64_t> const hashes = hashes_of_nodes(g, positions);
  std::uint64_t h = leaves.size();
  for (int leaf : leaves) h = mixed(h, hashes.entry[leaf]);
  for (int output : g.outputs) h = mixed(h, hashes.entry[output]);
  return h;
}

template <class F, class... A>
struct hashed_program {
  static constexpr auto traced = freeze([] { return pass::trace<F, A...>(F{}); });
  static constexpr std::uint64_t hash = hash_of_program(traced);
};

}  // namespace detail

/// A hash of the program that loss `f` is on arguments of these types, whose values are not read: its operations
/// with their types, shapes and attributes as they are traced, before any pass, and the types of all leaves. The
/// same from every compiler and for every machine.
template <class F, class... A>
constexpr std::uint64_t program_hash(F, A const&...) {
  return detail::hashed_program<F, A...>::hash;
}

}  // namespace io
ETCH_NAMESPACE_END

// known: which ops the tapes of a program know. Code that puts an op into a graph names it, so a unit holds the kernels
// and rules of the ops that its code can reach, for tapes of the types that it has, and of no others.
#pragma once

#include <etch/op/ops.hpp>

#include <atomic>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// Facts of an op while a program runs. It is part of what a tape holds of the op (`tape/recorded_op.hpp`).
struct known_op {
  term (*insert)(graph&, node const&,
                 const_span<int> operands) = nullptr;  ///< the node in a graph, with its identities
};

/// Stands for the row of `Op` in tapes of type `T`: a function `row_of(row<Op, T>)` gives it. The class of such tapes
/// defines that, so units without one neither have it nor spend a compiler's time on it.
template <class Op, class T>
struct row {};

/// The row, or null in programs without such tapes: a weak function that nobody defines has no address.
template <class Op, class T>
known_op const* find_row() {
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-attributes"  // where it is defined already
#endif
  [[gnu::weak]] known_op const& row_of(row<Op, T>);
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
  known_op const& (*found)(row<Op, T>) = row_of;
  asm("" : "+r"(found));  // g++ 12 takes the address of any function that has a body for one that is not null
  return found != nullptr ? &found({}) : nullptr;
}

/// The ops that tapes of type `T` have met so far, by position in the list of ops. Every writer of an entry writes the
/// same.
template <class T>
inline std::atomic<known_op const*> known_ops[op::list::size];

template <class T>
known_op const* known(opcode op) {
  return known_ops<T>[op].load(std::memory_order_relaxed);
}
template <class Op, class T>
void make_known_to() {
  if (known<T>(opcode_of<Op>) != nullptr) return;
  // Nothing is written for tapes that the program has not: threads would take the list from each other with every node.
  if (known_op const* const row = find_row<Op, T>()) known_ops<T>[opcode_of<Op>].store(row, std::memory_order_relaxed);
}

}  // namespace dynamic
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// Lets tapes know `Op`, which is about to be put into a graph.
template <class Op>
constexpr void make_known() {
  if (__builtin_is_constant_evaluated()) return;
  dynamic::make_known_to<Op, float>();
  dynamic::make_known_to<Op, double>();
}
/// Lets them know all ops, where those of a graph come from data. Whoever calls this holds all ops.
constexpr void make_all_known() {
  if (__builtin_is_constant_evaluated()) return;
  dynamic::find_row<op::list, float>();
  dynamic::find_row<op::list, double>();
}

/// Whether `Op` was put into a graph before: so it was where a node of it is at hand, but
/// for nodes that come from data.
template <class Op>
constexpr bool is_known() {
  if (__builtin_is_constant_evaluated()) return true;
  return dynamic::known<float>(opcode_of<Op>) != nullptr || dynamic::known<double>(opcode_of<Op>) != nullptr;
}

template <class Op, std::same_as<term>... X>
  requires(sizeof...(X) == Op::arity)
constexpr term emit(attribute attributes, X... x);

/// `Op(x...)` in an identity of values that `Op` made: it is known then, and the identity does not name it once more.
/// Nothing where `Op` is unknown after all.
template <class Op, std::same_as<term>... X>
constexpr term emit_known(attribute attributes, X... x) {
  if (__builtin_is_constant_evaluated()) return emit<Op>(attributes, x...);
  if (!is_known<Op>()) return {};
  dynamic::known_op const* const in_double = dynamic::known<double>(opcode_of<Op>);
  auto const insert = in_double != nullptr ? in_double->insert : dynamic::known<float>(opcode_of<Op>)->insert;
  fixed<int, sizeof...(X)> const ids{x.id...};
  graph& g = graph_of(x...);
  return insert(g, {opcode_of<Op>, g[ids[0]].type, {}, attributes, 0, sizeof...(X)}, ids);
}

ETCH_NAMESPACE_END

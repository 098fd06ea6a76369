// known: which ops the tapes of a program know. Code that puts an op into a graph names it, so a unit holds the kernels and rules of the ops
// that it can reach, and of no others.
#pragma once

#include <etch/op/ops.hpp>

#include <atomic>

namespace etch::inline ETCH_ABI::dynamic {

/// What is known of an op while a program runs. It is part of what a tape holds of the op (`tape/recorded_op.hpp`).
struct known_op {
  term (*insert)(graph&, node const&, const_span<int> operands) = nullptr;  ///< the node in a graph, with its identities
};

/// That of `Op`, which the tape defines. A program without tapes refers to it in code that builds graphs, and never runs that: hence weak.
template <class Op>
[[gnu::weak]] known_op const& recorded();
/// That of the op at a position in `List`, where only data say which.
template <class List>
[[gnu::weak]] known_op const& recorded_at(opcode);

/// What was met so far, by position in the list. Whoever writes an entry writes the same.
inline std::atomic<known_op const*> known_ops[op::list::size];

}  // namespace etch::inline ETCH_ABI::dynamic

namespace etch::inline ETCH_ABI {

/// Lets tapes know `Op`, which is about to be put into a graph.
template <class Op>
constexpr void make_known() {
  if (__builtin_is_constant_evaluated()) return;
  std::atomic<dynamic::known_op const*>& known = dynamic::known_ops[opcode_of<Op>];
  if (known.load(std::memory_order_relaxed) == nullptr && &dynamic::recorded<Op> != nullptr)
    known.store(&dynamic::recorded<Op>(), std::memory_order_relaxed);
}
/// The same of an op that was found in data. Whoever calls this holds all ops.
constexpr void make_known(opcode op) {
  if (__builtin_is_constant_evaluated()) return;
  std::atomic<dynamic::known_op const*>& known = dynamic::known_ops[op];
  if (known.load(std::memory_order_relaxed) == nullptr && &dynamic::recorded_at<op::list> != nullptr)
    known.store(&dynamic::recorded_at<op::list>(op), std::memory_order_relaxed);
}

/// Whether `Op` was put into a graph before: so it was where a node of it is at hand, but for nodes that come from data.
template <class Op>
constexpr bool is_known() {
  if (__builtin_is_constant_evaluated()) return true;
  return dynamic::known_ops[opcode_of<Op>].load(std::memory_order_relaxed) != nullptr;
}

template <class Op, std::same_as<term>... X>
requires(sizeof...(X) == Op::arity) constexpr term emit(attribute attributes, X... x);

/// `Op(x...)` in an identity of values that `Op` made: it is known then, and the identity does not name it once more. Nothing where `Op` is
/// unknown after all.
template <class Op, std::same_as<term>... X>
constexpr term emit_known(attribute attributes, X... x) {
  if (__builtin_is_constant_evaluated()) return emit<Op>(attributes, x...);
  if (!is_known<Op>()) return {};
  fixed<int, sizeof...(X)> const ids{x.id...};
  graph& g = graph_of(x...);
  return dynamic::known_ops[opcode_of<Op>].load(std::memory_order_relaxed)->insert(g, {opcode_of<Op>, g[ids[0]].type, {}, attributes, 0, sizeof...(X)}, ids);
}

}  // namespace etch::inline ETCH_ABI

// known: which ops the tapes of a program know. Code that puts an op into a graph names it, so a unit holds the kernels and rules of the ops
// that it can reach, and of no others.
#pragma once

#include <etch/op/ops.hpp>

#include <atomic>

namespace etch::inline ETCH_ABI::dynamic {

/// How a tape computes an op and goes back through it (`tape/recorded_op.hpp`).
struct recorded_op;

/// That of `Op`, which the tape defines. A program without tapes refers to it in code that builds graphs, and never calls it: hence weak.
template <class Op>
[[gnu::weak]] recorded_op const& recorded();
/// That of the op at a position in `List`, where only data say which.
template <class List>
[[gnu::weak]] recorded_op const& recorded_at(opcode);

/// What tapes have met so far, by position in the list. Every thread would write the same.
inline std::atomic<recorded_op const*> known_ops[op::list::size];

}  // namespace etch::inline ETCH_ABI::dynamic

namespace etch::inline ETCH_ABI {

/// Lets tapes know `Op`, which is about to be put into a graph.
template <class Op>
constexpr void make_known() {
  if (__builtin_is_constant_evaluated()) return;
  std::atomic<dynamic::recorded_op const*>& known = dynamic::known_ops[opcode_of<Op>];
  if (known.load(std::memory_order_relaxed) == nullptr && &dynamic::recorded<Op> != nullptr)
    known.store(&dynamic::recorded<Op>(), std::memory_order_relaxed);
}
/// The same of an op that comes from data which were made while compiling. Whoever calls this holds all ops.
constexpr void make_known(opcode op) {
  if (__builtin_is_constant_evaluated()) return;
  std::atomic<dynamic::recorded_op const*>& known = dynamic::known_ops[op];
  if (known.load(std::memory_order_relaxed) == nullptr && &dynamic::recorded_at<op::list> != nullptr)
    known.store(&dynamic::recorded_at<op::list>(op), std::memory_order_relaxed);
}

}  // namespace etch::inline ETCH_ABI

// recorded_op: what a tape holds of an op that its graph may have.
#pragma once

#include <etch/op/table.hpp>
#include <etch/tape/kernel.hpp>
#include <etch/tape/unroll.hpp>

namespace etch::inline ETCH_ABI::dynamic {

/// The kernels of an op, for tapes of either type, and its rules; null where its kind has no such thing.
struct recorded_op : known_op, kernel<float>, kernel<double> {
  void (*pullback)(node const&, term g, term y, const_span<term> x, sequence<term>& adjoints) = nullptr;
  term (*expand)(graph&, node const&, const_span<int> operands) = nullptr;
  sequence<int> (*unroll)(graph&, node const&, const_span<int> operands) = nullptr;  ///< the steps of a loop, whose results it gives
};

namespace detail {

template <class Op>
constexpr recorded_op recorded_op_of() {
  op_rules const& rules = rule_table.entry[opcode_of<Op>];
  recorded_op r{{rules.insert}, kernel_of<Op, float>(), kernel_of<Op, double>(), rules.pullback, rules.expand};
  if constexpr (is_a<Op, loop_kind>)
    r.unroll = [](graph& g, node const& n, const_span<int> operands) { return unroll(g, loop_of(words_at(g.pool, n.attributes)), operands); };
  return r;
}
template <class... Op>
constexpr auto recorded_ops_of(op_list<Op...>) {
  return fixed{recorded_op_of<Op>()...};
}
template <class List>
inline constexpr auto recorded_ops = recorded_ops_of(List{});

inline recorded_op const& row_of_recorded(opcode op) { return recorded_ops<op::list>.entry[op]; }

/// Defined in units that leave the tape's own code to another one: by `tape/extern.hpp`.
template <class Op>
struct is_recorded_elsewhere;

}  // namespace detail

template <class List>
known_op const& recorded_at(opcode op) {
  return out_of_line<detail::row_of_recorded>::call(op);
}
template <class Op>
known_op const& recorded() {
  if constexpr (requires { sizeof(detail::is_recorded_elsewhere<Op>); }) {
    return recorded_at<op::list>(opcode_of<Op>);
  } else {
    static constexpr recorded_op row = detail::recorded_op_of<Op>();
    return row;
  }
}

/// That of the op of a node in the graph of a tape, where code made it known.
inline recorded_op const& recorded_op_of(node const& n) {
  return static_cast<recorded_op const&>(*known_ops[n.op].load(std::memory_order_relaxed));
}

}  // namespace etch::inline ETCH_ABI::dynamic

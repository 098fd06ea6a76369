// recorded_op: what a tape holds of an op that its graph may have: a row for each op that code
// of the program puts into graphs.
#pragma once

#include <etch/op/table.hpp>
#include <etch/tape/kernel.hpp>
#include <etch/tape/unroll.hpp>

ETCH_NAMESPACE_BEGIN
namespace error {

[[noreturn]] inline void op_is_not_known(char const* name) {
  raise(std::string(name) +
        " was recorded by code of a unit that names no variable of such a tape: let its functions take or return "
        "etch::var");
}

}  // namespace error
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// The kernel of an op, and its rules; null where its kind has no such thing.
template <class T>
struct recorded_op : known_op, kernel<T> {
  void (*pullback)(node const&, term g, term y, const_span<term> x, sequence<term>& adjoints) = nullptr;
  term (*expand)(graph&, node const&, const_span<int> operands) = nullptr;
  sequence<int> (*unroll)(graph&, node const&,
                          const_span<int> operands) = nullptr;  ///< the steps of a loop, whose results it gives
};

template <class Op, class T>
constexpr recorded_op<T> recorded_op_of() {
  op_rules const& rules = rule_table.entry[opcode_of<Op>];
  recorded_op<T> r{{rules.insert}, detail::kernel_of<Op, T>(), rules.pullback, rules.expand};
  if constexpr (is_a<Op, loop_kind>)
    r.unroll = [](graph& g, node const& n, const_span<int> operands) {
      loop_body const l = loop_of(words_at(g.pool, n.attributes));
      auto& by = recorder<T>::of(&g);
      return leaves_carries_alone(by, l, operands) ? carries_alone(by, l, operands) : unroll(g, l, operands);
    };
  return r;
}

/// Defines the row of an op, for `find_row`: from where this class is instantiated on, a unit has the function.
template <class Op, class T>
struct row_definition {
  friend known_op const& row_of(row<Op, T>) {
    static constexpr recorded_op<T> held = recorded_op_of<Op, T>();
    return held;
  }
};
/// Defines all rows; those that no code of the unit looks for are never compiled.
template <class T, class List>
struct row_definitions;
template <class T, class... Op>
struct row_definitions<T, op_list<Op...>> : row_definition<Op, T>... {
  friend known_op const& row_of(row<op_list<Op...>, T>) {  // of no op: makes all known
    (make_known_to<Op, T>(), ...);
    return *known<T>(0);
  }
};

/// Complete in units that leave the tape's own code to another one: by `tape/extern.hpp`.
template <class T>
struct rows_are_elsewhere;
/// Instantiates them, unless another unit has them. Recorders and variables do, not tapes of
/// numbers alone, which have no nodes.
template <class T>
consteval bool define_rows() {
  if constexpr (!std::floating_point<T> || requires { sizeof(rows_are_elsewhere<T>); }) return true;
  else return sizeof(row_definitions<T, op::list>) > 0;
}

/// The row of the op of a node in the graph of a tape.
template <class T>
recorded_op<T> const& recorded_op_of(node const& n) {
  known_op const* const row = known<T>(n.op);
  if (row == nullptr) error::op_is_not_known(facts_of(n).name);
  return static_cast<recorded_op<T> const&>(*row);
}

}  // namespace dynamic
ETCH_NAMESPACE_END

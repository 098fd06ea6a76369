// scalar_rule: an op's derivative rule on scalars, as straight code without a graph. The rule is the
// op's own, traced once while compiling.
#pragma once

#include <etch/op/table.hpp>
#include <etch/rewrite/adjoint.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// The adjoints of the operands of `Op`, from the adjoint `g` of its value `y`, for operands of type `T`.
template <class Op, class T>
struct scalar_rule {
  static constexpr int arity = Op::arity;

  /// Calls `arrive(i, adjoint)`, i an integral constant, for each operand that something arrives at. Where a `select`
  /// has taken the other branch nothing does, not even a zero: so a NaN or inf that lies behind it never counts.
  [[gnu::always_inline]] static void run(T g, T y, T const* x, auto arrive) {
    if constexpr (etch::detail::facts_of<Op>().differentiable) {
      constexpr int nodes = size_of(rule)[0];
      T v[nodes];
      v[0] = g;
      v[1] = y;
      for (int i = 0; i < arity; ++i) v[2 + i] = x[i];
      [&]<int... Id>(std::integer_sequence<int, Id...>) __attribute__((always_inline)) {
        (compute<2 + arity + Id>(v), ...);
      }(std::make_integer_sequence<int, nodes - 2 - arity>{});
      [&]<int... I>(std::integer_sequence<int, I...>)
          __attribute__((always_inline)) { (hand_over<I>(v, arrive), ...); }(std::make_integer_sequence<int, arity>{});
    }
  }

 private:
  /// Inputs: g, y, operands. Outputs, for each operand: its adjoint, the condition that masks it or -1, and whether
  /// it counts where the condition holds.
  static constexpr graph traced() {
    graph to;
    to.simplifying = true;
    constexpr element type = element_of<T>;
    auto const leaf = [&](int i) { return input(to, type, shape{}, i); };
    term const g = leaf(0), y = leaf(1);
    sequence<term> operands, adjoints;
    for (int i = 0; i < arity; ++i) operands.push_back(leaf(2 + i));
    node const n{opcode_of<Op>, type, shape{}, 0, 0, arity};
    if constexpr (etch::detail::facts_of<Op>().differentiable)
      etch::detail::pullback<Op, false>(n, g, y, operands, adjoints);
    for (term adjoint : adjoints) {
      pass::detail::mask const mask = pass::detail::mask_of(adjoint);
      to.outputs.push_back(mask.exists() ? mask.value.id : adjoint.id);
      to.outputs.push_back(mask.exists() ? mask.condition.id : -1);
      to.outputs.push_back(mask.chosen_if_true);
    }
    return to;
  }
  static constexpr auto rule = freeze([] { return traced(); });

  template <int Id>
  [[gnu::always_inline]] static void compute(T* v) {
    constexpr node n = rule.nodes.entry[Id];
    [[maybe_unused]] constexpr int const* of = rule.edges.entry + n.first_operand;
    using op_type = op_at<n.op>;
    if constexpr (std::same_as<op_type, op::fill>) v[Id] = static_cast<T>(value_of(n.attributes));
    else if constexpr (is_a<op_type, view_kind>) v[Id] = v[of[0]];
    else if constexpr (n.arity == 1) v[Id] = op_type::value(v[of[0]]);
    else if constexpr (n.arity == 2) v[Id] = op_type::value(v[of[0]], v[of[1]]);
    else v[Id] = op_type::value(v[of[0]], v[of[1]], v[of[2]]);
  }

  template <int I>
  [[gnu::always_inline]] static void hand_over(T const* v, auto& arrive) {
    constexpr int value = rule.outputs.entry[3 * I], condition = rule.outputs.entry[3 * I + 1];
    constexpr bool wanted = rule.outputs.entry[3 * I + 2] != 0;
    if constexpr (condition < 0) arrive(std::integral_constant<int, I>{}, v[value]);
    else if ((v[condition] != 0) == wanted) arrive(std::integral_constant<int, I>{}, v[value]);
  }
};

}  // namespace dynamic
ETCH_NAMESPACE_END

// diagonals: matrices of derivatives of functions of neighbours, such as chains and stencils, taken along their
// diagonals (rewrite/neighbours.hpp).
#pragma once

#include <etch/op/on_diagonals.hpp>
#include <etch/sparse/compressed.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// (x, more...) -> the rule's values, and the matrix as a whole.
template <class Rule>
struct whole_derivative {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return Rule::whole(x...);
  }
};
/// The parts that `x` is the sum of, or is put together from.
constexpr sequence<term> parts_of(term x) {
  sequence<term> open, parts;
  open.push_back(x);
  while (!open.empty()) {
    term const each = open.back();
    open.pop_back();
    bool const is_sum = is<op::add>(each) && same_extents(each.operand(0).extent(), each.extent()) &&
                        same_extents(each.operand(1).extent(), each.extent());
    if (!is<op::join>(each) && !is_sum) parts.push_back(each);
    else
      for (int operand : each.owner->operands(each.id)) open.push_back({each.owner, operand});
  }
  return parts;
}
/// The diagonals of the matrix `on_diagonals` one after the other, each as long as the matrix has columns, and each
/// number once: what stands on one diagonal is added up.
constexpr term diagonals_in(term on_diagonals) {
  op::diagonal_numbers const d(on_diagonals->attributes);
  int const columns = on_diagonals.extent()[1];
  shape const line = make_shape(columns), all = make_shape(columns * d.count());
  sequence<term> const parts = parts_of(on_diagonals.operand(0));
  sequence<term> diagonals;
  for (int k = 0; k < d.size(); ++k) {
    if (d.repeats(k)) continue;
    sequence<term> same;
    for (int l = k; l < d.size(); ++l) {
      if (d[l] != d[k]) continue;
      int const begin = columns * l, end = begin + columns;
      for (term x : parts) {
        region const r = is<op::embed>(x) ? region(x->attributes) : region();
        term const entries = is<op::embed>(x) ? x.operand(0) : x;
        int const last = r.last(entries.extent()[0]);
        if (r.begin >= begin && last < end) same.push_back(embed(entries, line, region(0, r.begin - begin, r.step)));
        else if (r.begin < end && last >= begin) same.push_back(etch::slice(x, region(0, begin), columns));
      }
    }
    if (!same.empty()) diagonals.push_back(embed(sum_of(same), all, region(0, columns * d.position(k))));
  }
  return diagonals.empty() ? fit(constant(*on_diagonals.owner, on_diagonals->type, 0), all) : sum_of(diagonals);
}
/// This one gives `Count` diagonals in the place of the matrix.
template <class Rule, int Count>
struct derivative_along_diagonals {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    auto const all = Rule::whole(x...);
    constexpr std::size_t last = std::tuple_size_v<std::remove_const_t<decltype(all)>> - 1;
    using matrix = std::tuple_element_t<last, std::remove_const_t<decltype(all)>>;
    auto const diagonals =
        computed<make_shape(matrix::extent[1] * Count)>(std::get<last>(all), [](term t) { return diagonals_in(t); });
    return [&]<std::size_t... V>(std::index_sequence<V...>) {
      return std::tuple(std::get<V>(all)..., diagonals);
    }(std::make_index_sequence<last>{});
  }
};

/// The diagonals of the matrix of derivatives that `Rule` stands for, with `Pattern`.
template <class Rule, class Pattern, class X, class... More>
struct diagonals_of_derivative {
  /// Whether there may be such: loops, products and the like are not looked at any closer.
  static constexpr bool may_exist = [] {
    bool may = !holds_curved<X>();
    for (node const& n : Pattern::graph.nodes) {
      op_facts const& op = facts_of(n);
      may = may && (op.is_nullary || op.is_elementwise || op.is_view || op.is_assembly || n.op == opcode_of<op::sum>);
    }
    return may;
  }();
  static constexpr op::diagonal_numbers numbers = [] {
    if constexpr (may_exist) {
      graph_view const g = front_stages<whole_derivative<Rule>, wrt<>, settings<>, X, More...>::traced;
      node const& matrix = g[g.outputs[g.outputs.size() - 1]];
      if (matrix.op == opcode_of<op::on_diagonals>) return op::diagonal_numbers(matrix.attributes);
    }
    return op::diagonal_numbers(false);
  }();

  /// The place of an entry of the matrix among those of the diagonals, or -1.
  static constexpr int place_of(int row, int column) {
    for (int k = 0; k < numbers.size(); ++k) {
      if (numbers[k] == row - column) return column + Pattern::columns * numbers.position(k);
      if (numbers.mirrored() && numbers[k] == column - row) return row + Pattern::columns * numbers.position(k);
    }
    return -1;
  }
  /// By entry of the matrix.
  static constexpr auto places = [] {
    fixed<int, Pattern::nonzeros> at;
    for (int j = 0; j < Pattern::columns; ++j)
      for (int k = Pattern::by_columns.start.entry[j]; k < Pattern::by_columns.start.entry[j + 1]; ++k)
        at.entry[k] = place_of(Pattern::by_columns.index.entry[k], j);
    return at;
  }();
  /// Whether there are such, and they hold every entry.
  static constexpr bool exist = [] {
    if (numbers.size() == 0) return false;
    for (int at : places)
      if (at < 0) return false;
    return true;
  }();
};

}  // namespace detail
ETCH_NAMESPACE_END

// Ops without operands: the values a graph starts from.
#pragma once

#include <etch/core/expr.hpp>
#include <etch/op/known.hpp>

#include <cstdio>
#include <string>

ETCH_NAMESPACE_BEGIN
namespace op {

/// An op whose shape is the node's own parameter.
struct nullary : nullary_kind {
  static constexpr int arity = 0;
  static constexpr bool takes_shape = true;
  static constexpr bool accepts(attribute, shape const&, shapes<0> const&) { return true; }
};

/// A run-time value; the attribute is the position of its leaf among the flattened arguments.
struct input : nullary {
  static constexpr auto name = "input";
  static constexpr auto part_of = "every program: its arguments";
  static constexpr auto formula = "an argument";
  static std::string describe(node const& n) { return " " + std::to_string(n.attributes); }
};

/// A constant scalar; the attribute holds the bits of its value as a double.
struct fill : nullary {
  static constexpr auto name = "fill";
  static constexpr auto part_of = "every program: its numbers";
  static constexpr auto formula = "a constant";
  static constexpr bool accepts(attribute, shape const& s, shapes<0> const&) { return s.rank == 0; }
  static std::string describe(node const& n) {
    char number[32];
    std::snprintf(number, sizeof number, " %.17g", value_of(n.attributes));
    return number;
  }
};

/// The index along the axis in the attribute: 0, 1, 2, ...
struct iota : nullary {
  static constexpr auto name = "iota";
  static constexpr auto part_of = "one_hot, linspace, triu, argmax";
  static constexpr auto formula = "y[i] = i along an axis";
  static std::string describe(node const& n) { return "<" + std::to_string(n.attributes) + ">"; }
};

/// How many entries count along the axis of a program of which that is said when it runs.
struct count : nullary {
  static constexpr auto name = "count";
  static constexpr auto part_of = "mean, variance and losses along an axis of `upto<N>`";
  static constexpr auto formula = "the number of entries that count";
  static constexpr attribute before_arguments = 0xffffffffu;  ///< its place among them is -1
  /// The number of the whole batch, of which the program has a worker's part: it lies behind the part's.
  static constexpr attribute of_all_workers = 0xfffffffeu;
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The constant `value` as a scalar of the graph, rounded to `type`.
constexpr term constant(graph& g, element type, double value) {
  make_known<op::fill>();
  double const rounded = type == element::f32 ? static_cast<double>(static_cast<float>(value)) : value;
  return {&g, g.insert(opcode_of<op::fill>, type, shape{}, attribute_of(rounded), {})};
}

/// Whether `x` is a constant; with `value`, this very constant.
constexpr bool is_constant(term x) { return is<op::fill>(x); }
constexpr bool is_constant(term x, double value) {
  return x.owner->nodes.entry[x.id].op == opcode_of<op::fill> &&
         value_of(x.owner->nodes.entry[x.id].attributes) == value;
}

/// Whether the entries of `n` are known without any operand: it is a constant or an index, and made anew where it is
/// wanted.
constexpr bool has_known_entries(node const& n) { return n.op == opcode_of<op::fill> || n.op == opcode_of<op::iota>; }

/// Leaf `position` of the flattened arguments.
constexpr term input(graph& g, element type, shape const& extent, int position) {
  return {&g, g.insert(opcode_of<op::input>, type, extent, static_cast<attribute>(position), {})};
}

/// The number of entries that count, as a number of type `type`.
constexpr term count_in(graph& g, element type);

/// The index along `axis`, of extent `n` there and 1 elsewhere, as numbers of type `type`.
constexpr term iota(graph& g, element type, int axis, int n) {
  make_known<op::iota>();
  shape s;
  s.rank = axis + 1;
  s[axis] = n;
  return {&g, g.insert(opcode_of<op::iota>, type, s, static_cast<attribute>(axis), {})};
}

ETCH_NAMESPACE_END

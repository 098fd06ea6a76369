// recipe: what a constant is, read off a graph of constants alone, and put into the graph that it joins.
#pragma once

#include <etch/core/constant.hpp>
#include <etch/op/leaf.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// The last node of a recipe as a term of `g`, its doubles in the element type `type`.
constexpr term cooked(const_span<std::uint64_t> recipe, graph& g, element type) {
  make_all_known();  // of the tape, if this is its graph: data name no ops
  byte_reader in(recipe);
  sequence<int> at, operands;
  int const size = in.number();
  at.reserve(static_cast<std::size_t>(size));
  for (int id = 0; id < size; ++id) {
    operands.clear();
    node const n = read_node(in, id, 0, [&](int operand) { operands.push_back(at.entry[operand]); });
    element const t = n.type == element::f64 ? type : n.type;
    if (n.op == opcode_of<op::fill>) at.push_back(constant(g, t, value_of(n.attributes)).id);
    else at.push_back(g.insert(n.op, t, n.extent, n.attributes, operands));
  }
  return {&g, at.entry[size - 1]};
}

/// The constant that `x` is, in a graph of constants alone. The factors of an identity are multiplied into one number.
template <class Equal = op::equal, class Mul = op::mul, class Neg = op::neg>
constexpr constant_content content_of(term x) {
  term t = x;
  while (is<op::broadcast>(t) || is<op::reshape>(t)) t = t.operand(0);
  if (is_constant(t)) return {-1, value_of(t->attributes), {}};
  double factor = 1;
  for (t = x;;) {
    if (is<Neg>(t)) factor = -factor, t = t.operand(0);
    else if (is<Mul>(t) && is_constant(t.operand(0))) factor *= value_of(t.operand(0)->attributes), t = t.operand(1);
    else if (is<Mul>(t) && is_constant(t.operand(1))) factor *= value_of(t.operand(1)->attributes), t = t.operand(0);
    else break;
  }
  if (is<Equal>(t) && t.extent().rank == 2 && t.extent()[0] == t.extent()[1] && is<op::iota>(t.operand(0)) &&
      is<op::iota>(t.operand(1)))
    return {identity_id, factor, {}};

  // The nodes that `x` follows from, and no other, renumbered; `x` is the last.
  graph const& from = *x.owner;
  sequence<int> number = filled(static_cast<std::size_t>(x.id + 1), -1);
  number.entry[x.id] = 0;
  for (int id = x.id; id >= 0; --id)
    if (number.entry[id] == 0)
      for (int operand : from.operands(id)) number.entry[operand] = 0;
  int size = 0;
  for (int& each : number)
    if (each == 0) each = size++;
  byte_writer out;
  out.put(static_cast<std::uint64_t>(size));
  for (int id = 0; id <= x.id; ++id) {
    if (number.entry[id] < 0) continue;
    write_node(out, from[id]);
    for (int operand : from.operands(id)) out.put(static_cast<std::uint64_t>(number.entry[id] - number.entry[operand]));
  }
  constant_content c{recipe_id, 0, {}};
  if (out.words().size() > c.recipe.size()) error::constant_is_too_long();
  for (std::size_t i = 0; i < out.words().size(); ++i) c.recipe.entry[i] = out.words().entry[i];
  return c;
}

}  // namespace detail
ETCH_NAMESPACE_END

// in_steps: derivatives along many directions as the steps of a loop, which are points: several at a time, one in each
// lane of a register, in code whose size does not depend on their number.
#pragma once

#include <etch/rewrite/derivatives.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// What is known of a function beside its graph, where derivatives along many directions are taken.
struct surroundings {
  bool of_tangents = false;  ///< of manifolds: the many numbers of their formulas make straight code long
  bool in_loop = false;      ///< it is called in the body of a loop, whose points its products may become one for
};

namespace detail {

/// Directions up to this number are taken one by one, where what they have in common is computed once and what is zero
/// not at all; more are steps of a loop.
inline constexpr int most_directions = 16;

/// A product with a matrix of so many entries is worth making of `count` directions at once: of few, if the matrix
/// fills the first cache.
constexpr std::int64_t large_factor(int count) { return count < 8 ? 8192 : 1024; }

/// Whether `count` directions are steps of a loop: also few, if on the way there are loops whose steps follow one
/// another, which would be made anew for each, or products with large factors, which become one for all.
constexpr bool takes_steps(graph const& b, sequence<int> const& xs, int count, surroundings around) {
  if (count <= 2) return false;
  if (count > most_directions) return true;
  sequence<char> const active = influenced(b, xs);
  for (int id = 0; id < b.size(); ++id) {
    op_facts const& op = facts_of(b[id]);
    if (!active.entry[id]) continue;
    if (op.is_loop && !is_of_points(words_at(b.pool, b[id].attributes))) return true;
    for (int operand : b.operands(id))
      if (!around.in_loop && op.is_product && b[operand].extent.size() >= large_factor(count)) return true;
  }
  return false;
}

/// The entries of the vector `v` as values in the shapes and types of the nodes `like`, one after the other.
constexpr sequence<term> parts_of(term v, sequence<int> const& like) {
  sequence<term> parts;
  int first = 0;
  for (int id : like) {
    node const n = (*v.owner)[id];
    int const count = static_cast<int>(n.extent.size());
    parts.push_back(in_type(reshaped(slice(v, region(0, first), count), n.extent), n.type));
    first += count;
  }
  return parts;
}

/// The entries of the nodes `of` one after the other, as one vector of `size` entries of the type `type`.
constexpr term side_by_side(graph& b, sequence<int> const& of, int size, element type) {
  if (of.size() == 1) return in_type(reshaped({&b, of.entry[0]}, make_shape(size)), type);
  sequence<term> parts;
  int first = 0;
  for (int id : of) {
    int const count = static_cast<int>(b[id].extent.size());
    term const each = in_type(reshaped({&b, id}, make_shape(count)), type);
    parts.push_back(embed(each, make_shape(size), region(0, first)));
    first += count;
  }
  return sum_of(parts);
}

/// What `along(f, e)` makes in a copy `f` of the graph `function` of each of `count` unit vectors e of the element type
/// `type`: side by side along a new last axis, or added up. The nodes of `function` keep their numbers in `f`; its
/// inputs are those of `b`, which gets the loop and may be `function`. `along` may use inputs behind e's as long as
/// nothing depends on them.
constexpr term in_steps(graph& b, graph const& function, element type, int count, loop_output kind, auto const& along) {
  attribute const inputs = inputs_of(function);
  loop_body l;
  l.count = count;
  l.keeps_carries = l.points = true;
  l.body = function;
  l.body.scope = nullptr;
  l.body.outputs.clear();
  term const at = input(l.body, type, shape{}, static_cast<int>(inputs));
  term const unit = equal_to(iota(l.body, type, 0, count), fit(at, make_shape(count)));
  l.body.outputs.push_back(along(l.body, unit).id);
  l.body = without_inputs(drop_dead(l.body), inputs + 1);
  l.out.push_back(kind);
  term const numbers = iota(b, type, 0, count);
  sequence<int> operands = filled(static_cast<std::size_t>(inputs), numbers.id);  // where the body has no such input
  for (int id = 0; id < b.size(); ++id)
    if (b[id].op == opcode_of<op::input> && b[id].attributes < inputs) operands.entry[b[id].attributes] = id;
  l.in = filled(static_cast<std::size_t>(inputs), loop_input::captured);
  l.in.push_back(loop_input::slice);
  operands.push_back(numbers.id);
  return result_of(b, l, insert_loop(b, l, operands), 0);
}

}  // namespace detail
}  // namespace pass
ETCH_NAMESPACE_END

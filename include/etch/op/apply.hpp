// apply: puts an operation into the graph of its operands, shape-checked; if the graph is
// simplifying, with its identities applied.
#pragma once

#include <etch/core/capture.hpp>
#include <etch/op/operand.hpp>
#include <etch/op/recipe.hpp>

#include <optional>
#include <tuple>

ETCH_NAMESPACE_BEGIN

template <class Op>
constexpr term emit_to(shape const& target, term x, attribute attributes = 0);
constexpr term fit(term x, shape const& target);

namespace detail {
// Permutations move behind other operations (defined in op/permute.hpp, which op/arithmetic.hpp includes: clang
// instantiates what a constexpr function calls where that function stands).
template <class Op, std::same_as<term>... X>
constexpr term permuted_last(attribute attributes, X... x);
constexpr term reshaped_before(shape const& s, term x);
}  // namespace detail

namespace op {

/// An op that reads its operand's memory through another layout; its target shape is the node's own parameter.
/// `project` gives that layout, or nothing where the operand would have to be copied first.
struct view : view_kind {
  static constexpr int arity = 1;
  static constexpr bool takes_shape = true;
};

/// Repeats the entries along axes where the operand has extent 1.
struct broadcast : view {
  static constexpr auto name = "broadcast";
  static constexpr auto call = "broadcast<4, 4>(u)";
  static constexpr auto formula = "entries repeated along axes of extent 1";
  static constexpr bool accepts(attribute, shape const& s, shapes<1> const& of) {
    return broadcasts(of[0], s) && same_extents(broadcast_shape(of[0], s), s);
  }
  static constexpr auto simplify(attribute, shape const& s, auto x) {
    if (x.extent() == s) return x;
    return is<broadcast>(x) ? emit_to<broadcast>(s, x.operand(0)) : term{};
  }
  static constexpr std::optional<layout> project(attribute, layout of, shape const& from, shape const& to) {
    for (std::size_t axis = 0; axis < max_rank; ++axis)
      if (from.extent[axis] != to.extent[axis]) of.step[axis] = 0;
    return of;
  }
  static constexpr auto pullback(auto g, auto, auto) {
    return operands{g};
  }  // the pass reduces g to the operand's shape
};

/// Reads the same entries in memory order under another shape.
struct reshape : view {
  static constexpr auto name = "reshape";
  static constexpr auto call = "reshape<2, 8>(x)";
  static constexpr auto formula = "the same entries in memory order";
  static constexpr bool accepts(attribute, shape const& s, shapes<1> const& of) {
    return s.size() == of[0].size() && counted_as(s, of[0]).counted == s.counted;
  }
  static constexpr auto simplify(attribute, shape const& s, auto x) {
    if (x.extent() == s) return x;
    if (is<permute>(x)) return etch::detail::reshaped_before(s, x);
    return is<reshape>(x) ? emit_to<reshape>(s, x.operand(0)) : term{};
  }
  static constexpr std::optional<layout> project(attribute, layout of, shape const& from, shape const& to) {
    if (same_extents(from, to)) return of;
    if (!is_contiguous(of, from)) return std::nullopt;
    return layout{of.offset, contiguous_strides(to)};
  }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{emit_to<reshape>(x.extent(), g)}; }
};

}  // namespace op

namespace detail {

/// Whether `Op` of these numbers can be computed here. What compilers refuse to evaluate, a NaN or a division by
/// zero, is left to the running program.
template <class Op>
constexpr bool is_foldable(std::same_as<double> auto... x) {
  if (!((x - x == 0) && ...)) return false;
  if constexpr (std::same_as<Op, op::div>)
    if (fixed{x...}[sizeof...(x) - 1] == 0) return false;
  return true;
}

/// `Op` on constants is a constant, computed in the element type as the running program would.
template <class Op, class... X>
constexpr term folded(element type, X... x) {
  if (!(is_constant(x) && ...)) return {};
  if (!is_foldable<Op>(value_of(x->attributes)...)) return {};
  graph& g = graph_of(x...);
  if (type == element::f32) return constant(g, type, Op::value(static_cast<float>(value_of(x->attributes))...));
  if (type == element::f64) return constant(g, type, Op::value(value_of(x->attributes)...));
  return {};
}

/// The value behind a broadcast; the operand itself if it is none.
constexpr term unbroadcast(term x) { return is<op::broadcast>(x) ? x.operand(0) : x; }

}  // namespace detail

/// The node `Op(x...)`. A composite keeps its name until the pass `expand`; an op whose result has another element type
/// says so in `type`. Nodes are looked at where they lie: compilers count the steps of constant evaluation, every call
/// is two, and here most of them are made.
template <class Op, std::same_as<term>... X>
  requires(sizeof...(X) == Op::arity)
constexpr term emit(attribute attributes, X... x) {
  graph& g = graph_of(x...);
  if (((x.owner != &g) || ...)) error::operands_belong_to_different_graphs();
  node const* const at = g.nodes.entry;
  fixed<int, sizeof...(X)> const ids{x.id...};
  element type = at[ids.entry[0]].type;
  if constexpr (requires { Op::type(attributes); }) type = Op::type(attributes);
  else if constexpr (!requires { Op::mixed_types; })
    if (((at[x.id].type != type) || ...)) error::element_types_differ("operands", Op::name);
  shape const extent = Op::infer(attributes, shapes<sizeof...(X)>{at[x.id].extent...});
  if (g.simplifying) {
    if constexpr (is_a<Op, elementwise_kind>)
      if (((at[x.id].op == opcode_of<op::fill> || at[x.id].op == opcode_of<op::broadcast> ||
            at[x.id].op == opcode_of<op::permute>) ||
           ...)) {
        if (term const known = detail::folded<Op>(type, x...); known.exists()) return known;
        if ((is<op::broadcast>(x) || ...)) return fit(emit<Op>(attributes, detail::unbroadcast(x)...), extent);
        if ((is<op::permute>(x) || ...))
          if (term const moved = detail::permuted_last<Op>(attributes, x...); moved.exists()) return fit(moved, extent);
      }
    if constexpr (requires { Op::simplify(attributes, x...); })
      if (term const known = Op::simplify(attributes, x...); known.owner != nullptr) return fit(known, extent);
  }
  make_known<Op>();
  return {&g, g.insert(opcode_of<Op>, type, extent, attributes, {ids.entry, sizeof...(X)})};
}

/// The node `Op(x, more...)` of the shape `target`.
template <class Op, std::same_as<term>... More>
constexpr term emit_shaped(shape const& target, attribute attributes, term x, More... more) {
  graph& g = *x.owner;
  if (!Op::accepts(attributes, target, shapes<Op::arity>{x.extent(), more.extent()...}))
    error::view_does_not_fit(Op::name, x.extent(), target);
  if constexpr (requires { Op::simplify(attributes, target, x, more...); })
    if (g.simplifying)
      if (term const known = Op::simplify(attributes, target, x, more...); known.exists()) return known;
  element type = x->type;
  if constexpr (requires { Op::type(attributes); }) type = Op::type(attributes);
  make_known<Op>();
  fixed<int, Op::arity> const ids{x.id, more.id...};
  return {&g, g.insert(opcode_of<Op>, type, target, attributes, ids)};
}
template <class Op>
constexpr term emit_to(shape const& target, term x, attribute attributes) {
  if constexpr (std::same_as<Op, op::reshape>)
    if (x.extent().counted != 0) return emit_shaped<Op>(counted_as(target, x.extent()), attributes, x);
  return emit_shaped<Op>(target, attributes, x);
}

/// `x` in the shape `target`, to which it must broadcast.
constexpr term fit(term x, shape const& target) {
  shape const& extent = x.owner->nodes.entry[x.id].extent;
  if (extent == target) return x;
  return same_extents(extent, target) ? emit_to<op::reshape>(target, x) : emit_to<op::broadcast>(target, x);
}

/// The entries of `x` in memory order in the shape `s`.
constexpr term reshaped(term x, shape const& s) { return x.extent() == s ? x : emit_to<op::reshape>(s, x); }

namespace detail {

/// `value` times the identity matrix. (Its ops are declared in the list, and defined below.)
template <class Equal = op::equal, class Mul = op::mul>
constexpr term identity(graph& g, element type, int n, double value) {
  return emit<Mul>(0, constant(g, type, value), emit<Equal>(0, iota(g, type, 0, n), iota(g, type, 1, n)));
}

/// The operand `x` as a term of `g`: constants join the graph they meet, those without an element type as values of
/// type `T`, and the body of a loop captures what belongs to a graph around it.
template <class T, static_handle X>
constexpr term joined(X const& x, graph& g) {
  if constexpr (requires { x.check(); }) x.check();
  if constexpr (!constant_handle<X>) {
    if (x.owner == &g) return {x.owner, x.id};
    if (x.owner != nullptr) {
      if (innermost(x.owner, &g) != &g) {
        if (!encloses(&g, x.owner)) error::operands_belong_to_different_graphs();
        // A body around `g` that seems to lie in it is traced again: any number will do.
        return fit(constant(g, element_of<typename X::scalar_type>, 0), X::extent);
      }
      return {&g, g.scope->import(g, *x.owner, x.id)};
    }
  }
  if constexpr (requires { x.term_in(g); })
    if (x.id == listed_id) return x.term_in(g);
  if (x.id == listed_id) error::constants_belong_to_no_graph();
  constexpr bool takes_type = operand_traits<X>::literal;
  constexpr element type = element_of<std::conditional_t<takes_type, T, typename X::scalar_type>>;
  if constexpr (X::extent.rank == 2 && X::extent[0] == X::extent[1])
    if (x.id == identity_id) return identity(g, type, X::extent[0], x.immediate);
  if constexpr (constant_handle<X>)
    if (x.id == recipe_id) return cooked(x.recipe, g, takes_type ? type : element::f64);
  return fit(constant(g, type, x.immediate), X::extent);
}
template <static_handle X>
constexpr term joined(X const& x, graph& g) {
  return joined<typename X::scalar_type>(x, g);
}

template <static_handle... X>
constexpr graph* owner_of(X const&... x) {
  graph* owner = nullptr;
  ((owner = innermost(owner, x.owner)), ...);
  return owner;
}

/// The value of shape `Extent` that `build(term...)` makes of the operands: a node of their graph. Of constants alone
/// it is a constant. `T` is its element type, and that of what has none.
template <class T, shape Extent, bool Elementwise, static_handle... X>
constexpr auto built(auto build, X const&... x) {
  [[maybe_unused]] auto const content = [&] {
    graph own;
    own.simplifying = true;
    return content_of(build(joined<T>(x, own)...));
  };
  if constexpr ((constant_handle<X> && ...)) {
    return make_constant<T, Extent, Elementwise>(content());
  } else {
    graph* const owner = owner_of(x...);
    if (owner == nullptr) {
      constant_content const c = content();
      if (c.id == recipe_id) error::constants_belong_to_no_graph();
      return make_expr<T, Extent, Elementwise>(nullptr, c.id, c.immediate);
    }
    return make_expr<T, Extent, Elementwise>(owner, build(joined<T>(x, *owner)...).id);
  }
}

/// Notes in the graphs of traced values that a mistake has been named.
template <class... X>
constexpr void note_mistake_in(X const&... x) {
  [[maybe_unused]] auto const note = []<class Each>(Each const& each) {
    if constexpr (static_handle<Each>) note_mistake(each.owner);
  };
  (note(x), ...);
}

/// Stands for a value that a mistake prevents: of the shape meant, and influenced by all operands,
/// so that one mistake is one error.
template <class Wanted, shape Extent, class... X, class Sum = op::sum, class Add = op::add, class Cast = op::cast>
constexpr auto instead_of(X const&... x) {
  using T = std::conditional_t<std::same_as<Wanted, undetermined>, double, Wanted>;
  graph* owner = nullptr;
  auto const find = [&]<class Each>(Each const& each) {
    if constexpr (static_handle<Each>) owner = innermost(owner, each.owner);
  };
  (find(x), ...);
  note_mistake(owner);
  if (owner == nullptr) return make_expr<T, Extent>(nullptr, -1);
  term total = constant(*owner, element_of<T>, 0);
  auto const add = [&]<class Each>(Each const& each) {
    if constexpr (static_handle<Each> && !constant_handle<Each>)
      if constexpr (std::is_floating_point_v<typename Each::scalar_type>)
        total = emit<Add>(
            0, total,
            emit<Cast>(static_cast<attribute>(element_of<T>), emit<Sum>(1u << max_rank, joined(each, *owner))));
  };
  (add(x), ...);
  return make_expr<T, Extent>(owner, fit(total, Extent).id);
}

/// The last of the axes that `Op` reduces along which `x` does not have; -1 if it has all.
template <class Op>
constexpr int missing_axis(attribute axes, shape const& x) {
  if (!is_a<Op, reduction_kind> && !is_a<Op, composite_kind>) return -1;
  for (int axis = max_rank - 1; axis >= x.rank; --axis)
    if (((axes >> axis) & 1) != 0) return axis;
  return -1;
}

}  // namespace detail

/// The typed form of `emit`: the result's shape is computed from the operands' types, so a mistake
/// is reported at the caller's line.
template <class Op, attribute A = 0, static_handle... X>
constexpr auto apply(X const&... x) {
  using first = std::tuple_element_t<0, std::tuple<X...>>;
  using T = decltype(detail::joint_type<X...>());
  constexpr int missing = A == 0 || sizeof...(X) != 1 ? -1 : detail::missing_axis<Op>(A, first::extent);
  if constexpr (!std::is_floating_point_v<T> && !is_a<Op, view_kind>) {
    error::integers_are_labels<X...>();
    return detail::instead_of<float, is_a<Op, reduction_kind> ? shape{} : first::extent>(x...);
  } else if constexpr (missing >= 0) {
    error::axis_out_of_range<first, missing>();
    return detail::instead_of<T, is_a<Op, reduction_kind> ? shape{} : first::extent>(x...);
  } else {
    constexpr shape extent = Op::infer(A, shapes<sizeof...(X)>{X::extent...});
    constexpr bool elementwise_product = (X::elementwise_product || ...);
    if constexpr (is_a<Op, elementwise_kind>)  // numbers need no graph for this
      if (((x.owner == nullptr && x.id == -1) && ...) && detail::is_foldable<Op>(x.immediate...)) {
        using S = std::conditional_t<std::same_as<T, undetermined>, double, T>;
        double const value = static_cast<double>(Op::value(static_cast<S>(x.immediate)...));
        if constexpr ((constant_handle<X> && ...))
          return make_constant<T, extent, elementwise_product>({-1, value, {}});
        else return make_expr<T, extent, elementwise_product>(nullptr, -1, value);
      }
    return detail::built<T, extent, elementwise_product>([](auto... each) { return emit<Op>(A, each...); }, x...);
  }
}

template <class Op, attribute A = 0, std::same_as<term>... X>
constexpr term apply(X... x) {
  return emit<Op>(A, x...);
}

/// On scalars of a tape an element-wise op is a part of a statement, and any other a node of the tape's graph.
template <class Op, attribute A = 0, tape_scalar... X>
constexpr auto apply(X const&... x) {
  if constexpr (is_a<Op, elementwise_kind>) return state<Op>(x...);
  else return apply<Op, A>(x.on_graph()...);
}

/// The typed form of `emit_to`.
template <class Op, shape Target, static_handle X>
constexpr auto apply_to(X const& x, attribute attributes = 0) {
  return detail::built<typename X::scalar_type, Target, X::elementwise_product>(
      [&](term t) { return emit_to<Op>(Target, t, attributes); }, x);
}

ETCH_NAMESPACE_END

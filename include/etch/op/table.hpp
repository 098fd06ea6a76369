// Tables that passes ask about a node's op: one row of facts and one of rules for each op in the list,
// made from the op structs alone.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/base/out_of_line.hpp>
#include <etch/op/arrival.hpp>
#include <etch/op/converged.hpp>
#include <etch/op/image/convolution.hpp>
#include <etch/op/cumulate.hpp>
#include <etch/op/custom.hpp>
#include <etch/op/eigen/methods.hpp>
#include <etch/op/index.hpp>
#include <etch/op/kernel.hpp>
#include <etch/op/linear.hpp>
#include <etch/op/loop.hpp>
#include <etch/op/on_diagonals.hpp>
#include <etch/op/image/pool.hpp>
#include <etch/op/linalg/product.hpp>
#include <etch/op/linalg/qr.hpp>
#include <etch/op/linalg/svd.hpp>
#include <etch/op/random.hpp>
#include <etch/op/slice.hpp>
#include <etch/op/softmax.hpp>
#include <etch/op/sort.hpp>
#include <etch/op/statistics.hpp>

#include <string>

ETCH_NAMESPACE_BEGIN

/// The facts of one op. Who asks at run time for these alone does not carry the rules of all ops along.
struct op_facts {
  char const* name = nullptr;
  int arity = 0;
  bool is_nullary = false, is_elementwise = false, is_reduction = false, is_view = false, is_assembly = false,
       is_product = false, is_block = false, is_opaque = false, is_loop = false, is_result = false,
       is_composite = false;
  bool has_words = false;  ///< whether the attribute names words of the graph's pool
  bool differentiable = false;
  int active_operands = 0;  ///< derivatives flow to the first so many operands
  bool batches = false;  ///< whether the op on operands with one more, last axis is the op on each entry of that axis
  bool counts = false;   ///< of a block: whether it goes through as many entries along every axis as its operands have
  bool runs_in_lanes = false;  ///< of a block: whether it has code for a problem in each lane of a register
  linearity linear = linearity::none;
  unsigned sums_of =
      0;  ///< of an element-wise op: the operands, a bit each, in which it is linear, all of them together
  separable separates = separable::nowhere;  ///< of a block or a composite
  bool accumulates = false;                  ///< whether a kernel can add the result to what its storage holds
  int cost = 0;                              ///< of one entry of an element-wise op, in additions
  bool branches = false;                     ///< of an element-wise op: whether a number goes one of several ways
  double start = 0;                          ///< of a reduction
  reach reaches = reach::whole;              ///< which entries of the operands an adjoint reaches
  convolved convolves = convolved::nothing;  ///< of a product that is a convolution: what it gives

  /// The layout of a view; null for other ops.
  std::optional<layout> (*project)(attribute, layout of, shape const& from, shape const& to) = nullptr;
};

/// The rules of one op. They are null where the op's kind has no such thing.
struct op_rules {
  /// The node again, in another graph.
  term (*insert)(graph&, node const&, const_span<int> operands) = nullptr;
  /// Adjoints of the operands `x` of a node with value `y`, from its adjoint `g`.
  void (*pullback)(node const&, term g, term y, const_span<term> x, sequence<term>& adjoints) = nullptr;
  /// These adjoints in the form that is accurate everywhere.
  void (*precise_pullback)(node const&, term g, term y, const_span<term> x, sequence<term>& adjoints) = nullptr;
  /// The node's definition in other ops.
  term (*expand)(graph&, node const&, const_span<int> operands) = nullptr;
  /// One entry, computed in the element type given.
  double (*value)(element, const_span<double> operands) = nullptr;
  double (*combine)(element, double a, double b) = nullptr;
  /// All entries of a block or a convolution.
  void (*compute)(attribute, block<double> y, const_span<block<double const>> x) = nullptr;
};

/// The description of one op, for documents and views. Programs that only compute carry none of it.
struct op_text {
  char const* formula = "";
  char const* kinks = "";  ///< what happens at kinks and edges
  /// The node's attribute; null where there is nothing to say.
  std::string (*describe)(node const&) = nullptr;
};

namespace detail {

template <int N, class F>
constexpr decltype(auto) with_indices(F&& f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
    return f(std::integral_constant<std::size_t, I>{}...);
  }(std::make_index_sequence<N>{});
}

template <class Op>
concept takes_shape = requires { Op::takes_shape; };

template <class Op>
concept has_words = is_a<Op, loop_kind> || requires { Op::has_words; };

template <class Op>
concept has_precise_rule =
    requires(term t) { Op::precise_pullback(t, t, t); } || requires(term t) { Op::precise_pullback(t, t, t, t); };

// The functions of a row deduce their results, though these are the same for all: compilers instantiate such a function
// where its address is taken, hence once for a precompiled header, and others again at the end of every unit. The
// operands `I` are template parameters: a function around a pack would be instantiated for every op too.

template <class Op, std::size_t... I>
constexpr auto insert(graph& g, node const& n, const_span<int> operands) {
  if constexpr (is_a<Op, nullary_kind> || has_words<Op> || is_a<Op, result_kind> || is_a<Op, opaque_kind>)
    return term{&g, g.insert(n.op, n.type, n.extent, n.attributes, operands)};
  else if constexpr (Op::arity == any_number) return Op::insert(g, operands);
  else if constexpr (takes_shape<Op>) return emit_shaped<Op>(n.extent, n.attributes, term{&g, operands[I]}...);
  else return emit<Op>(n.attributes, term{&g, operands[I]}...);
}

template <std::size_t... I>
constexpr void take(operands<sizeof...(I)> const& result, sequence<term>& adjoints) {
  (adjoints.push_back(result.adjoint[I]), ...);
}
/// The rule of `Op`, which may ask for the node's attribute too.
template <class Op, std::size_t... I>
constexpr auto adjoints_of(node const& n, term g, term y, const_span<term> x, sequence<term>& adjoints) {
  adjoints.clear();
  if constexpr (requires { Op::adjoints(n, g, y, x, adjoints); }) Op::adjoints(n, g, y, x, adjoints);
  else if constexpr (Op::arity == any_number)
    for (std::size_t i = 0; i < x.size(); ++i) adjoints.push_back(Op::pullback(g, y, x[i]));
  else if constexpr (requires { Op::pullback(g, y, x[I]..., n.attributes); })
    take<I...>(Op::pullback(g, y, x[I]..., n.attributes), adjoints);
  else take<I...>(Op::pullback(g, y, x[I]...), adjoints);
}
template <class Op, std::size_t... I>
constexpr auto precise_adjoints_of(node const&, term g, term y, const_span<term> x, sequence<term>& adjoints) {
  adjoints.clear();
  take<I...>(Op::precise_pullback(g, y, x[I]...), adjoints);
}

template <class Op, std::size_t... I>
constexpr auto value(element type, const_span<double> operands) {
  if (type == element::f32) return static_cast<double>(Op::value(static_cast<float>(operands[I])...));
  return Op::value(operands[I]...);
}
template <class Op>
constexpr auto combine(element type, double a, double b) {
  if (type == element::f32) return static_cast<double>(Op::combine(static_cast<float>(a), static_cast<float>(b)));
  return Op::combine(a, b);
}
template <class Op, std::size_t... I>
constexpr auto expand(graph& g, node const& n, const_span<int> of) {
  if constexpr (Op::arity == any_number) return Op::expand(g, of);
  else return fit(Op::expand(n.attributes, term{&g, of[I]}...), n.extent);
}
template <class Op, std::size_t... I>
constexpr auto compute(attribute attributes, block<double> y, const_span<block<double const>> x) {
  (void)run_anew<Op>(attributes, y, x[I]...);
}

template <class Op>
constexpr op_facts facts_of() {
  op_facts f;
  f.name = Op::name;
  f.arity = Op::arity;
  f.is_nullary = is_a<Op, nullary_kind>;
  f.is_elementwise = is_a<Op, elementwise_kind>;
  f.is_reduction = is_a<Op, reduction_kind>;
  f.is_view = is_a<Op, view_kind>;
  f.is_assembly = is_a<Op, assembly_kind>;
  f.is_product = is_a<Op, product_kind>;
  f.is_block = is_a<Op, block_kind>;
  f.counts = requires { Op::counts; };
  f.is_opaque = is_a<Op, opaque_kind>;
  f.is_loop = is_a<Op, loop_kind>;
  f.is_result = is_a<Op, result_kind>;
  f.is_composite = is_a<Op, composite_kind>;
  f.has_words = has_words<Op>;
  if constexpr (requires { &Op::project; }) f.project = Op::project;
  if constexpr (is_a<Op, elementwise_kind>) f.cost = Op::cost, f.branches = Op::branches;
  if constexpr (is_a<Op, reduction_kind>) f.start = Op::start;
  f.reaches = is_a<Op, elementwise_kind>                       ? reach::entrywise
              : is_a<Op, view_kind> || is_a<Op, assembly_kind> ? reach::counted
              : is_a<Op, reduction_kind>                       ? reach::along_axes
                                                               : reach::whole;
  if constexpr (requires { Op::reaches; }) f.reaches = Op::reaches;
  if constexpr (is_a<Op, view_kind> || is_a<Op, assembly_kind>) f.linear = linearity::joint;
  if constexpr (is_a<Op, product_kind>) f.linear = linearity::separate;
  if constexpr (requires { Op::linear; }) f.linear = Op::linear;
  if constexpr (requires { Op::sums_of; }) f.sums_of = Op::sums_of;
  if constexpr (requires { Op::separates; }) f.separates = Op::separates;
  if constexpr (requires { Op::gives; }) f.convolves = Op::gives;
  f.batches = is_a<Op, elementwise_kind> || is_a<Op, reduction_kind> || is_a<Op, view_kind> || is_a<Op, assembly_kind>;
  if constexpr (requires { Op::batches; }) f.batches = Op::batches;
  f.runs_in_lanes = requires { Op::in_lanes; };
  f.accumulates = !is_a<Op, block_kind> && !is_a<Op, loop_kind> && !is_a<Op, result_kind> &&
                  (!is_a<Op, reduction_kind> || std::same_as<Op, op::sum>);
  if constexpr (requires { Op::accumulates; }) f.accumulates = Op::accumulates;
  if constexpr (!is_a<Op, nullary_kind> && !is_a<Op, loop_kind> && !is_a<Op, result_kind> &&
                !requires { Op::differentiable; }) {
    f.differentiable = true;
    f.active_operands = Op::arity == any_number ? std::numeric_limits<int>::max() : Op::arity;
    if constexpr (requires { Op::active_operands; }) f.active_operands = Op::active_operands;
  }
  return f;
}

template <class Op, std::size_t... I>
constexpr op_rules rules_of(std::index_sequence<I...>) {
  op_rules r;
  r.insert = insert<Op, I...>;
  if constexpr (is_a<Op, elementwise_kind>) r.value = value<Op, I...>;
  if constexpr (is_a<Op, reduction_kind>) r.combine = combine<Op>;
  if constexpr (is_a<Op, composite_kind>) r.expand = expand<Op, I...>;
  if constexpr ((is_a<Op, block_kind> && !is_a<Op, opaque_kind>) || requires { Op::gives; })
    r.compute = compute<Op, I...>;
  if constexpr (facts_of<Op>().differentiable) {
    r.pullback = adjoints_of<Op, I...>;
    if constexpr (has_precise_rule<Op>) r.precise_pullback = precise_adjoints_of<Op, I...>;
    else r.precise_pullback = r.pullback;
  }
  return r;
}
template <class Op>
constexpr op_rules rules_of() {
  return rules_of<Op>(std::make_index_sequence<static_cast<std::size_t>(Op::arity == any_number ? 0 : Op::arity)>{});
}

/// The rule of one op by itself.
template <class Op, bool Precise>
constexpr void pullback(node const& n, term g, term y, const_span<term> x, sequence<term>& adjoints) {
  constexpr op_rules rules = rules_of<Op>();
  (Precise ? rules.precise_pullback : rules.pullback)(n, g, y, x, adjoints);
}

template <class Op>
constexpr op_text text_of() {
  op_text t;
  if constexpr (requires { Op::formula; }) t.formula = Op::formula;
  if constexpr (requires { Op::kinks; }) t.kinks = Op::kinks;
  if constexpr (requires { &Op::describe; }) t.describe = Op::describe;
  return t;
}

template <class... Op>
constexpr auto facts_of_all(op_list<Op...>) {
  return fixed{facts_of<Op>()...};
}
template <class... Op>
constexpr auto text_of_all(op_list<Op...>) {
  return fixed{text_of<Op>()...};
}
template <class... Op>
constexpr auto rules_of_all(op_list<Op...>) {
  return fixed{rules_of<Op>()...};
}

}  // namespace detail

inline constexpr auto op_table = detail::facts_of_all(op::list{});
inline constexpr auto text_table = detail::text_of_all(op::list{});
inline constexpr auto rule_table = detail::rules_of_all(op::list{});

namespace detail {

inline op_facts const& row_of_facts(opcode op) { return op_table.entry[op]; }
inline op_rules const& row_of_rules(opcode op) { return rule_table.entry[op]; }

}  // namespace detail

/// The facts of a node's op. At run time, where the graphs of tapes ask, the tables are compiled
/// where `base/out_of_line.hpp` says.
constexpr op_facts const& facts_of(node const& n) {
  if (__builtin_is_constant_evaluated()) return op_table.entry[n.op];
  return out_of_line<detail::row_of_facts>::call(n.op);
}
/// The node whose entries `id` shows, through however many views.
constexpr int beneath_views(graph_view g, int id) {
  while (facts_of(g[id]).is_view) id = g.operands(id)[0];
  return id;
}
/// The rules of a node's op.
constexpr op_rules const& rules_of(node const& n) {
  if (__builtin_is_constant_evaluated()) return rule_table.entry[n.op];
  return out_of_line<detail::row_of_rules>::call(n.op);
}

ETCH_NAMESPACE_END

// term: a value of a graph whose shape is known only as data. Passes and derivative rules speak in terms.
#pragma once

#include <etch/graph/graph.hpp>

#include <array>
#include <concepts>

ETCH_NAMESPACE_BEGIN

/// Position of `Op` in the op list; defined in `op/ops.hpp`.
template <class Op>
struct position_in_list;

/// The position of `Op` in the list of ops.
template <class Op>
inline constexpr opcode opcode_of = position_in_list<Op>::value;

/// A node of a graph. On terms `*` and `/` are element-wise, as they are on Eigen's arrays.
struct term {
  graph* owner = nullptr;
  int id = -1;

  constexpr node const& operator*() const { return owner->nodes.entry[id]; }
  constexpr node const* operator->() const { return &owner->nodes.entry[id]; }
  constexpr shape extent() const { return owner->nodes.entry[id].extent; }
  constexpr bool exists() const { return owner != nullptr; }
  constexpr term operand(int i) const { return {owner, owner->edges.entry[owner->nodes.entry[id].first_operand + i]}; }

  friend constexpr bool operator==(term, term) = default;
};

/// The graph that `x` belongs to, the first of several operands.
constexpr graph& graph_of(term x, std::same_as<term> auto...) { return *x.owner; }

/// Whether `x` is the result of `Op`.
template <class Op>
constexpr bool is(term x) {
  return x.owner->nodes.entry[x.id].op == opcode_of<Op>;
}

/// The result of a pullback: one adjoint for each operand.
template <std::size_t N>
struct operands {
  fixed<term, N> adjoint;
  constexpr operands(std::same_as<term> auto... each) : adjoint{each...} {}
};
template <class... Each>
operands(Each...) -> operands<sizeof...(Each)>;

/// The arity of an op that takes any number of operands.
inline constexpr int any_number = -1;

/// Shapes of the operands of a node, for an op's shape rule.
template <std::size_t N>
using shapes = fixed<shape, N>;

/// The kinds of op, by what an op struct derives from; each kind says which members the struct has.
struct nullary_kind {};      ///< no operand
struct elementwise_kind {};  ///< `value(x...)` for each entry, operands broadcast
struct reduction_kind {};    ///< `start` and `combine(a, b)` along the axes in the attribute
struct view_kind {};         ///< the operand's memory, read with other strides
struct assembly_kind {};     ///< memory that several operands are written into, each its own region
struct product_kind {};      ///< the matrix product
struct block_kind {};        ///< `run(attribute, y, x...)`: a kernel of its own over whole operands
struct loop_kind {};       ///< a body, run again and again (`graph/loop_body.hpp`); its results are nodes of their own
struct result_kind {};     ///< one result of a loop; the attribute is its position
struct composite_kind {};  ///< `expand(x...)` in other ops, with a derivative rule of its own

/// A block whose function is the user's (`graph/opaque.hpp`).
struct opaque_kind : block_kind {};

/// The entries of its operands that the adjoint of an op reaches, of which it is known at which
/// entries of the result it arrived.
enum class reach : std::uint8_t {
  whole,       ///< all of them, where it arrived at all; that is known where it did so everywhere or nowhere
  anywhere,    ///< all of them, where it arrived at any entry
  entrywise,   ///< those that the result's entry was computed from, by broadcasting
  counted,     ///< those at which the op's own rule, given 1 for each arrival, counts one
  picked,      ///< the same, where even a whole adjoint leaves gaps
  along_axes,  ///< those along the axes in the attribute
  lines,       ///< as `whole`; if the product says so, rows of the first operand or columns of the second by themselves
};

/// How a result depends on those operands to which derivatives flow.
enum class linearity : std::uint8_t {
  none,      ///< in another way than these
  joint,     ///< linear in all at once, so that the op of their derivatives is the result's derivative
  separate,  ///< linear in each of two: a product
};

/// The axes along which a composite or a block takes its operand's entries one by one.
enum class separable : std::uint8_t {
  nowhere,      ///< none that is known
  not_reduced,  ///< all but those whose bit is set in the attribute, as in a reduction's
  not_along,    ///< all but the one in the attribute
  not_windows,  ///< the first and the last: images of a batch, and their channels
};

/// Whether `Op` is of the kind `Kind`.
template <class Op, class Kind>
inline constexpr bool is_a = std::is_base_of_v<Kind, Op>;

ETCH_NAMESPACE_END

// Transposition and the matrix product.
#pragma once

#include <etch/core/misuse_error.hpp>
#include <etch/op/reduce.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace op {

/// The transpose of a matrix, or of each matrix in a batch: no copy, only other strides. A vector becomes a row.
struct transpose : view_kind {
  static constexpr auto name = "transpose";
  static constexpr auto call = "transpose(x)";
  static constexpr auto formula = "y[i, j] = x[j, i]";
  static constexpr int arity = 1;

  static constexpr shape infer(attribute, shapes<1> const& x) {
    shape s = x[0];
    s.rank = std::max(s.rank, 2);
    std::swap(s[0], s[1]);
    if (s.counted == 1 || s.counted == 2) s.counted = 3 - s.counted;
    return s;
  }
  static constexpr std::optional<layout> project(attribute, layout of, shape const&, shape const&) {
    std::swap(of.step[0], of.step[1]);
    return of;
  }
  static constexpr auto pullback(auto g, auto, auto) { return operands{emit<transpose>(0, g)}; }
  /// (xᵀ)ᵀ = x, (a b)ᵀ = bᵀ aᵀ where that is no vector; scalars are their own transpose.
  static constexpr term simplify(attribute, auto x);
};

/// The axis of the product of `a` and `b` of which a count is known, as in `joined_counts`.
constexpr int counted_in_product(shape const& a, shape const& b) {
  return joined_counts(a.is_counted(1) ? 0 : a.counted, b.is_counted(0) ? 0 : b.counted);
}

/// Matrix product; operands of rank 0 and 1 are columns. Axes beyond the second count matrices,
/// multiplied one by one; they broadcast.
struct matmul : product_kind {
  static constexpr auto name = "matmul";
  static constexpr reach reaches = reach::lines;
  /// In the attribute: rows or columns are points, of which one may be taken while the next is not.
  static constexpr attribute of_points = 1;
  static constexpr auto call = "a * b";
  static constexpr auto formula = "y[i, j] = sum over k of a[i, k] b[k, j]";
  static constexpr int arity = 2;

  static constexpr shape infer(attribute, shapes<2> const& x) {
    shape const &a = x.entry[0], &b = x.entry[1];
    if (a.extent.entry[1] != b.extent.entry[0]) error::inner_dimensions_differ(a, b);
    // An axis that is contracted counts on both sides or on neither.
    if (a.is_counted(1) != b.is_counted(0)) error::inner_dimensions_differ(a, b);
    int const counted = counted_in_product(a, b);
    if (counted == two_counts) error::two_axes_are_counted(a, b);
    if (a.rank <= 2 && b.rank <= 2) return {b.rank < 2 ? 1 : 2, {a.extent.entry[0], b.extent.entry[1], 1, 1}, counted};
    shape s = make_shape(a[0], b[1]);
    s.counted = counted;
    s.rank = std::max({2, a.rank, b.rank});
    for (int axis = 2; axis < max_rank; ++axis) {
      s[axis] = std::max(a[axis], b[axis]);
      for (shape const& of : x)
        if (of[axis] != 1 && of[axis] != s[axis]) error::shapes_do_not_broadcast(a, b);
    }
    return s;
  }
  /// C = A B:  dA = G Bᵀ, dB = Aᵀ G  (M. Giles, An extended collection of matrix derivative results, 2008, §2.2.2).
  static constexpr auto pullback(auto g, auto, auto a, auto b) {
    return operands{emit<matmul>(0, g, emit<transpose>(0, b)), emit<matmul>(0, emit<transpose>(0, a), g)};
  }
  /// A product with a repeated row or column becomes a product with a vector; one row is computed as a
  /// column, so that either is one node.
  static constexpr term simplify(attribute points, auto a, auto b) {
    shape const &of_a = a.owner->nodes.entry[a.id].extent, &of_b = b.owner->nodes.entry[b.id].extent;
    if (of_a.rank > 2 || of_b.rank > 2) return {};
    int const rows = of_a.extent.entry[0], columns = of_b.extent.entry[1];
    if (is<broadcast>(b)) {
      auto const from = b.operand(0);
      if (from->extent[1] == 1 && b->extent[1] > 1)
        return emit<matmul>(0, a, fit(from, make_shape(b->extent.dimension(0), 1)));
      if (from->extent[0] == 1 && b->extent[0] > 1)
        return emit<mul>(0, emit<sum>(2, fit(a, make_shape(of_a.dimension(0), a->extent.dimension(1)))), from);
    }
    if (is<broadcast>(a)) {
      auto const from = a.operand(0);
      if (from->extent[0] == 1 && a->extent[0] > 1)
        return emit<matmul>(0, fit(from, make_shape(1, a->extent.dimension(1))), b);
      if (from->extent[1] == 1 && a->extent[1] > 1) return emit<mul>(0, from, emit<sum>(1, b));
    }
    if (rows == 1 && columns > 1)
      return emit<transpose>(0, emit<matmul>(points, emit<transpose>(0, b), emit<transpose>(0, a)));
    return {};
  }
};

constexpr term transpose::simplify(attribute, auto x) {
  if (is<transpose>(x)) return x.operand(0);
  if (x.extent().size() == 1) return x;
  if (is<matmul>(x) && x->extent[0] > 1 && x->extent[1] > 1)
    return emit_known<matmul>(0, emit<transpose>(0, x.operand(1)), emit<transpose>(0, x.operand(0)));
  if (is<broadcast>(x) && x.extent().rank <= 2)
    return emit_to<broadcast>(make_shape(x->extent.dimension(1), x->extent.dimension(0)),
                              emit<transpose>(0, x.operand(0)));
  return {};
}

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The transpose of a matrix or vector.
template <handle X>
constexpr auto transpose(X const& x) {
  return apply<op::transpose>(x);
}

namespace detail {

/// Whether the axes beyond the second, which count matrices, broadcast.
constexpr bool batches_agree(shape a, shape b) {
  a[0] = a[1] = b[0] = b[1] = 1;
  if (a.counted <= 2) a.counted = 0;
  if (b.counted <= 2) b.counted = 0;
  return broadcasts(a, b);
}

}  // namespace detail

/// The matrix product; a vector is a column. Axes beyond the second count matrices: `[m, k, batch]` times `[k, n,
/// batch]` is `[m, n, batch]`, and an operand without those axes, or with extent 1 there, takes part in every product.
template <handle A, handle B>
constexpr auto matmul(A const& a, B const& b) {
  if constexpr (std::same_as<A, term>) {
    return emit<op::matmul>(0, a, b);
  } else {
    constexpr shape meant = B::extent.rank < 2 ? make_shape(A::extent.dimension(0))
                                               : make_shape(A::extent.dimension(0), B::extent.dimension(1));
    if constexpr (A::extent[1] != B::extent[0] && A::extent == B::extent) {
      error::equal_shapes_are_multiplied<A, B>();
      return detail::instead_of<detail::likely_type<A, B>, A::extent>(a, b);
    } else if constexpr (A::extent[1] != B::extent[0] || A::extent.is_counted(1) != B::extent.is_counted(0)) {
      error::inner_dimensions_differ<A, B>();
      return detail::instead_of<detail::likely_type<A, B>, meant>(a, b);
    } else if constexpr (op::counted_in_product(A::extent, B::extent) == two_counts) {
      error::two_axes_are_counted<A, B>();
      return detail::instead_of<detail::likely_type<A, B>, meant>(a, b);
    } else if constexpr (!detail::batches_agree(A::extent, B::extent)) {
      error::shapes_do_not_broadcast<A, B>();
      return detail::instead_of<detail::likely_type<A, B>, meant>(a, b);
    } else if constexpr (!detail::types_meet<A, B>()) {
      error::element_types_differ<A, B>();
      return detail::instead_of<detail::likely_type<A, B>, meant>(a, b);
    } else {
      using T = decltype(detail::meeting_type<A, B>());
      if constexpr (A::extent.rank <= 2 && B::extent.rank > 2 &&
                    B::extent.counted == 0) {  // one matrix times many is one product of more columns
        constexpr shape s = op::matmul::infer(0, {A::extent, B::extent});
        constexpr shape wide = make_shape(B::extent[0], static_cast<int>(B::extent.size() / B::extent[0]));
        return apply_to<op::reshape, s>(apply<op::matmul>(cast<T>(a), apply_to<op::reshape, wide>(cast<T>(b))));
      } else {
        return apply<op::matmul>(cast<T>(a), cast<T>(b));
      }
    }
  }
}

/// Scaling where one operand is a scalar; else the matrix product, or the element-wise one
/// if an operand is an `array()`.
template <class A, class B>
  requires detail::any_traced_pair<A, B>
constexpr auto operator*(A const& a, B const& b) {
  if constexpr (!detail::traced_pair<A, B>) {
    if constexpr (!detail::few_numbers<A> && !detail::few_numbers<B>) error::tensor_belongs_to_no_graph<A, B>();
    return detail::as_operand(a) * detail::as_operand(b);
  } else if constexpr (detail::operand_traits<A>::is_scalar || detail::operand_traits<B>::is_scalar) {
    return cwise_product(a, b);
  } else if constexpr (A::elementwise_product || B::elementwise_product) {
    return cwise_product(a, b);
  } else {
    return matmul(a, b);
  }
}

ETCH_NAMESPACE_END

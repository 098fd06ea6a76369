// kron: the Kronecker product.
#pragma once

#include <etch/op/concat.hpp>

ETCH_NAMESPACE_BEGIN

/// The Kronecker product of two matrices, or of vectors, which are columns: every entry of `a` times all of `b`, as the
/// blocks of one matrix
/// `[rows of a * rows of b, columns of a * columns of b]`. Of two vectors it is a vector.
template <static_handle A, static_handle B>
constexpr auto kron(A const& a, B const& b) {
  constexpr shape s = A::extent, t = B::extent;
  constexpr shape target = s.rank < 2 && t.rank < 2 ? make_shape(s[0] * t[0]) : make_shape(s[0] * t[0], s[1] * t[1]);
  if constexpr (s.rank > 2 || t.rank > 2) {
    error::not_a_matrix<std::conditional_t<(s.rank > 2), A, B>>();
    return detail::instead_of<float, target>(a, b);
  } else if constexpr (s.counted != 0 || t.counted != 0) {
    error::operation_has_no_run_time_count<std::conditional_t<s.counted != 0, A, B>>();
    return detail::instead_of<double, target>(a, b);
  } else if constexpr (!detail::types_meet<A, B>()) {
    error::element_types_differ<A, B>();
    return detail::instead_of<double, target>(a, b);
  } else {
    using T = decltype(detail::meeting_type<A, B>());
    if constexpr (!std::is_floating_point_v<T>) error::integers_are_labels<A, B>();
    graph* const owner = detail::owner_of(a, b);
    if (owner == nullptr) error::constants_belong_to_no_graph();
    // The row i p + k of an entry a[i, j] b[k, l] is the pair (k, i), k fastest; and so is its column.
    term const outer = reshaped(detail::joined(cast<T>(a), *owner), make_shape(1, s[0], 1, s[1]));
    term const inner = reshaped(detail::joined(cast<T>(b), *owner), make_shape(t[0], 1, t[1], 1));
    return make_expr<T, target, (A::elementwise_product || B::elementwise_product)>(owner,
                                                                                    reshaped(outer * inner, target).id);
  }
}

ETCH_NAMESPACE_END

// linspace: numbers at equal distances.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/op/reshape.hpp>

ETCH_NAMESPACE_BEGIN

/// `N` numbers at equal distances from `first` to `last`, both of which are reached exactly; for N = 1 only `first`.
/// Of traced numbers it is a traced vector, with a gradient for both; of plain ones an `etch::tensor`, of double where
/// both are integers.
template <int N, class First, class Last>
  requires((detail::traced<First> || scalar<First>) && (detail::traced<Last> || scalar<Last>))
constexpr auto linspace(First const& first, Last const& last) {
  constexpr int count = N < 1 ? 1 : N;
  if constexpr (N < 1) {
    error::count_too_small<N>();
    return expr<float, count>();
  } else if constexpr (scalar<First> && scalar<Last>) {
    using T = std::conditional_t<std::is_floating_point_v<std::common_type_t<First, Last>>,
                                 std::common_type_t<First, Last>, double>;
    T const from = static_cast<T>(first), to = static_cast<T>(last);
    tensor<T, N> y;
    for (int i = 0; i < N; ++i)
      y(i) = i > 0 && i == N - 1 ? to : from + static_cast<T>(i) * ((to - from) / static_cast<T>(N < 2 ? 1 : N - 1));
    return y;
  } else if constexpr (tape_scalar<First> || tape_scalar<Last>) {
    return linspace<N>(detail::on_graph(first), detail::on_graph(last));
  } else if constexpr (!detail::operand_traits<First>::is_scalar || !detail::operand_traits<Last>::is_scalar) {
    error::not_a_number<std::conditional_t<detail::operand_traits<First>::is_scalar, Last, First>>();
    return detail::instead_of<float, make_shape(count)>(first, last);
  } else {
    using T = decltype(detail::meeting_type<First, Last>());
    if constexpr (!std::is_floating_point_v<T>) error::integers_are_labels<First, Last>();
    auto const from = detail::as_handle<T>(first), to = detail::as_handle<T>(last);
    graph* const owner = detail::owner_of(from, to);
    if (owner == nullptr) error::constants_belong_to_no_graph();
    term const lo = detail::joined(from, *owner), hi = detail::joined(to, *owner),
               i = iota(*owner, element_of<T>, 0, N);
    term const y = N == 1 ? lo : select(less_than(i, N - 1), lo + i * ((hi - lo) / (N < 2 ? 1 : N - 1)), hi);
    return make_expr<T, make_shape(N)>(owner, fit(y, make_shape(N)).id);
  }
}

ETCH_NAMESPACE_END

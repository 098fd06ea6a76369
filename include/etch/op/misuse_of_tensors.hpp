// misuse_of_tensors: operations on plain tensors beyond those of core/plain_arithmetic.hpp and
// core/plain_reductions.hpp. Each is one sentence that says where they are computed.
#pragma once

#include <etch/core/misuse_error.hpp>
#include <etch/core/plain_arithmetic.hpp>
#include <etch/core/plain_reductions.hpp>
#include <etch/op/operand.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class... X>
constexpr auto plain_tensors_are_computed_by_a_program() {
  static_assert(never<X...>,
                "etch: this operation on plain tensors is computed by a program, `auto f = "
                "etch::compile<etch::wrt<>>([](auto a, auto b) { return a * b; }, a, b)` and `f(a, b)`, or by Eigen, "
                "`a.matrix() * b.matrix()`; plain tensors themselves are added, subtracted and multiplied by numbers");
  return mistake{};
}
}  // namespace error

namespace detail {

/// A plain tensor that is no number.
template <class X>
concept plain_array = plain_entries<X> && (X::extent.rank > 0);
/// Plain values, one of them such a tensor.
template <class... X>
concept plain_operands = (plain_array<X> || ...) && ((plain_entries<X> || scalar<X> || plain_eigen<X>) && ...);

/// Stands for the result of an operation on plain values.
template <class First, class... More>
constexpr auto instead_of_plain(First const& first, More const&... more) {
  error::plain_tensors_are_computed_by_a_program<First, More...>();
  if constexpr (plain_array<First>) return first;
  else return std::get<0>(std::tie(more...));
}

}  // namespace detail

#define ETCH_DETAIL_OF_PLAIN_TENSORS(name)                       \
  template <class First, class... More>                          \
    requires(detail::plain_operands<First, More...>)             \
  constexpr auto name(First const& first, More const&... more) { \
    return detail::instead_of_plain(first, more...);             \
  }
#define ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(name)  \
  template <class A, class B>                   \
    requires(detail::plain_operands<A, B>)      \
  constexpr auto name(A const& a, B const& b) { \
    return detail::instead_of_plain(a, b);      \
  }

ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator+)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator-)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator*)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator/)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator<)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator>)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator<=)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator>=)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator+=)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator-=)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator*=)
ETCH_DETAIL_OF_TWO_PLAIN_TENSORS(operator/=)

ETCH_DETAIL_OF_PLAIN_TENSORS(abs)
ETCH_DETAIL_OF_PLAIN_TENSORS(square)
ETCH_DETAIL_OF_PLAIN_TENSORS(sqrt)
ETCH_DETAIL_OF_PLAIN_TENSORS(exp)
ETCH_DETAIL_OF_PLAIN_TENSORS(log)
ETCH_DETAIL_OF_PLAIN_TENSORS(sin)
ETCH_DETAIL_OF_PLAIN_TENSORS(cos)
ETCH_DETAIL_OF_PLAIN_TENSORS(tanh)
ETCH_DETAIL_OF_PLAIN_TENSORS(sigmoid)
ETCH_DETAIL_OF_PLAIN_TENSORS(relu)
ETCH_DETAIL_OF_PLAIN_TENSORS(softmax)
ETCH_DETAIL_OF_PLAIN_TENSORS(logsumexp)
ETCH_DETAIL_OF_PLAIN_TENSORS(transpose)
ETCH_DETAIL_OF_PLAIN_TENSORS(pow)
ETCH_DETAIL_OF_PLAIN_TENSORS(max)
ETCH_DETAIL_OF_PLAIN_TENSORS(min)
ETCH_DETAIL_OF_PLAIN_TENSORS(dot)
ETCH_DETAIL_OF_PLAIN_TENSORS(matmul)
ETCH_DETAIL_OF_PLAIN_TENSORS(outer)
ETCH_DETAIL_OF_PLAIN_TENSORS(cross)
ETCH_DETAIL_OF_PLAIN_TENSORS(cwise_product)
ETCH_DETAIL_OF_PLAIN_TENSORS(cwise_quotient)
ETCH_DETAIL_OF_PLAIN_TENSORS(clamp)
ETCH_DETAIL_OF_PLAIN_TENSORS(select)

#undef ETCH_DETAIL_OF_PLAIN_TENSORS
#undef ETCH_DETAIL_OF_TWO_PLAIN_TENSORS

ETCH_NAMESPACE_END

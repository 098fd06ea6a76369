// Fixed-size Eigen matrices, arrays, and Maps of them as arguments.
#pragma once

#include <etch/core/argument.hpp>
#include <etch/core/misuse_error.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

template <class M>
concept eigen_dense = requires { typename M::PlainObject; } && std::is_base_of_v<Eigen::DenseBase<M>, M>;

template <class M>
inline constexpr bool is_fixed_size = M::RowsAtCompileTime != Eigen::Dynamic && M::ColsAtCompileTime != Eigen::Dynamic;

/// A Map's strides are contiguous where they are zero at compile time; Matrix and Array always are.
template <class M>
inline constexpr bool is_packed = true;
template <class P, int Options, class Stride>
inline constexpr bool is_packed<Eigen::Map<P, Options, Stride>> =
    Stride::InnerStrideAtCompileTime == 0 && Stride::OuterStrideAtCompileTime == 0;

/// Memory order of a row-major matrix is that of its transpose.
template <class M>
inline constexpr bool is_row_major = M::IsRowMajor && M::RowsAtCompileTime != 1 && M::ColsAtCompileTime != 1;

template <class M>
inline constexpr shape eigen_shape = M::ColsAtCompileTime == 1 ? make_shape(M::RowsAtCompileTime)
                                                               : make_shape(M::RowsAtCompileTime, M::ColsAtCompileTime);

template <class M>
inline constexpr bool fits_on_stack =
    sizeof(typename M::Scalar) * static_cast<std::size_t>(M::SizeAtCompileTime) <= EIGEN_STACK_ALLOCATION_LIMIT;

/// Eigen's own object, or a tensor of the same shape where Eigen refuses objects of that size.
template <class M, bool Fits>
struct eigen_gradient {
  using type = typename M::PlainObject;
};
template <class M>
struct eigen_gradient<M, false> {
  template <int... Axis>
  static auto tensor_of(std::integer_sequence<int, Axis...>) -> tensor<typename M::Scalar, eigen_shape<M>[Axis]...>;
  using type = decltype(tensor_of(std::make_integer_sequence<int, eigen_shape<M>.rank>{}));
};

/// An object with its entries in memory: no expression of Eigen's.
template <class M>
inline constexpr bool has_entries = requires(M const& m) { m.data(); };

/// A matrix or array with a bounded number of columns (`core/counted_views.hpp`).
template <class M>
concept bounded_eigen = eigen_dense<M> && scalar<typename M::Scalar> && M::RowsAtCompileTime != Eigen::Dynamic &&
                        M::ColsAtCompileTime == Eigen::Dynamic && M::MaxColsAtCompileTime > 1 &&
                        std::is_same_v<M, typename M::PlainObject> && !M::IsRowMajor;

template <class M>
concept any_eigen_argument = eigen_dense<M> && scalar<typename M::Scalar>;
template <class M>
concept eigen_argument = any_eigen_argument<M> && is_fixed_size<M> && is_packed<M> && has_entries<M>;

}  // namespace detail

/// A column vector is traced with rank 1, any other matrix with rank 2; an Eigen array as
/// one whose `*` is element-wise.
template <detail::eigen_argument M>
struct argument<M> {
  using T = typename M::Scalar;
  static constexpr bool is_array = std::is_base_of_v<Eigen::ArrayBase<M>, M>;
  static constexpr shape extent = detail::eigen_shape<M>;
  using traced = typename expr_type<T, extent, is_array>::type;
  using gradient = typename detail::eigen_gradient<M, detail::fits_on_stack<M>>::type;
  static constexpr bool rebindable = true;  // a member etch::matrix<T, R, C> of a struct is traced as one
  /// Whether the gradient lies in memory as the lambda sees the argument, although the argument lies there transposed.
  static constexpr bool gradient_as_seen = detail::is_row_major<M> && !detail::fits_on_stack<M>;

  static constexpr traced trace(auto make) {
    if constexpr (detail::is_row_major<M>) return make.template transposed<T, make_shape(extent[1], extent[0])>();
    else return make.template operator()<T, extent>();
  }
  static constexpr void visit(auto& a, auto f) { f(a.data(), static_cast<std::size_t>(M::SizeAtCompileTime)); }
};

template <detail::any_eigen_argument M>
  requires(!detail::is_fixed_size<M> && !detail::bounded_eigen<M>)
struct argument<M> : mistaken_argument {
  using mistake = decltype(error::size_is_dynamic<M>());
};
template <detail::any_eigen_argument M>
  requires(detail::is_fixed_size<M> && !detail::has_entries<M>)
struct argument<M> : mistaken_argument {
  using mistake = decltype(error::expression_is_no_argument<M>());
};
template <detail::any_eigen_argument M>
  requires(detail::is_fixed_size<M> && detail::has_entries<M> && !detail::is_packed<M>)
struct argument<M> : mistaken_argument {
  using mistake = decltype(error::map_has_strides<M>());
};

ETCH_NAMESPACE_END

// symbol: the element tag of a traced struct; param: the type of a struct's members.
#pragma once

#include <etch/core/expr.hpp>
#include <etch/core/tensor.hpp>

ETCH_NAMESPACE_BEGIN

/// Element tag: `mlp<symbol<float>>` is the model that a lambda sees while it is traced. It is itself a traced scalar,
/// so that a member declared `T scale` works in both worlds.
template <scalar T>
struct symbol : expr<T> {
  using expr<T>::expr;
  constexpr symbol() = default;
  constexpr symbol(expr<T> const& value) : expr<T>(value) {}
};

namespace detail {
template <class T, int... Dims>
struct param_of;
template <scalar T, int... Dims>
struct param_of<T, Dims...> {
  using type = tensor<T, Dims...>;
};
template <scalar T, int... Dims>
struct param_of<symbol<T>, Dims...> {
  using type = expr<T, Dims...>;
};
}  // namespace detail

/// The type of a struct's member of shape `Dims`: `tensor` for an arithmetic `T`, `expr` for a `symbol`.
template <class T, int... Dims>
using param = typename detail::param_of<T, Dims...>::type;

ETCH_NAMESPACE_END

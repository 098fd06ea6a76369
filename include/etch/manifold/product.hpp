// product: steps of tuples, arrays and structs that hold manifolds, part by part.
#pragma once

#include <etch/core/leafwise.hpp>
#include <etch/transform/structure.hpp>
#include <etch/transform/tangent.hpp>

ETCH_NAMESPACE_BEGIN
namespace manifold {

namespace detail {

/// A tuple, an array or a struct that holds a manifold and is none itself.
template <class X>
concept product = !etch::detail::curved<X> && etch::detail::holds_curved<X>();

template <class X, class V>
constexpr X stepped(X const& x, V const& v) {
  if constexpr (etch::detail::curved<X>) {
    return retract(x, v);
  } else if constexpr (product<X>) {
    X y = x;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((etch::detail::part_of<I>(y) = stepped(etch::detail::part_of<I>(x), std::get<I>(v))), ...);
    }(etch::detail::indices_of<X>());
    return y;
  } else {
    return etch::detail::sum_of(x, v);
  }
}
template <class X>
constexpr auto difference(X const& x, X const& y) {
  if constexpr (etch::detail::curved<X>) {
    return local(x, y);
  } else if constexpr (product<X>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using parts = std::tuple<decltype(difference(etch::detail::part_of<I>(x), etch::detail::part_of<I>(y)))...>;
      if constexpr (etch::detail::is_array<X>)
        return std::array<std::tuple_element_t<0, parts>, sizeof...(I)>{
            difference(etch::detail::part_of<I>(x), etch::detail::part_of<I>(y))...};
      else return parts{difference(etch::detail::part_of<I>(x), etch::detail::part_of<I>(y))...};
    }(etch::detail::indices_of<X>());
  } else {
    return etch::detail::difference_of(y, x);
  }
}

}  // namespace detail

/// Each part moved along its tangent vector: those of a tuple or a struct are a tuple, those of an array an array. What
/// is no manifold is added to.
template <detail::product X, class V>
constexpr X retract(X const& x, V const& v) {
  return detail::stepped(x, v);
}
/// The tangent vectors that lead from each part of x to that of y.
template <detail::product X>
constexpr auto local(X const& x, X const& y) {
  return detail::difference(x, y);
}

}  // namespace manifold
ETCH_NAMESPACE_END

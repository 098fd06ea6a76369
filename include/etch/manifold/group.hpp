// group: what is the same for all groups of rotations and rigid motions: steps along tangent vectors, and products.
#pragma once

#include <etch/manifold/se2.hpp>
#include <etch/manifold/se3.hpp>

ETCH_NAMESPACE_BEGIN
namespace manifold {

namespace detail {
template <class G>
inline constexpr bool is_group = false;
template <class T>
inline constexpr bool is_group<so2<T>> = true;
template <class T>
inline constexpr bool is_group<so3<T>> = true;
template <class T>
inline constexpr bool is_group<se2<T>> = true;
template <class T>
inline constexpr bool is_group<se3<T>> = true;

template <class G, class Tag>
using of_tag = typename etch::detail::rebind<G, Tag>::type;
template <class G>
using tag_of_group = typename etch::detail::first_parameter<G>::type;
}  // namespace detail

/// A group of this room: `so2`, `so3`, `se2`, `se3`.
template <class G>
concept group = detail::is_group<G>;

/// x exp(v): the element that the tangent vector v leads to from x.
template <group G, class V>
constexpr auto retract(G const& x, V const& v) {
  using S = detail::joint<detail::tag_of_group<G>, detail::tag_of<V>>;
  constexpr int entries = detail::known_entries<typename G::tangent>();
  return compose(x, detail::of_tag<G, S>::exp(detail::with_entries<entries>(v)));
}
/// x exp(v) to second order in v, of which derivatives are taken.
template <group G, class V>
constexpr auto retract_nearby(G const& x, V const& v) {
  using S = detail::joint<detail::tag_of_group<G>, detail::tag_of<V>>;
  return compose(x, detail::of_tag<G, S>::template near_identity<detail::to_second_order>(v));
}
/// log(x⁻¹ y): the tangent vector that leads from x to y, so that `retract(x, local(x, y))` is y.
template <group G, group H>
constexpr auto local(G const& x, H const& y) {
  return log(compose(inverse(x), y));
}
/// `exp<so3>(v)`: the element at the tangent vector v from the identity.
template <template <class> class G, class V>
constexpr auto exp(V const& v) {
  return G<detail::tag_of<V>>::exp(v);
}

/// The composition: first b, then a.
template <group G, group H>
constexpr auto operator*(G const& a, H const& b) {
  return compose(a, b);
}

}  // namespace manifold
ETCH_NAMESPACE_END

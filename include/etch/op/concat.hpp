// Functions that put entries together: each part is written where it belongs.
#pragma once

#include <etch/op/reshape.hpp>

namespace etch::inline ETCH_ABI {

namespace detail {

template <int Axis, class First, class... X>
consteval bool concatenates() {
  [[maybe_unused]] auto const fits = [](shape s) {
    s[Axis] = First::extent[Axis];
    return same_extents(s, First::extent);
  };
  return (fits(X::extent) && ...);
}

/// The element type in which all operands meet: that of the first which is not a constant.
template <class First, class... More>
constexpr auto joint_type() {
  if constexpr (operand_traits<First>::literal && sizeof...(More) > 0) return joint_type<More...>();
  else return typename First::scalar_type{};
}

/// Constants and scalars take any type; tensors keep theirs.
template <class T, class X>
inline constexpr bool joins_as = operand_traits<X>::literal || operand_traits<X>::is_scalar || std::same_as<T, typename X::scalar_type>;

/// The parts one after the other along `Axis`, from the left.
template <int Axis, static_handle First, static_handle... More>
constexpr auto concatenated(First const& first, More const&... more) {
  using T = decltype(joint_type<First, More...>());
  if constexpr (!std::is_floating_point_v<T>) error::integers_are_labels<First, More...>();
  if constexpr (!(joins_as<T, First> && ... && joins_as<T, More>)) error::element_types_differ<First, std::tuple<More...>>();
  constexpr shape whole = with_extent(First::extent, Axis, (First::extent[Axis] + ... + More::extent[Axis]));
  graph* const owner = owner_of(first, more...);
  if (owner == nullptr) error::constants_belong_to_no_graph();
  sequence<term> parts;
  int begin = 0;
  auto const add = [&](auto const& x) {
    term part = joined(x, *owner);
    part = fit(part, with_extent(part.extent(), Axis, part.extent()[Axis]));
    parts.push_back(embed(part, whole, region(Axis, begin)));
    begin += part.extent()[Axis];
  };
  (add(cast<T>(first)), ..., add(cast<T>(more)));
  return typed<whole>(cast<T>(first), sum_of(parts));
}

}  // namespace detail

/// The operands one after the other along `Axis`; along the other axes their extents agree. Each is computed in its place.
template <int Axis, static_handle First, static_handle... More>
constexpr auto concat(First const& first, More const&... more) {
  using T = typename First::scalar_type;
  if constexpr (Axis < 0 || Axis >= max_rank) {
    error::axis_out_of_range<First, Axis>();
    return detail::instead_of<T, First::extent>(first, more...);
  } else if constexpr (!detail::concatenates<Axis, First, More...>()) {
    error::shapes_do_not_concatenate<Axis, First, More...>();
    return detail::instead_of<T, detail::with_extent(First::extent, Axis, (First::extent[Axis] + ... + More::extent[Axis]))>(first,
                                                                                                                             more...);
  } else {
    return detail::concatenated<Axis>(first, more...);
  }
}

/// `concat` under the name that NumPy gives it.
template <int Axis = 0, static_handle First, static_handle... More>
constexpr auto concatenate(First const& first, More const&... more) {
  return concat<Axis>(first, more...);
}

/// The operands, all of one shape, along a new axis at position `Axis`.
template <int Axis, static_handle First, static_handle... More>
constexpr auto stack(First const& first, More const&... more) {
  if constexpr (First::extent.rank == max_rank || !((First::extent == More::extent) && ...)) {
    error::shapes_do_not_stack<First, More...>();
    return detail::instead_of<typename First::scalar_type, First::extent>(first, more...);
  } else if constexpr (Axis < 0 || Axis > First::extent.rank) {
    error::axis_out_of_range<First, Axis>();
    return detail::instead_of<typename First::scalar_type, First::extent>(first, more...);
  } else {
    constexpr shape part = [] {
      shape s = First::extent;
      for (int axis = s.rank++; axis > Axis; --axis) s[axis] = s[axis - 1];
      s[Axis] = 1;
      return s;
    }();
    using T = decltype(detail::joint_type<First, More...>());
    auto const shaped = [&](auto const& x) {
      return detail::viewed<part>(cast<T>(x), [&](term t) { return emit_to<op::reshape>(part, t); });
    };
    return concat<Axis>(shaped(first), shaped(more)...);
  }
}

/// `Before` and `After` entries of `value` around `x` along `Axis`.
template <int Axis, int Before, int After, static_handle X>
constexpr auto pad(X const& x, double value = 0) {
  if constexpr (Before < 0 || After < 0) error::count_too_small<Before, After>();
  if constexpr (!std::is_floating_point_v<typename X::scalar_type>) error::integers_are_labels<X>();
  constexpr shape whole = detail::with_extent(X::extent, Axis, Before + X::extent[Axis] + After);
  if (x.owner == nullptr) error::constants_belong_to_no_graph();
  term const t{x.owner, x.id};
  graph& g = *x.owner;
  sequence<term> parts;
  parts.push_back(embed(fit(t, detail::with_extent(X::extent, Axis, X::extent[Axis])), whole, region(Axis, Before)));
  auto const add = [&](int begin, int count) {
    if (count == 0 || value == 0) return;
    parts.push_back(embed(fit(constant(g, t->type, value), detail::with_extent(whole, Axis, count)), whole, region(Axis, begin)));
  };
  add(0, Before);
  add(Before + X::extent[Axis], After);
  return detail::typed<whole>(x, sum_of(parts));
}

}  // namespace etch::inline ETCH_ABI

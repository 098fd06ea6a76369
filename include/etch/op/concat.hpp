// Functions that put entries together: each part is written where it belongs.
#pragma once

#include <etch/op/reshape.hpp>
#include <etch/op/stray_operands.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

template <int Axis, class First, class... X>
consteval bool concatenates() {
  [[maybe_unused]] auto const fits = [](shape s) {
    s[Axis] = First::extent[Axis];
    return same_extents(s, First::extent);
  };
  return (fits(X::extent) && ...);
}

/// Constants and scalars take any type; tensors keep theirs.
template <class T, class X>
inline constexpr bool joins_as =
    operand_traits<X>::literal || operand_traits<X>::is_scalar || std::same_as<T, typename X::scalar_type>;

/// The parts one after the other along `Axis`, from the left.
template <int Axis, static_handle First, static_handle... More>
constexpr auto concatenated(First const& first, More const&... more) {
  using T = decltype(joint_type<First, More...>());
  if constexpr (!std::is_floating_point_v<T>) error::integers_are_labels<First, More...>();
  if constexpr (!(joins_as<T, First> && ... && joins_as<T, More>))
    error::element_types_differ<First, std::tuple<More...>>();
  constexpr shape whole = with_extent(First::extent, Axis, (First::extent[Axis] + ... + More::extent[Axis]));
  auto const put_together = [&](auto... each) {
    sequence<term> parts;
    int begin = 0;
    for (term part : {each...}) {
      part = fit(part, with_extent(part.extent(), Axis, part.extent()[Axis]));
      parts.push_back(embed(part, whole, region(Axis, begin)));
      begin += part.extent()[Axis];
    }
    return fit(sum_of(parts), whole);
  };
  return built<T, whole, First::elementwise_product>(put_together, as_handle<T>(first), as_handle<T>(more)...);
}

/// A value that can be a part: a traced value, a constant, a number.
template <class... X>
concept parts = ((traced<X> || scalar<X>) && ...);

/// A part as a handle: a number as a constant, a scalar of a tape on its graph.
template <class X>
constexpr auto as_part(X const& x) {
  if constexpr (scalar<X>) return as_handle<undetermined>(x);
  else return on_graph(x);
}
}  // namespace detail

/// The operands one after the other along `Axis`; along the other axes their extents agree. Each is computed in its
/// place. A number is a part with extent 1 along all axes.
template <int Axis = 0, class First, class... More>
  requires detail::parts<First, More...>
constexpr auto concat(First const& first, More const&... more) {
  if constexpr (!(static_handle<First> && ... && static_handle<More>)) {
    return concat<Axis>(detail::as_part(first), detail::as_part(more)...);
  } else if constexpr (Axis < 0 || Axis >= max_rank) {
    error::axis_out_of_range<First, Axis>();
    return detail::instead_of<typename First::scalar_type, First::extent>(first, more...);
  } else if constexpr (!detail::concatenates<Axis, First, More...>()) {
    error::shapes_do_not_concatenate<Axis, First, More...>();
    constexpr shape meant = detail::with_extent(First::extent, Axis, (First::extent[Axis] + ... + More::extent[Axis]));
    return detail::instead_of<typename First::scalar_type, meant>(first, more...);
  } else {
    return detail::concatenated<Axis>(first, more...);
  }
}

template <int Axis = 0, class First, class... More>
  requires detail::stray_operands<First, More...>
constexpr auto concat(First const& first, More const&... more) {
  return detail::with_constants([](auto const&... each) { return etch::concat<Axis>(each...); }, first, more...);
}

/// `concat` under the name that NumPy gives it.
template <int Axis = 0, class First, class... More>
  requires(detail::parts<First, More...> || detail::stray_operands<First, More...>)
constexpr auto concatenate(First const& first, More const&... more) {
  return concat<Axis>(first, more...);
}

/// The operands, all of one shape, along a new axis at position `Axis`. Numbers are scalars among them.
template <int Axis = 0, class First, class... More>
  requires detail::parts<First, More...>
constexpr auto stack(First const& first, More const&... more) {
  if constexpr (!(static_handle<First> && ... && static_handle<More>)) {
    return stack<Axis>(detail::as_part(first), detail::as_part(more)...);
  } else if constexpr (First::extent.rank == max_rank || !((First::extent == More::extent) && ...)) {
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
      if (s.counted > Axis) ++s.counted;
      return s;
    }();
    auto const shaped = [&](auto const& x) {
      return detail::computed<part>(x, [&](term t) { return emit_to<op::reshape>(part, t); });
    };
    return concat<Axis>(shaped(first), shaped(more)...);
  }
}

template <int Axis = 0, class First, class... More>
  requires detail::stray_operands<First, More...>
constexpr auto stack(First const& first, More const&... more) {
  return detail::with_constants([](auto const&... each) { return etch::stack<Axis>(each...); }, first, more...);
}

/// `Before` and `After` entries of `value` around `x` along `Axis`.
template <int Axis, int Before, int After, static_handle X>
constexpr auto pad(X const& x, double value = 0) {
  if constexpr (Before < 0 || After < 0) error::count_too_small<Before, After>();
  if constexpr (!std::is_floating_point_v<typename X::scalar_type>) error::integers_are_labels<X>();
  constexpr shape whole = detail::with_extent(X::extent, Axis, Before + X::extent[Axis] + After);
  return detail::computed<whole>(x, [&](term t) {
    sequence<term> parts;
    parts.push_back(embed(fit(t, detail::with_extent(X::extent, Axis, X::extent[Axis])), whole, region(Axis, Before)));
    auto const add = [&](int begin, int count) {
      if (count == 0 || value == 0) return;
      parts.push_back(embed(fit(constant(*t.owner, t->type, value), detail::with_extent(whole, Axis, count)), whole,
                            region(Axis, begin)));
    };
    add(0, Before);
    add(Before + X::extent[Axis], After);
    return sum_of(parts);
  });
}

ETCH_NAMESPACE_END

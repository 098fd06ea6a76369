// Functions that pick, reorder, repeat or put together entries. Slices are views; what is put together is written in place.
#pragma once

#include <etch/op/slice.hpp>

namespace etch::inline ETCH_ABI {

namespace detail {

/// The typed handle of `x`, which has the shape `Extent`.
template <shape Extent, static_handle Like>
constexpr auto typed(Like const&, term x) {
  return make_expr<typename Like::scalar_type, Extent, Like::elementwise_product>(x.owner, x.id);
}

/// A view of `x` of shape `Extent`, made by `view(term)`. A constant that belongs to no graph yet stays one.
template <shape Extent, static_handle X>
constexpr auto viewed(X const& x, auto view) {
  if (x.owner == nullptr) {
    if (x.id == identity_id) error::constants_belong_to_no_graph();
    return make_expr<typename X::scalar_type, Extent, X::elementwise_product>(nullptr, -1, x.immediate);
  }
  return typed<Extent>(x, view(term{x.owner, x.id}));
}

/// A value of shape `Extent` computed from `x` by `compute(term)`.
template <shape Extent, static_handle X>
constexpr auto computed(X const& x, auto compute) {
  if (x.owner == nullptr) error::constants_belong_to_no_graph();
  return typed<Extent>(x, compute(term{x.owner, x.id}));
}

template <static_handle X, int Axis>
constexpr void require_axis() {
  static_assert(Axis >= 0 && Axis < (X::extent.rank < 1 ? 1 : X::extent.rank), "etch: axis out of range: the tensor has fewer axes");
}

constexpr shape with_extent(shape s, int axis, int n) {
  s[axis] = n;
  if (s.rank <= axis) s.rank = axis + 1;
  return s;
}

/// `Dims` with the one -1 among them replaced by what makes `size` entries.
template <int... Dims>
constexpr shape completed(std::int64_t size) {
  shape s = make_shape(Dims...);
  for (int axis = 0; axis < s.rank; ++axis)
    if (s[axis] == -1) s[axis] = static_cast<int>(size / -s.size());
  return s;
}

}  // namespace detail

/// The same entries in memory order (first index fastest) as a tensor of shape `Dims`; one of them may be -1, for what is left.
template <int... Dims, static_handle X>
constexpr auto reshape(X const& x) {
  constexpr shape target = detail::completed<Dims...>(X::extent.size());
  static_assert(target.size() == X::extent.size(), "etch: reshape to another number of entries");
  if constexpr (target.size() == X::extent.size())
    return detail::viewed<target>(x, [&](term t) { return emit_to<op::reshape>(target, t); });
}

/// All entries as a vector.
template <static_handle X>
constexpr auto flatten(X const& x) {
  return reshape<-1>(x);
}

/// `x` repeated along the axes where it has extent 1, to the shape `Dims`.
template <int... Dims, static_handle X>
constexpr auto broadcast(X const& x) {
  constexpr shape target = make_shape(Dims...);
  constexpr bool fits = broadcasts(X::extent, target) && same_extents(broadcast_shape(X::extent, target), target);
  static_assert(fits, "etch: shapes do not broadcast: along every axis the extents must be equal, or the operand's 1");
  if constexpr (fits) return detail::viewed<target>(x, [&](term t) { return fit(t, target); });
}

namespace detail {

/// `Count` entries along `Axis` from `begin` on, `step` apart.
template <int Axis, int Count, static_handle X>
constexpr auto sliced(X const& x, int begin, int step = 1) {
  constexpr shape part = with_extent(X::extent, Axis, Count);
  return viewed<part>(x, [&](term t) { return slice(t, region(Axis, begin, step), Count); });
}

}  // namespace detail

/// `Count` entries along `Axis`, from `Begin` on, `Step` apart: a view. Their gradients go straight into their places.
template <int Axis, int Begin, int Count, int Step = 1, static_handle X>
constexpr auto slice(X const& x) {
  detail::require_axis<X, Axis>();
  constexpr bool inside = Begin >= 0 && Count >= 1 && Step >= 1 && Begin + (Count - 1) * Step < X::extent[Axis];
  static_assert(inside, "etch: slice out of range: begin + (count - 1) * step must be less than the extent of the axis");
  if constexpr (inside) return detail::sliced<Axis, Count>(x, Begin, Step);
}

/// Row `I` of a matrix, as a row `[1, columns]`.
template <int I, static_handle X>
constexpr auto row(X const& x) {
  return slice<0, I, 1>(x);
}
/// Column `J` of a matrix, as a column `[rows, 1]`.
template <int J, static_handle X>
constexpr auto col(X const& x) {
  static_assert(X::extent.rank == 2, "etch: col takes a matrix");
  return slice<1, J, 1>(x);
}

/// `N` equal parts along `Axis`, as a std::array.
template <int Axis, int N, static_handle X>
constexpr auto split(X const& x) {
  detail::require_axis<X, Axis>();
  static_assert(N >= 1 && X::extent[Axis] % N == 0,
                "etch: split into parts of unequal size: the extent of the axis is no multiple of their number");
  constexpr int count = X::extent[Axis] / N;
  return [&]<int... I>(std::integer_sequence<int, I...>) { return std::array{detail::sliced<Axis, count>(x, I * count)...}; }
  (std::make_integer_sequence<int, N>{});
}

namespace detail {

template <int Axis, class First, class... X>
consteval bool concatenates() {
  auto const fits = [](shape s) {
    s[Axis] = First::extent[Axis];
    return same_extents(s, First::extent);
  };
  return (fits(X::extent) && ...);
}

/// The parts one after the other along `Axis`, from the left.
template <int Axis, static_handle First, static_handle... More>
constexpr auto concatenated(First const& first, More const&... more) {
  using T = typename First::scalar_type;
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
  (add(first), ..., add(cast<T>(more)));
  return typed<whole>(first, sum_of(parts));
}

}  // namespace detail

/// The operands one after the other along `Axis`; along the other axes their extents agree. Each is computed in its place.
template <int Axis, static_handle First, static_handle... More>
constexpr auto concat(First const& first, More const&... more) {
  static_assert(Axis >= 0 && Axis < max_rank, "etch: axis out of range: tensors have four axes at most");
  constexpr bool fits = detail::concatenates<Axis, First, More...>();
  static_assert(fits, "etch: shapes do not concatenate: along all axes but the one named the extents must be equal");
  if constexpr (fits) return detail::concatenated<Axis>(first, more...);
}

/// The operands, all of one shape, along a new axis at position `Axis`.
template <int Axis, static_handle First, static_handle... More>
constexpr auto stack(First const& first, More const&... more) {
  static_assert(First::extent.rank < max_rank, "etch: stack makes one axis more, and tensors have four axes at most");
  static_assert(((First::extent == More::extent) && ...), "etch: shapes do not stack: all operands must have the same shape");
  constexpr shape part = [] {
    shape s = First::extent;
    for (int axis = s.rank++; axis > Axis; --axis) s[axis] = s[axis - 1];
    s[Axis] = 1;
    return s;
  }();
  auto const shaped = [&](auto const& x) { return detail::viewed<part>(x, [&](term t) { return emit_to<op::reshape>(part, t); }); };
  return concat<Axis>(shaped(first), shaped(more)...);
}

/// `Before` and `After` entries of `value` around `x` along `Axis`.
template <int Axis, int Before, int After, static_handle X>
constexpr auto pad(X const& x, double value = 0) {
  static_assert(Before >= 0 && After >= 0, "etch: pad takes numbers of entries, not less than 0");
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

/// The entries in opposite order along the axes named; along all where none is.
template <int... Axis, static_handle X>
constexpr auto reverse(X const& x) {
  (detail::require_axis<X, Axis>(), ...);
  constexpr attribute axes = sizeof...(Axis) == 0 ? (1u << max_rank) - 1 : ((attribute{1} << Axis) | ... | 0u);
  return detail::viewed<X::extent>(x, [&](term t) { return emit<op::reverse>(axes, t); });
}

/// Axis `i` of the result is axis `Axis[i]` of `x`.
template <int... Axis, static_handle X>
constexpr auto permute(X const& x) {
  constexpr bool all = [] {
    bool seen[max_rank]{};
    ((Axis >= 0 && Axis < max_rank ? void(seen[Axis] = true) : void()), ...);
    for (int axis = 0; axis < static_cast<int>(sizeof...(Axis)); ++axis)
      if (!seen[axis]) return false;
    return static_cast<int>(sizeof...(Axis)) == X::extent.rank;
  }();
  static_assert(all, "etch: permute names every axis of the tensor once");
  if constexpr (all) {
    constexpr attribute order = [] {
      attribute bits = op::permute::identity;
      int axis = 0;
      ((bits = (bits & ~(attribute{3} << (2 * axis))) | (static_cast<attribute>(Axis) << (2 * axis)), ++axis), ...);
      return bits;
    }();
    constexpr shape target = op::permute::infer(order, {X::extent});
    return detail::viewed<target>(x, [&](term t) { return emit<op::permute>(order, t); });
  }
}

namespace detail {

/// The axes before `Axis`, the axis, and those after it, as three.
constexpr shape around(shape const& s, int axis) {
  int before = 1, after = 1;
  for (int i = 0; i < axis; ++i) before *= s[i];
  for (int i = axis + 1; i < max_rank; ++i) after *= s[i];
  return make_shape(before, s[axis], after);
}

template <int Axis, int Count, bool Interleaved, static_handle X>
constexpr auto repeated(X const& x) {
  constexpr shape parts = around(X::extent, Axis), result = with_extent(X::extent, Axis, X::extent[Axis] * Count);
  constexpr shape thin = Interleaved ? make_shape(parts[0], 1, parts[1], parts[2]) : make_shape(parts[0], parts[1], 1, parts[2]);
  constexpr shape wide = Interleaved ? make_shape(parts[0], Count, parts[1], parts[2]) : make_shape(parts[0], parts[1], Count, parts[2]);
  return viewed<result>(x, [&](term t) { return emit_to<op::reshape>(result, fit(emit_to<op::reshape>(thin, t), wide)); });
}

template <class Counts, static_handle X>
constexpr auto tiled(X const& x) {
  return x;
}
template <class Counts, int Axis, int... More, static_handle X>
constexpr auto tiled(X const& x) {
  constexpr int count = []<int... Count>(std::integer_sequence<int, Count...>) { return fixed{Count...}[Axis]; }
  (Counts{});
  return tiled<Counts, More...>(repeated<Axis, count, false>(x));
}

}  // namespace detail

/// Every entry `Count` times in succession along `Axis`: a b becomes a a b b.
template <int Axis, int Count, static_handle X>
constexpr auto repeat(X const& x) {
  static_assert(Count >= 1 && Axis >= 0 && Axis < max_rank, "etch: repeat takes an axis and a count of at least 1");
  return detail::repeated<Axis, Count, true>(x);
}

/// `x` as a whole `Count[i]` times along axis i: a b becomes a b a b.
template <int... Count, static_handle X>
constexpr auto tile(X const& x) {
  static_assert(sizeof...(Count) <= max_rank && ((Count >= 1) && ...), "etch: tile takes a count of at least 1 for each axis");
  return [&]<int... Axis>(std::integer_sequence<int, Axis...>) { return detail::tiled<std::integer_sequence<int, Count...>, Axis...>(x); }
  (std::make_integer_sequence<int, static_cast<int>(sizeof...(Count))>{});
}

/// The diagonal of a matrix, as a vector.
template <static_handle X>
constexpr auto diagonal(X const& x) {
  static_assert(X::extent.rank <= 2, "etch: diagonal takes a matrix");
  constexpr shape target = op::diagonal::infer(0, {X::extent});
  return detail::viewed<target>(x, [&](term t) { return emit<op::diagonal>(0, t); });
}

}  // namespace etch::inline ETCH_ABI

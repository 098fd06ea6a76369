// Functions that pick, reorder or repeat entries: views, without a copy. What puts entries together is in concat.hpp.
#pragma once

#include <etch/op/slice.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// A value of shape `Extent` computed from `x` by `compute(term)`.
template <shape Extent, static_handle X>
constexpr auto computed(X const& x, auto compute) {
  return built<typename X::scalar_type, Extent, X::elementwise_product>([&](term t) { return fit(compute(t), Extent); },
                                                                        x);
}

/// Whether `X` has the axis; the sentence if not.
template <static_handle X, int Axis>
constexpr bool has_axis() {
  constexpr bool has = Axis >= 0 && Axis < (X::extent.rank < 1 ? 1 : X::extent.rank);
  if constexpr (!has) error::axis_out_of_range<X, Axis>();
  return has;
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
/// The entries have shape `from`, along one axis of which a count may be known.
template <int... Dims>
constexpr shape completed_from(shape const& from) {
  return counted_as(completed<Dims...>(from.size()), from);
}

}  // namespace detail

/// Reads the entries in memory order (first index fastest) as a tensor of shape `Dims`; one of
/// them may be -1, for what is left.
template <int... Dims, static_handle X>
constexpr auto reshape(X const& x) {
  constexpr shape target = detail::completed_from<Dims...>(X::extent);
  if constexpr (target.size() != X::extent.size()) {
    error::reshape_changes_size<X, error::shape_of<Dims...>>();
    return detail::instead_of<typename X::scalar_type, target>(x);
  } else if constexpr (X::extent.counted != 0 && target.counted == 0) {
    error::operation_has_no_run_time_count<X>();
    return detail::instead_of<typename X::scalar_type, target>(x);
  } else {
    return detail::computed<target>(x, [&](term t) { return emit_to<op::reshape>(target, t); });
  }
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
  if constexpr (!fits) {
    error::shapes_do_not_broadcast<X, error::shape_of<Dims...>>();
    return detail::instead_of<typename X::scalar_type, target>(x);
  } else {
    return detail::computed<target>(x, [&](term t) { return fit(t, target); });
  }
}

namespace detail {

/// `Count` entries along `Axis` from `begin` on, `step` apart.
template <int Axis, int Count, static_handle X>
constexpr auto sliced(X const& x, int begin, int step = 1) {
  constexpr shape part = with_extent(X::extent, Axis, Count);
  return computed<part>(x, [&](term t) { return slice(t, region(Axis, begin, step), Count); });
}

}  // namespace detail

/// `Count` entries along `Axis`, from `Begin` on, `Step` apart: a view. Their gradients go straight into their places.
template <int Axis, int Begin, int Count, int Step = 1, static_handle X>
constexpr auto slice(X const& x) {
  using T = typename X::scalar_type;
  if constexpr (!detail::has_axis<X, Axis>()) {
    return detail::instead_of<T, X::extent>(x);
  } else if constexpr (Begin < 0 || Count < 1 || Step < 1 || Begin + (Count - 1) * Step >= X::extent[Axis]) {
    error::slice_out_of_range<X, Axis, Begin, Count, Step>();
    return detail::instead_of<T, detail::with_extent(X::extent, Axis, Count < 1 ? 1 : Count)>(x);
  } else if constexpr (X::extent.is_counted(Axis) && Count != X::extent[Axis]) {
    error::operation_has_no_run_time_count<X>();
    return detail::instead_of<T, detail::with_extent(X::extent, Axis, Count)>(x);
  } else {
    return detail::sliced<Axis, Count>(x, Begin, Step);
  }
}

/// Row `I` of a matrix, as a row `[1, columns]`.
template <int I, static_handle X>
constexpr auto row(X const& x) {
  return slice<0, I, 1>(x);
}
/// Column `J` of a matrix, as a column `[rows, 1]`.
template <int J, static_handle X>
constexpr auto col(X const& x) {
  return slice<1, J, 1>(x);
}

namespace detail {

/// The size of each of `N` equal parts along `Axis`; 1 if there are none such.
template <static_handle X, int Axis, int N>
constexpr int parts_of() {
  if constexpr (!has_axis<X, Axis>()) {
    return 1;
  } else if constexpr (N < 1 || X::extent[Axis] % N != 0) {
    error::parts_are_unequal<X, Axis, N>();
    return 1;
  } else {
    return X::extent[Axis] / N;
  }
}

}  // namespace detail

/// `N` equal parts along `Axis`, as a std::array.
template <int Axis, int N, static_handle X>
constexpr auto split(X const& x) {
  constexpr int count = detail::parts_of<X, Axis, N>();
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return std::array{detail::sliced<Axis, count>(x, I * count)...};
  }(std::make_integer_sequence<int, N>{});
}

/// The entries in opposite order along the axes named; along all where none is.
template <int... Axis, static_handle X>
constexpr auto reverse(X const& x) {
  static_cast<void>((detail::has_axis<X, Axis>() && ...));
  constexpr attribute axes = sizeof...(Axis) == 0 ? (1u << max_rank) - 1 : ((attribute{1} << Axis) | ... | 0u);
  return detail::computed<X::extent>(x, [&](term t) { return emit<op::reverse>(axes, t); });
}

/// `reverse` under the name that NumPy gives it.
template <int... Axis, static_handle X>
constexpr auto flip(X const& x) {
  return reverse<Axis...>(x);
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
  if constexpr (!all) {
    error::axes_are_not_permuted<X, Axis...>();
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else {
    constexpr attribute order = [] {
      attribute bits = op::permute::identity;
      int axis = 0;
      ((bits = (bits & ~(attribute{3} << (2 * axis))) | (static_cast<attribute>(Axis) << (2 * axis)), ++axis), ...);
      return bits;
    }();
    constexpr shape target = op::permute::infer(order, {X::extent});
    return detail::computed<target>(x, [&](term t) { return emit<op::permute>(order, t); });
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
  constexpr shape thin =
      Interleaved ? make_shape(parts[0], 1, parts[1], parts[2]) : make_shape(parts[0], parts[1], 1, parts[2]);
  constexpr shape wide =
      Interleaved ? make_shape(parts[0], Count, parts[1], parts[2]) : make_shape(parts[0], parts[1], Count, parts[2]);
  return computed<result>(
      x, [&](term t) { return emit_to<op::reshape>(result, fit(emit_to<op::reshape>(thin, t), wide)); });
}

template <class Counts, static_handle X>
constexpr auto tiled(X const& x) {
  return x;
}
template <class Counts, int Axis, int... More, static_handle X>
constexpr auto tiled(X const& x) {
  constexpr int count = []<int... Count>(std::integer_sequence<int, Count...>) {
    return fixed{Count...}[Axis];
  }(Counts{});
  return tiled<Counts, More...>(repeated<Axis, count, false>(x));
}

}  // namespace detail

/// Every entry `Count` times in succession along `Axis`: a b becomes a a b b.
template <int Axis, int Count, static_handle X>
constexpr auto repeat(X const& x) {
  if constexpr (!detail::has_axis<X, Axis>()) {
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else if constexpr (Count < 1) {
    error::count_too_small<Count>();
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else {
    return detail::repeated<Axis, Count, true>(x);
  }
}

/// `x` as a whole `Count[i]` times along axis i: a b becomes a b a b.
template <int... Count, static_handle X>
constexpr auto tile(X const& x) {
  if constexpr (sizeof...(Count) > max_rank) {
    error::rank_too_large<error::shape_of<Count...>>();
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else if constexpr (!((Count >= 1) && ...)) {
    error::count_too_small<Count...>();
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else {
    return [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
      return detail::tiled<std::integer_sequence<int, Count...>, Axis...>(x);
    }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Count))>{});
  }
}

/// The diagonal of a matrix, as a vector.
template <static_handle X>
constexpr auto diagonal(X const& x) {
  if constexpr (X::extent.rank > 2) {
    error::not_a_matrix<X>();
    return detail::instead_of<typename X::scalar_type, make_shape(X::extent[0])>(x);
  } else {
    constexpr shape target = op::diagonal::infer(0, {X::extent});
    return detail::computed<target>(x, [&](term t) { return emit<op::diagonal>(0, t); });
  }
}

ETCH_NAMESPACE_END

// Entries picked by indices that are known only at run time; the adjoint adds into the picked places.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/op/compare.hpp>

#include <cstring>

ETCH_NAMESPACE_BEGIN
namespace op {

/// The axis that is indexed, and the rank of the indices, which take its place.
struct index_axis {
  int axis = 0, rank = 0;

  constexpr index_axis(int along, int indices) : axis(along), rank(indices) {}
  constexpr explicit index_axis(attribute bits) : axis(static_cast<int>(bits & 3)), rank(static_cast<int>(bits >> 2)) {}
  constexpr operator attribute() const { return static_cast<attribute>(axis) | (static_cast<attribute>(rank) << 2); }

  constexpr shape result(shape const& x, shape const& indices) const {
    shape s;
    s.rank = x.rank - 1 + rank;
    if (axis >= x.rank) error::axis_out_of_range(x, axis);
    if (s.rank > max_rank) error::rank_too_large(s.rank);
    for (int i = 0; i < axis; ++i) s[i] = x[i];
    for (int i = 0; i < rank; ++i) s[axis + i] = indices[i];
    for (int i = axis + 1; i < x.rank; ++i) s[i - 1 + rank] = x[i];
    if (has_two_counts(x, indices)) error::two_axes_are_counted(x, indices);
    if (indices.counted != 0) s.counted = axis + indices.counted;
    else if (x.counted != 0 && !x.is_counted(axis)) s.counted = x.counted <= axis ? x.counted : x.counted - 1 + rank;
    return s;
  }

  constexpr bool has_two_counts(shape const& x, shape const& indices) const {
    return indices.counted != 0 && x.counted != 0 && !x.is_counted(axis);
  }

  /// Calls `f(where in the indexed value, where in the result, how many)` for entries that adjoin in both, until all of
  /// the result had their turn. It becomes a part of its caller, where shapes and strides are constants.
  template <class Whole, class Picked, class Index>
  [[gnu::always_inline]] constexpr void each(block<Whole> whole, block<Picked> picked, block<Index> indices,
                                             error::index_names names, auto f) const {
    // Axis by axis and in no loop, since compilers follow constants into loops too late.
    shape rest = whole.extent;  // all axes but the indexed one
    rest[axis] = 1;
    strides step{};  // of the result along them
    std::int64_t adjoining = 1;
    bool all_adjoin = true;
    auto const take = [&](int i) __attribute__((always_inline)) {
      if (i < axis) step.entry[i] = picked.step.entry[i];
      else if (i > axis && i - 1 + rank < max_rank) step.entry[i] = picked.step.entry[i - 1 + rank];
      all_adjoin = all_adjoin && (rest[i] == 1 || (whole.step.entry[i] == adjoining && step.entry[i] == adjoining));
      if (all_adjoin) adjoining *= rest[i], rest[i] = 1;
    };
    take(0), take(1), take(2), take(3);
    for_each_index(indices.extent, [&](auto const& j) {
      auto const k = static_cast<std::int64_t>(indices(j));
      if (checks_indices && (k < 0 || k >= whole.extent[axis])) error::index_out_of_range(k, whole.extent[axis], names);
      Whole* const from = whole.data + k * whole.step.entry[axis];
      Picked* to = picked.data;
      for (int i = 0; i < rank; ++i) to += j.entry[i] * picked.step.entry[axis + i];
      for_each_index(rest, [&](auto const& i) {
        std::int64_t w = 0, p = 0;
        for (std::size_t a = 0; a < max_rank; ++a) w += i[a] * whole.step[a], p += i[a] * step[a];
        f(from + w, to + p, adjoining);
      });
    });
  }

  /// Out of range is an error in builds with assertions, and undefined behaviour in others, as in the standard library.
#if defined(NDEBUG)
  static constexpr bool checks_indices = false;
#else
  static constexpr bool checks_indices = true;
#endif
};

/// Along an axis, the entries at the given indices. The second operand are the indices, of any
/// arithmetic type; no derivative flows there.
struct gather : block_kind {
  static constexpr bool counts = true;
  static constexpr auto name = "gather";
  static constexpr reach reaches = reach::picked;
  static constexpr auto linear = linearity::joint;
  static constexpr auto call = "gather<0>(x, index)";
  static constexpr auto formula = "y[.., j.., ..] = x[.., index[j..], ..]";
  static constexpr int arity = 2, active_operands = 1;
  static constexpr bool mixed_types = true, names_indices = true;

  static constexpr shape infer(attribute a, shapes<2> const& x) { return index_axis(a).result(x[0], x[1]); }
  template <class T, class Index>
  [[gnu::always_inline]] static constexpr status run(attribute a, block<T> y, block<T const> x,
                                                     block<Index const> indices, error::index_names names = {}) {
    index_axis(a).each(x, y, indices, names, [](T const* from, T* to, std::int64_t n) {
      if (__builtin_is_constant_evaluated())
        for (std::int64_t i = 0; i < n; ++i) to[i] = from[i];
      else std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));  // moves where `n` is a constant
    });
    return status::ok;
  }
  static constexpr auto pullback(auto g, auto, auto x, auto indices, attribute a);
  static std::string describe(node const& n) { return "<" + std::to_string(index_axis(n.attributes).axis) + ">"; }
};

/// Zeros, to which each entry of the first operand is added at its index: the adjoint of `gather`.
struct scatter_add : block_kind {
  static constexpr bool counts = true;
  static constexpr auto name = "scatter_add";
  static constexpr reach reaches = reach::counted;
  static constexpr auto linear = linearity::joint;
  static constexpr auto part_of = "the gradient of gather and of sort";
  static constexpr auto formula = "x[.., index[j..], ..] += y[.., j.., ..]";
  static constexpr int arity = 2, active_operands = 1;
  static constexpr bool takes_shape = true, mixed_types = true, accumulates = true, names_indices = true;

  static constexpr bool accepts(attribute a, shape const& whole, shapes<2> const& x) {
    return same_extents(index_axis(a).result(whole, x[1]), x[0]);
  }
  template <class T, class Index>
  [[gnu::always_inline]] static constexpr status run(attribute a, block<T> y, block<T const> x,
                                                     block<Index const> indices, bool accumulate,
                                                     error::index_names names = {}) {
    if (!accumulate) for_each_index(y.extent, [&](auto const& i) { y(i) = 0; });
    index_axis(a).each(y, x, indices, names, [](T* __restrict to, T const* from, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) to[i] += from[i];
    });
    return status::ok;
  }
  static constexpr auto pullback(auto g, auto, auto, auto indices, attribute a) {
    return operands{emit<gather>(a, g, indices), term{}};
  }
  static std::string describe(node const& n) { return gather::describe(n); }
};

constexpr auto gather::pullback(auto g, auto, auto x, auto indices, attribute a) {
  return operands{emit_shaped<scatter_add>(x.extent(), a, g, indices), term{}};
}

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// Along `Axis`, the entries of `x` at `indices` (a tensor of integers, or one integer); their axes take the
/// place of that axis. The gradient is added up in place, at the indices alone. An index out of range throws in
/// builds with assertions (without NDEBUG).
template <int Axis, static_handle X, static_handle Indices>
constexpr auto gather(X const& x, Indices const& indices) {
  if constexpr (Axis < 0 || Axis >= X::extent.rank) {
    error::axis_out_of_range<X, Axis>();
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else if constexpr (X::extent.rank - 1 + Indices::extent.rank > max_rank) {
    error::rank_too_large<X, Indices>();
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else if constexpr (op::index_axis(Axis, Indices::extent.rank).has_two_counts(X::extent, Indices::extent)) {
    error::two_axes_are_counted<X, Indices>();
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else {
    constexpr op::index_axis along(Axis, Indices::extent.rank);
    constexpr shape target = along.result(X::extent, Indices::extent);
    using T = std::conditional_t<detail::operand_traits<X>::literal && !constant_handle<Indices>, float,
                                 typename X::scalar_type>;
    return detail::built<T, target, X::elementwise_product>(
        [&](term entries, term at) { return emit<op::gather>(along, entries, at); }, x, indices);
  }
}

template <int Axis, class X, class Indices>
  requires detail::stray_operands<X, Indices>
constexpr auto gather(X const& x, Indices const& indices) {
  return detail::with_constants([](auto const& from, auto const& at) { return etch::gather<Axis>(from, at); }, x,
                                indices);
}

namespace detail {

/// 0, 1, ... N-1 along `Axis`, as numbers of type `T` in the graph of x.
template <scalar T, int Axis, int N, static_handle X>
constexpr auto positions(X const& x) {
  constexpr shape along = [] {
    shape s;
    s.rank = Axis + 1;
    s[Axis] = N;
    return s;
  }();
  return make_expr<T, along>(x.owner, iota(*x.owner, element_of<T>, Axis, N).id);
}

}  // namespace detail

/// Column j is 1 in row `labels[j]` and 0 elsewhere: `[N, batch]` from labels `[batch]`. A label outside
/// 0 ... N-1 gives a column of zeros.
template <int N, scalar T = float, static_handle Labels>
constexpr auto one_hot(Labels const& labels) {
  if constexpr (std::is_floating_point_v<typename Labels::scalar_type>) error::labels_are_not_integers<Labels>();
  constexpr int batch = static_cast<int>(Labels::extent.size());
  auto const row = cast<T>(apply_to<op::reshape, counted_as(make_shape(1, batch), Labels::extent)>(labels));
  if (row.owner == nullptr) error::constants_belong_to_no_graph();
  return equal_to(detail::positions<T, 0, N>(row), row);
}

ETCH_NAMESPACE_END

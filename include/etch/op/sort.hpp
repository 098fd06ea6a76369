// Sorting along an axis: where the entries stand in ascending order, and the entries in that order. Equal entries stay
// in their order; NaN comes last.
#pragma once

#include <etch/op/index.hpp>
#include <etch/op/reshape.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Along the axis in the attribute, where the smallest entry stands, the next, and so on. No derivative flows through
/// places.
struct argsort : block_kind {
  static constexpr bool counts = true;
  static constexpr auto name = "argsort";
  static constexpr auto call = "argsort<0>(x)";
  static constexpr auto formula = "the indices with x[y[0]] <= x[y[1]] <= ...";
  static constexpr auto kinks = "equal entries, -0 and 0 too, in their order; NaN last; gradient 0 everywhere";
  static constexpr int arity = 1;
  static constexpr auto separates = separable::not_along;
  static constexpr bool differentiable = false;

  static constexpr shape infer(attribute axis, shapes<1> const& x) {
    if (static_cast<int>(axis) >= std::max(x[0].rank, 1)) error::axis_out_of_range(x[0], static_cast<int>(axis));
    return x[0];
  }
  template <class T>
  static constexpr status run(attribute axis, block<T> y, block<T const> x) {
    shape lines = x.extent;
    int const count = lines[static_cast<int>(axis)];
    lines[static_cast<int>(axis)] = 1;
    for_each_index(lines, [&](auto const& i) { order(&y(i), y.step.entry[axis], &x(i), x.step.entry[axis], count); });
    return status::ok;
  }
  static std::string describe(node const& n) { return "<" + std::to_string(n.attributes) + ">"; }
  static constexpr term simplify(attribute axis, auto x) {
    return x.extent()[static_cast<int>(axis)] == 1 ? fit(constant(*x.owner, x->type, 0), x.extent()) : term{};
  }

 private:
  /// Whether the entry at `i` comes before the one at `j`. It tells any two entries apart, so every way of sorting is
  /// stable.
  template <class T>
  static constexpr bool before(T const* x, std::int64_t step, T i, T j) {
    T const a = x[static_cast<std::int64_t>(i) * step], b = x[static_cast<std::int64_t>(j) * step];
    if (a < b || b < a) return a < b;
    return (a == a) != (b == b) ? a == a : i < j;
  }
  /// Heap sort: it needs no memory beside the result, and never many more steps than usual.
  template <class T>
  static constexpr void order(T* place, std::int64_t apart, T const* x, std::int64_t step, int count) {
    auto const sink = [&](T moved, int at, int end) {
      for (int child; (child = 2 * at + 1) < end; at = child) {
        if (child + 1 < end && before(x, step, place[child * apart], place[(child + 1) * apart])) ++child;
        if (!before(x, step, moved, place[child * apart])) break;
        place[at * apart] = place[child * apart];
      }
      place[at * apart] = moved;
    };
    for (int i = 0; i < count; ++i) place[i * apart] = static_cast<T>(i);
    for (int root = count / 2; root-- > 0;) sink(place[root * apart], root, count);
    for (int end = count; --end > 0;) {
      T const last = place[end * apart];
      place[end * apart] = place[0];
      sink(last, 0, end);
    }
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

namespace detail {

/// `x` sorted along an axis: its entries in memory order, picked by where they stand there.
constexpr term sorted(term x, int axis) {
  shape const s = x.extent(), flat = make_shape(s.size());
  strides const step = contiguous_strides(s);
  term at = emit<op::argsort>(static_cast<attribute>(axis), x);
  if (step[static_cast<std::size_t>(axis)] != 1) at = at * static_cast<double>(step[static_cast<std::size_t>(axis)]);
  for (int other = 0; other < s.rank; ++other)
    if (other != axis && s[other] > 1)
      at = at + iota(*x.owner, x->type, other, s[other]) * static_cast<double>(step[static_cast<std::size_t>(other)]);
  return reshaped(emit<op::gather>(op::index_axis(0, 1), reshaped(x, flat), reshaped(at, flat)), s);
}

/// Whether `X` can be sorted along the axis, with `count` places as numbers of its element type; the sentence if not.
template <static_handle X, int Axis, std::int64_t Count>
constexpr bool sortable() {
  using T = typename X::scalar_type;
  if constexpr (!has_axis<X, Axis>()) {
    return false;
  } else if constexpr (!std::is_floating_point_v<T>) {
    error::integers_are_labels<X>();
    return false;
  } else if constexpr (sizeof(T) == 4 && Count > (1 << 24)) {
    error::indices_exceed_float<X>();
    return false;
  } else {
    return true;
  }
}

}  // namespace detail

/// Along `Axis`, the indices that sort `x` in ascending order, as numbers in the element type. Equal entries stay in
/// their order; NaN comes last.
template <int Axis = 0, static_handle X>
constexpr auto argsort(X const& x) {
  if constexpr (!detail::sortable<X, Axis, X::extent[Axis & 3]>()) return detail::instead_of<float, X::extent>(x);
  else return apply<op::argsort, Axis>(x);
}

/// The entries in ascending order along `Axis`; NaN comes last. The gradient goes back to where each entry came from:
/// of equal entries the first gets that of the first. In descending order: `reverse<Axis>(sort<Axis>(x))`.
template <int Axis = 0, static_handle X>
constexpr auto sort(X const& x) {
  if constexpr (!detail::sortable<X, Axis, X::extent.size()>()) {
    return detail::instead_of<float, X::extent>(x);
  } else if constexpr (X::extent.counted != 0 && X::extent.rank > 1) {
    error::operation_has_no_run_time_count<X>();  // entries are picked from all lines as one vector
    return detail::instead_of<float, X::extent>(x);
  } else {
    return detail::computed<X::extent>(x, [](term t) { return detail::sorted(t, Axis); });
  }
}

ETCH_NAMESPACE_END

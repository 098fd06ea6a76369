// Reductions over all entries or along axes; a reduced axis stays, with extent 1.
#pragma once

#include <etch/op/compare.hpp>
#include <etch/op/permute.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// An op that combines the entries along the axes in the attribute (bit i: axis i; bit `whole`: all, to a scalar).
/// `start(like)` is the neutral element, `combine` associative.
struct reduction : reduction_kind {
  static constexpr int arity = 1;
  static constexpr attribute whole = 1u << max_rank;

  static constexpr bool reduces(attribute axes, int axis) { return (axes & whole) != 0 || ((axes >> axis) & 1u) != 0; }
  static constexpr shape infer(attribute axes, shapes<1> const& x) {
    if ((axes & whole) != 0) return {};
    shape s = x[0];
    for (int axis = 0; axis < max_rank; ++axis) {
      if (!reduces(axes, axis)) continue;
      if (axis >= s.rank) error::axis_out_of_range(x[0], axis);
      s[axis] = 1;
      if (s.is_counted(axis)) s.counted = 0;
    }
    return s;
  }
  /// The value that the broadcast `x` repeats, with the rank of `x`, so that the same axes exist.
  static constexpr auto unrepeated(auto x) {
    shape s = x.operand(0).extent();
    s.rank = x.extent().rank;
    return fit(x.operand(0), s);
  }
  /// Whether how many entries one entry of the result combines is known at run time only.
  static constexpr bool counts(attribute axes, shape const& x) {
    return x.counted != 0 && reduces(axes, x.counted - 1);
  }
  /// How many entries of `x` one entry of the result combines; at most, where the number is known at run time only.
  static constexpr std::int64_t entries(attribute axes, shape const& x) {
    std::int64_t n = 1;
    for (int axis = 0; axis < max_rank; ++axis)
      if (reduces(axes, axis)) n *= x[axis];
    return n;
  }
  /// This number as a term of the graph of `x`.
  static constexpr auto entries_at_run_time(attribute axes, auto x) {
    double const others = static_cast<double>(entries(axes, x.extent())) /
                          (counts(axes, x.extent()) ? x.extent()[x.extent().counted - 1] : 1);
    return counts(axes, x.extent()) ? count_in(*x.owner, x->type) * others : constant(*x.owner, x->type, others);
  }
  static std::string describe(node const& n) {
    std::string axes;
    for (int axis = 0; axis < max_rank && (n.attributes & whole) == 0; ++axis)
      if (reduces(n.attributes, axis)) axes += (axes.empty() ? "<" : ", ") + std::to_string(axis);
    return axes.empty() ? "" : axes + ">";
  }
};

struct sum : reduction {
  static constexpr auto name = "sum";
  static constexpr auto formula = "x1 + x2 + ...";
  static constexpr auto linear = linearity::joint;
  static constexpr double start = 0;
  static constexpr auto combine(auto a, auto b) { return math::sum(a, b); }
  static constexpr auto pullback(auto g, auto, auto x) { return operands{fit(g, x.extent())}; }
  /// Repeated entries are counted, not added; a sum of negated entries is the negated sum.
  static constexpr term simplify(attribute axes, auto x) {
    if (entries(axes, x.extent()) == 1 && !counts(axes, x.extent())) return x;
    if (is<neg>(x)) return -emit<sum>(axes, x.operand(0));
    if (is<broadcast>(x)) {
      auto const from = unrepeated(x);
      if (counts(axes, x.extent()) && !counts(axes, from.extent()))
        return emit<sum>(axes, from) *
               (entries_at_run_time(axes, x) / static_cast<double>(entries(axes, from.extent())));
      auto const repeats = entries(axes, x.extent()) / entries(axes, from.extent());
      return emit<sum>(axes, from) * static_cast<double>(repeats);
    }
    return etch::detail::reduced_before<sum>(axes, x);
  }
};

/// Largest or smallest entry: `Op` names which. NaN wins; ties share the gradient evenly.
template <class Op>
struct extreme_entry : reduction {
  static constexpr auto kinks = "ties share the gradient evenly; NaN, also all gradients, where any entry is";
  static constexpr auto pullback(auto g, auto y, auto x, attribute axes) {
    auto const hit = equal_to(x, y);
    return operands{hit * (g / emit<sum>(axes, hit))};  // where y is NaN, nothing hits: 0 * (g / 0) is NaN
  }
  static constexpr term simplify(attribute axes, auto x) {
    if (entries(axes, x.extent()) == 1 && !counts(axes, x.extent())) return x;
    return is<broadcast>(x) ? emit<Op>(axes, unrepeated(x)) : etch::detail::reduced_before<Op>(axes, x);
  }
};

struct max : extreme_entry<max> {
  static constexpr auto name = "max";
  static constexpr auto formula = "the largest entry";
  static constexpr double start = -math::infinity<double>;
  static constexpr auto combine(auto a, auto b) { return math::max(a, b); }
};

struct min : extreme_entry<min> {
  static constexpr auto name = "min";
  static constexpr auto formula = "the smallest entry";
  static constexpr double start = math::infinity<double>;
  static constexpr auto combine(auto a, auto b) { return math::min(a, b); }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

namespace detail {
/// The attribute of a reduction along `Axis...`; along all where none is named.
template <int... Axis>
inline constexpr attribute axes = [] {
  static_assert(((Axis >= 0 && Axis < max_rank) && ...),
                "etch: axis out of range: axes are numbered from 0, and the last is the rank less 1");
  return sizeof...(Axis) == 0 ? op::reduction::whole : ((attribute{1} << (Axis & 3)) | ... | 0u);
}();

/// Whether how many entries of `X` a reduction along `Axis...` combines is known at run time only.
template <class X, int... Axis>
inline constexpr bool counts = op::reduction::counts(axes<Axis...>, X::extent);
template <int... Axis>
inline constexpr bool counts<term, Axis...> = false;

/// How many entries of `x` a reduction along `Axis...` combines, less `less`: a number, or a scalar where it is known
/// at run time only.
template <int... Axis, handle X>
constexpr auto entries(X const& x, int less = 0) {
  if constexpr (counts<X, Axis...>)
    return built<typename X::scalar_type, shape{}, false>(
        [less](term t) { return op::reduction::entries_at_run_time(axes<Axis...>, t) - static_cast<double>(less); }, x);
  else if constexpr (!std::same_as<X, term>)
    return static_cast<double>(op::reduction::entries(axes<Axis...>, X::extent) - less);
  else return static_cast<double>(op::reduction::entries(axes<Axis...>, x.extent()) - less);
}
template <scalar T, int... Dims>
constexpr auto number_that_counts(expr<T, Dims...> const& x) {
  return entries<expr<T, Dims...>::extent.counted - 1>(x);
}
}  // namespace detail

/// Sum of all entries, or along the given axes.
template <int... Axis, handle X>
constexpr auto sum(X const& x) {
  return apply<op::sum, detail::axes<Axis...>>(x);
}

/// Arithmetic mean of all entries, or along the given axes.
template <int... Axis, handle X>
constexpr auto mean(X const& x) {
  return sum<Axis...>(x) / detail::entries<Axis...>(x);
}

/// Largest entry along the given axes (of all entries, where none is given). NaN wins; ties share the gradient evenly.
template <int... Axis, handle X>
constexpr auto max(X const& x) {
  return apply<op::max, detail::axes<Axis...>>(x);
}

/// Smallest entry along the given axes (of all entries, where none is given). NaN wins; ties share the gradient evenly.
template <int... Axis, handle X>
constexpr auto min(X const& x) {
  return apply<op::min, detail::axes<Axis...>>(x);
}

ETCH_NAMESPACE_END

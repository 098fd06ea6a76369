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
    }
    return s;
  }
  /// The value that the broadcast `x` repeats, with the rank of `x`, so that the same axes exist.
  static constexpr auto unrepeated(auto x) {
    shape s = x.operand(0).extent();
    s.rank = x.extent().rank;
    return fit(x.operand(0), s);
  }
  /// How many entries of `x` one entry of the result combines.
  static constexpr std::int64_t entries(attribute axes, shape const& x) {
    std::int64_t n = 1;
    for (int axis = 0; axis < max_rank; ++axis)
      if (reduces(axes, axis)) n *= x[axis];
    return n;
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
    if (entries(axes, x.extent()) == 1) return x;
    if (is<neg>(x)) return -emit<sum>(axes, x.operand(0));
    if (is<broadcast>(x)) {
      auto const from = unrepeated(x);
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
    if (entries(axes, x.extent()) == 1) return x;
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

/// How many entries of `x` a reduction along `Axis...` combines.
template <int... Axis, handle X>
constexpr std::int64_t entries(X const& x) {
  if constexpr (!std::same_as<X, term>) return op::reduction::entries(axes<Axis...>, X::extent);
  else return op::reduction::entries(axes<Axis...>, x.extent());
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
  return sum<Axis...>(x) / static_cast<double>(detail::entries<Axis...>(x));
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

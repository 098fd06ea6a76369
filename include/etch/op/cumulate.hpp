// Running sums along an axis.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/op/reduce.hpp>
#include <etch/op/slice.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Along the axis in the attribute, each entry added to all before it. The adjoint runs the other way.
struct cumsum : block_kind {
  static constexpr bool counts = true;
  static constexpr auto name = "cumsum";
  static constexpr reach reaches = reach::counted;
  static constexpr auto linear = linearity::joint;
  static constexpr auto separates = separable::not_along;
  static constexpr auto call = "cumsum<0>(x)";
  static constexpr auto formula = "y[i] = x[0] + ... + x[i]";
  static constexpr interval domain{-4, 4};
  static constexpr int arity = 1;

  static constexpr shape infer(attribute axis, shapes<1> const& x) {
    if (static_cast<int>(axis) >= std::max(x[0].rank, 1)) error::axis_out_of_range(x[0], static_cast<int>(axis));
    return x[0];
  }
  template <class T>
  static constexpr status run(attribute axis, block<T> y, block<T const> x) {
    if (axis == 0) {  // the sum so far stays in a register
      T so_far{};
      for_each_index(y.extent, [&](auto const& i) {
        if (i.entry[0] == 0) so_far = x(i);
        else so_far = so_far + x(i);
        y(i) = so_far;
      });
    } else {
      std::int64_t const back = y.step.entry[axis];
      for_each_index(y.extent, [&](auto const& i) {
        T& here = y(i);
        if (i.entry[axis] == 0) here = x(i);
        else here = (&here)[-back] + x(i);
      });
    }
    return status::ok;
  }
  static constexpr bool in_lanes = true;
  /// Sums of entries that hold a number in each lane.
  template <class V>
  ETCH_DETAIL_INLINED static constexpr status run_in_lanes(attribute axis, block<V> y, block<V const> x) {
    return run(axis, y, x);
  }
  static std::string describe(node const& n) { return "<" + std::to_string(n.attributes) + ">"; }
  /// The sums of the adjoints from each entry on; where the last entry is known at run time only, those of all less
  /// those before.
  static constexpr auto pullback(auto g, auto, auto x, attribute axis) {
    attribute const along = attribute{1} << axis;
    if (x.extent().is_counted(static_cast<int>(axis)))
      return operands{emit<sum>(along, g) - (emit<cumsum>(axis, g) - g)};
    return operands{emit<reverse>(along, emit<cumsum>(axis, emit<reverse>(along, g)))};
  }
  static constexpr term simplify(attribute axis, auto x) {
    return x.extent()[static_cast<int>(axis)] == 1 ? x : term{};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// Sums of the entries up to each, along `Axis`.
template <int Axis = 0, static_handle X>
constexpr auto cumsum(X const& x) {
  if constexpr (Axis < 0 || Axis >= (X::extent.rank < 1 ? 1 : X::extent.rank)) {
    error::axis_out_of_range<X, Axis>();
    return detail::instead_of<typename X::scalar_type, X::extent>(x);
  } else {
    return apply<op::cumsum, Axis>(x);
  }
}

ETCH_NAMESPACE_END

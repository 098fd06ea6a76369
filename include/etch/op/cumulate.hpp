// Running sums along an axis.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/op/reduce.hpp>
#include <etch/op/slice.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Along the axis in the attribute, each entry added to all before it. The adjoint runs the other way.
struct cumsum : block_kind {
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
    std::int64_t const back = y.step.entry[axis];
    for_each_index(y.extent, [&](auto const& i) {
      T& here = y(i);
      here = i.entry[axis] == 0 ? x(i) : (&here)[-back] + x(i);
    });
    return status::ok;
  }
  static std::string describe(node const& n) { return "<" + std::to_string(n.attributes) + ">"; }
  static constexpr auto pullback(auto g, auto, auto, attribute axis) {
    attribute const along = attribute{1} << axis;
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

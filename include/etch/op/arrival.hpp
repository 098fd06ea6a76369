// -0 stands at the entries of an adjoint at which nothing arrived, where no mask goes with it: -0. Adding it changes
// nothing, and it is told from a zero that did arrive. Programs and tapes speak to each other so.
#pragma once

#include <etch/op/compare.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// 0 where nothing arrived, else 1.
struct arrived : piecewise_constant<1> {
  static constexpr auto name = "arrived";
  static constexpr auto part_of = "gradients on a tape";
  static constexpr auto formula = "0 at -0, else 1";
  ETCH_DETAIL_INLINED static constexpr auto value(auto x) {
    using V = decltype(x);
    V const one(math::scalar_in<V>(1)), zero(math::scalar_in<V>(0));
    return one - math::indicator(x == zero, x) * math::indicator(math::copysign(one, x) < zero, x);
  }
};

/// `x` where the mask is not 0, elsewhere the -0 of nothing; a -0 that arrived becomes 0.
struct mark_arrival : piecewise_constant<2> {
  static constexpr auto name = "mark_arrival";
  static constexpr auto part_of = "gradients on a tape";
  static constexpr auto formula = "m != 0 ? x, 0 for -0 : -0";
  ETCH_DETAIL_INLINED static constexpr auto value(auto m, auto x) {
    using V = decltype(x);
    V const zero(math::scalar_in<V>(0));
    return math::choose(m, math::choose(x, x, zero), -zero);
  }
};

}  // namespace op
ETCH_NAMESPACE_END

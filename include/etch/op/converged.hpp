// converged: the outcome of an iteration, which is NaN where it did not come to rest.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/math/arithmetic.hpp>
#include <etch/op/permute.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// The iterate x if the number beside it, the state of its iteration, is 0; else NaN, and the status says so.
struct converged : block_kind {
  static constexpr auto name = "converged";
  static constexpr auto part_of = "implicit, fixed_point, argmin";
  static constexpr auto formula = "state == 0 ? x : NaN";
  static constexpr bool differentiable = false;
  static constexpr int arity = 2;

  static constexpr shape infer(attribute, shapes<2> const& x) { return x[0]; }
  template <class T>
  static constexpr status run(attribute, block<T> y, block<T const> x, block<T const> state) {
    bool const rests = state(0) == 0;
    for_each_index(y.extent, [&](auto const& i) { y(i) = rests ? x(i) : math::not_a_number<T>; });
    return rests ? status::ok : status::not_converged;
  }
};

}  // namespace op
ETCH_NAMESPACE_END

// every_op: all element-wise ops of the list in one compiled program, in one scalar type.
#pragma once

#include "laws/agree.hpp"

namespace laws {

/// sum over all ops of one arity of sum(w * op(...)). Ops that allow it get operands of both signs, the others positive ones.
template <int Arity>
struct all_ops {
  template <class W, class X>
  constexpr auto operator()(W const& w, X const& positive, X const& any, X const& other) const {
    auto total = sum(w);
    for_each_op(op::list{}, [&](auto type) {
      using Op = typename decltype(type)::type;
      if constexpr (sampled<Op> && is_a<Op, elementwise_kind> && !std::same_as<Op, op::cast>) {
        if constexpr (Op::arity == Arity) {
          X const& x = Op::domain.low < 0 ? any : positive;
          if constexpr (Arity == 1) total += sum(cwise_product(w, apply<Op>(x)));
          if constexpr (Arity == 2) total += sum(cwise_product(w, apply<Op>(other, x)));
          if constexpr (Arity == 3) total += sum(cwise_product(w, apply<Op>(any, x, other)));
        }
      }
    });
    return total;
  }
};

template <class T, int... Dims>
void every_op_on() {
  tensor<T, Dims...> w, positive, any, other;
  randomise(w, -1, 1, 1), randomise(positive, 0.5, 4, 2), randomise(any, -4, 4, 3), randomise(other, -4, 4, 4);
  double const tolerance = sizeof(T) == 4 ? 3e-5 : 1e-12;
  CAPTURE(w.size());
  check_agreement<wrt<0, 1, 2>>(tolerance, all_ops<1>{}, w, positive, any, other);
  check_agreement<wrt<3, 1>>(tolerance, all_ops<2>{}, w, positive, any, other);
  check_agreement<wrt<0, 2, 3>>(tolerance, all_ops<3>{}, w, positive, any, other);
}

/// Sizes: a scalar, a prime below every register's width, one beside it, and a matrix with a reduction over both axes.
template <class T>
void every_op() {
  every_op_on<T>();
  every_op_on<T, 5>();
  every_op_on<T, 17>();
}

}  // namespace laws

// every_op: all element-wise ops of the list in a few compiled programs, in one scalar type.
#pragma once

#include "laws/agree.hpp"

namespace laws {

/// One of several parts of the list: each file compiles one.
template <int Number, int Of>
struct part {};

/// Whether `Op` belongs to a part, with `Arity` operands.
template <class Op, int Arity, class Part>
inline constexpr bool taken = false;
template <class Op, int Arity, int Number, int Of>
  requires(sampled<Op> && is_a<Op, elementwise_kind> && !std::same_as<Op, op::cast>)
inline constexpr bool taken<Op, Arity, part<Number, Of>> = Op::arity == Arity && opcode_of<Op> % Of == Number;

/// The sum over all ops of one arity of sum(w * op(...)). The operands come as numbers between 0 and 1
/// and are taken to each op's domain.
template <int Arity, class Part>
struct all_ops {
  template <class W, class X>
  constexpr auto operator()(W const& w, X const& a, X const& b, X const& c) const {
    auto total = sum(w);
    for_each_op(op::list{}, [&](auto type) {
      using Op = typename decltype(type)::type;
      if constexpr (taken<Op, Arity, Part>) {
        auto const inside = [](X const& unit) { return Op::domain.low + (Op::domain.high - Op::domain.low) * unit; };
        if constexpr (Arity == 1) total += sum(cwise_product(w, apply<Op>(inside(a))));
        else if constexpr (Arity == 2) total += sum(cwise_product(w, apply<Op>(inside(a), inside(b))));
        else if constexpr (std::same_as<Op, op::select>) total += sum(cwise_product(w, select(a < b, c, b)));
        else total += sum(cwise_product(w, apply<Op>(inside(a), inside(b), inside(c))));
      }
    });
    return total;
  }
};

/// Runs all ops of one arity; their sum must be a number, or nothing would be compared.
template <int Arity, class Part, class Wrt, class... X>
void check_all_ops(double tolerance, X const&... x) {
  CHECK(std::isfinite(value_and_grad<Wrt, allow_unused>(all_ops<Arity, Part>{})(x...).value));
  check_agreement<Wrt>(tolerance, all_ops<Arity, Part>{}, x...);
}

template <class Part, class T, int... Dims>
void every_op_on() {
  tensor<T, Dims...> w, a, b, c;
  randomise(w, -1, 1, 1), randomise(a, 0, 1, 2), randomise(b, 0, 1, 3), randomise(c, 0, 1, 4);
  double const tolerance = sizeof(T) == 4 ? 3e-5 : 1e-12;
  CAPTURE(w.size());
  check_all_ops<1, Part, wrt<0, 1>>(tolerance, w, a, b, c);
  check_all_ops<2, Part, wrt<2, 1>>(tolerance, w, a, b, c);
  check_all_ops<3, Part, wrt<0, 2, 3>>(tolerance, w, a, b, c);
}

/// Sizes: a scalar, and a prime beside every register's width or below AVX-512's. All lengths
/// from 4 on take the same registers.
template <class Part, class T>
void every_op() {
  every_op_on<Part, T>();
  every_op_on<Part, T, sizeof(T) == 4 ? 17 : 5>();
}

}  // namespace laws

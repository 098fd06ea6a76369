// The list of ops. An opcode is a position in it; nobody else lists ops.
#pragma once

#include <etch/core/term.hpp>

#include <tuple>

namespace etch::inline ETCH_ABI {

template <class... Op>
struct op_list {
  static constexpr int size = sizeof...(Op);
  template <class Wanted>
  static constexpr opcode position() {
    opcode at = 0;
    static_cast<void>(((std::same_as<Op, Wanted> || (++at, false)) || ...));
    return at;
  }
};

namespace op {

/// Every op there is; each is defined in the file of its family.
using list = op_list<struct input, struct fill, struct iota,                                                // leaf
                     struct broadcast, struct reshape,                                                      // apply
                     struct embed, struct join,                                                             // assemble
                     struct slice, struct reverse, struct permute, struct diagonal,                         // slice
                     struct neg, struct add, struct sub, struct mul, struct div, struct cast, struct copy,  // arithmetic
                     struct less, struct equal, struct select, struct stop_gradient,                        // compare
                     struct exp, struct log,                                                                // exponential
                     struct sqrt, struct square,                                                            // power
                     struct sin, struct cos,                                                                // trigonometric
                     struct tanh,                                                                           // hyperbolic
                     struct sigmoid,                                                                        // activation
                     struct relu,                                                                           // rectifier
                     struct sum, struct max,                                                                // reduce
                     struct transpose, struct matmul,                                                       // product
                     struct cumsum,                                                                         // cumulate
                     struct gather, struct scatter_add,                                                     // index
                     struct cholesky, struct triangular_solve, struct lu, struct lu_solve, struct lu_det,   // factor
                     struct solve, struct inverse, struct det, struct logdet,                               // linear
                     struct logsumexp, struct softmax, struct log_softmax>;                                 // softmax

}  // namespace op

template <class Op>
struct position_in_list {
  static constexpr opcode value = op::list::position<Op>();
  static_assert(value < op::list::size, "etch: this op is missing in the list in op/ops.hpp");
};

namespace detail {
template <class List>
struct ops_by_position;
template <class... Op>
struct ops_by_position<op_list<Op...>> {
  using all = std::tuple<std::type_identity<Op>...>;
};
}  // namespace detail

/// The op struct at a position known at compile time.
template <opcode Code>
using op_at = typename std::tuple_element_t<Code, detail::ops_by_position<op::list>::all>::type;

}  // namespace etch::inline ETCH_ABI

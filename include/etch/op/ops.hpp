// The list of ops. An opcode is a position in it; nobody else lists ops.
#pragma once

#include <etch/graph/term.hpp>

#include <type_traits>
#include <utility>

ETCH_NAMESPACE_BEGIN

/// A list of ops.
template <class... Op>
struct op_list {
  static constexpr int size = sizeof...(Op);
};

namespace op {

/// Every op there is; each is defined in the file of its family. Their names are part of `io::program_hash`, which
/// files keep.
using list = op_list<
    struct input, struct fill, struct iota,                                                               // leaf
    struct broadcast, struct reshape,                                                                     // apply
    struct embed, struct join,                                                                            // assemble
    struct slice, struct reverse, struct permute, struct diagonal,                                        // slice
    struct neg, struct add, struct sub, struct mul, struct div, struct cast, struct copy,                 // arithmetic
    struct less, struct less_equal, struct equal, struct not_equal, struct select, struct stop_gradient,  // compare
    struct sign, struct abs, struct floor, struct ceil, struct round,                                     // rounding
    struct maximum, struct minimum, struct clamp,                                                         // extremum
    struct exp, struct exp2, struct expm1,                                                                // exponential
    struct log, struct log2, struct log10, struct log1p, struct logaddexp, struct xlogy,                  // exponential
    struct sqrt, struct square, struct cube, struct rsqrt, struct cbrt, struct hypot, struct pow,         // power
    struct sin, struct cos, struct tan, struct asin, struct acos, struct atan, struct atan2,        // trigonometric
    struct sinh, struct cosh, struct tanh, struct asinh, struct acosh, struct atanh,                // hyperbolic
    struct erf, struct erfc, struct gaussian, struct lgamma, struct digamma, struct zeta,           // special
    struct sigmoid, struct log_sigmoid, struct softplus, struct softsign, struct elu, struct selu,  // activation
    struct gelu, struct gelu_tanh, struct silu, struct mish,                                        // activation
    struct relu, struct relu6, struct leaky_relu, struct hard_tanh, struct hard_sigmoid,
    struct hard_swish,                                                                    // rectifier
    struct sum, struct max, struct min,                                                   // reduce
    struct transpose, struct matmul,                                                      // product
    struct conv2d, struct conv2d_image, struct conv2d_kernel,                             // convolution
    struct max_pool, struct max_pool_place,                                               // pool
    struct loop, struct last_carry, struct stacked_steps, struct summed_steps,            // loop
    struct cumsum,                                                                        // cumulate
    struct gather, struct scatter_add,                                                    // index
    struct random_uniform,                                                                // random
    struct cholesky, struct triangular_solve, struct lu, struct lu_solve, struct lu_det,  // factor
    struct solve, struct inverse, struct det, struct logdet,                              // linear
    struct logsumexp, struct softmax, struct log_softmax,                                 // softmax
    struct centred, struct norm, struct squared_deviation, struct deviation,              // statistics
    struct argmax, struct argmin,                                                         // statistics
    struct argsort,                                                                       // sort
    struct inversion_scale,                                                               // compare
    struct arrived, struct mark_arrival,                                                  // arrival
    struct custom,                                                                        // custom
    struct kernel,                                                                        // kernel
    struct stumpff, struct angle_ratio,                                                   // rotation
    struct converged,                                                                     // converged
    struct eigh, struct svd, struct qr, struct cofactors,                                 // eigh, svd, qr, cofactors
    struct count,                                                                         // leaf
    struct on_diagonals,                                                                  // on_diagonals
    struct cholesky_adjoint,                                                              // cholesky_adjoint
    struct small_det, struct tensor_cross,                                                // minors
    struct settled>;                                                                      // arithmetic

}  // namespace op

namespace detail {

// An op and its position find each other by deduction from a base class: one step, where a search
// through the list takes one for each op.
template <opcode Position, class Op>
struct listed_op {};
template <class Positions, class List>
struct listed_ops;
template <opcode... Position, class... Op>
struct listed_ops<std::integer_sequence<opcode, Position...>, op_list<Op...>> : listed_op<Position, Op>... {};
using every_op = listed_ops<std::make_integer_sequence<opcode, op::list::size>, op::list>;

template <class Op, opcode Position>
std::integral_constant<opcode, Position> position_of(listed_op<Position, Op> const*);
template <opcode Position, class Op>
std::type_identity<Op> op_with_position(listed_op<Position, Op> const*);

}  // namespace detail

/// Whether `Op` has a position in the list.
template <class Op>
inline constexpr bool is_listed = requires(detail::every_op const* all) { detail::position_of<Op>(all); };

/// The position of `Op` in the list of all ops.
template <class Op>
struct position_in_list {
  static_assert(is_listed<Op>, "etch: this op is missing in the list in op/ops.hpp");
  static constexpr opcode value =
      decltype(detail::position_of<Op>(static_cast<detail::every_op const*>(nullptr)))::value;
};

/// The op struct at a position known at compile time.
template <opcode Code>
using op_at = typename decltype(detail::op_with_position<Code>(static_cast<detail::every_op const*>(nullptr)))::type;

ETCH_NAMESPACE_END

// Mistakes in what is done with a traced value: it is no number yet, and shapes are no values. Docs: errors.md.
#pragma once

#include <etch/base/error.hpp>

ETCH_NAMESPACE_BEGIN
namespace error {

template <class A, class B>
constexpr auto equal_shapes_are_multiplied() {
  static_assert(never<A, B>,
                "etch: * between tensors is the matrix product, which two of this shape do not have: write "
                "cwise_product(a, b) for the product "
                "entry by entry, dot(a, b) for its sum, transpose(a) * b for that of matrices");
  return mistake{};
}

// ---- a traced value where a number is meant ----

template <class X, class Index>
constexpr auto index_is_traced() {
  static_assert(never<X, Index>,
                "etch: a traced value as an index: positions are known while the program is drawn; gather<Axis>(x, i) "
                "picks at indices that are "
                "computed, and select(mask, x, 0) what a mask names");
  return mistake{};
}
template <class Number, class X>
constexpr auto number_takes_a_traced_value() {
  static_assert(never<Number, X>,
                "etch: a traced value is added to a number, or multiplied with one in place: a variable that changes "
                "holds traced values from its "
                "start; write `auto s = 0 * x`, or sum(w)");
  return mistake{};
}
template <class... X>
constexpr auto integers_are_compared() {
  static_assert(never<X...>,
                "etch: a traced integer is compared: it has no value while the program is drawn; let a loop or branch "
                "depend on a constant or a "
                "template argument, or compare etch::cast<T>(x) for a mask");
  return mistake{};
}
template <class X>
constexpr auto traced_value_is_printed() {
  static_assert(
      never<X>,
      "etch: a traced value is printed: it has no value while the program is drawn; print what the program returns, "
      "etch::to_text(program), or etch::value(x) on a tape");
  return mistake{};
}
template <class X>
constexpr auto traced_value_is_differentiated() {
  static_assert(never<X>,
                "etch: compile takes values, and this is a traced one: inside of a loss call the function itself, or "
                "etch::grad(f)(x) for its gradient");
  return mistake{};
}

template <class Number>
constexpr auto number_is_no_variable() {
  static_assert(
      never<Number>,
      "etch: a number has no gradient on a tape: ask for the gradient of the variable that t.watch(number) returned");
  return mistake{};
}
template <class F, class... X>
constexpr auto function_does_not_take_the_values() {
  static_assert(
      never<F, X...>,
      "etch: a function given to a loop, a map, checkpoint or a derivative cannot be called with these values: "
      "f(carry, x) in scan, f(carry) in "
      "repeat, f(x...) in the others");
  return mistake{};
}

template <class... X>
constexpr auto number_is_wanted() {
  static_assert(
      never<X...>,
      "etch: a traced value where a number is wanted: declare variables and parameters `auto`, as in `auto z = 2 * "
      "x`, and call functions without std:: in front, exp(x), abs(x), pow(x, 2); numbers exist only where the "
      "program runs, and on a tape as etch::value(x)");
  return mistake{};
}
template <class... X>
constexpr auto std_function_takes_numbers() {
  static_assert(never<X...>,
                "etch: std::max, std::min and std::clamp are for numbers: write max(a, b), min(a, b), clamp(x, lo, hi) "
                "without std:: in front, which "
                "serves numbers and traced values alike");
  return mistake{};
}

// ---- operators and arguments that mean something else ----

template <class A, class B>
constexpr auto power_is_not_xor() {
  static_assert(never<A, B>, "etch: ^ is no power in C++: write pow(x, n), or square(x)");
  return mistake{};
}
template <class A, class B>
constexpr auto remainder_is_missing() {
  static_assert(
      never<A, B>,
      "etch: % is not defined for traced values: write x - n * floor(x / n), or let it depend on numbers alone");
  return mistake{};
}
template <class X>
constexpr auto shape_is_an_argument() {
  static_assert(never<X>,
                "etch: axes, extents and positions are template arguments, since types depend on them: sum<0>(x), "
                "reshape<3, 4>(x), "
                "slice<Axis, Begin, Count>(x)");
  return mistake{};
}

template <class A, class B>
constexpr auto number_is_no_vector() {
  static_assert(never<A, B>,
                "etch: dot, outer and cross take two vectors, and one operand is a number: write c * x, or sum(c * x)");
  return mistake{};
}

// ---- arguments of Eigen's ----

template <class M>
constexpr auto size_is_dynamic() {
  static_assert(never<M>,
                "etch: an Eigen argument needs a size fixed at compile time, which is a part of the program: use "
                "Eigen::Matrix<T, Rows, Cols>, or "
                "an Eigen::Map of one over the entries");
  return mistake{};
}
template <class M>
constexpr auto map_has_strides() {
  static_assert(never<M>, "etch: an Eigen::Map with strides is not contiguous: copy it to a matrix first");
  return mistake{};
}
template <class M>
constexpr auto expression_is_no_argument() {
  static_assert(never<M>,
                "etch: an Eigen expression has no entries in memory: pass a matrix, for instance (a + b).eval()");
  return mistake{};
}

}  // namespace error
ETCH_NAMESPACE_END

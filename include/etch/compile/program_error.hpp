// Mistakes about losses, and about the programs that are asked of them. Docs: errors.md.
#pragma once

#include <etch/base/error.hpp>

ETCH_NAMESPACE_BEGIN
namespace error {

template <class F>
constexpr auto loss_captures_values() {
  static_assert(
      never<F>,
      "etch: the loss captures values: pass run-time values as arguments, so that the program depends on types alone");
  return mistake{};
}
template <class F, class... Traced>
constexpr auto loss_does_not_take_the_arguments() {
  static_assert(never<F, Traced...>,
                "etch: the loss cannot be called with these arguments, one parameter for each of them");
  return mistake{};
}
template <class F, class... Argument>
constexpr auto loss_takes_concrete_types() {
  static_assert(
      never<F, Argument...>,
      "etch: the loss takes concrete types: it is called with traced values in place of its arguments, so "
      "declare its parameters, its variables and the parameters of functions that it calls `auto`, as in `auto z "
      "= 2 * x`; of a function write [](auto x) { return f(x); }");
  return mistake{};
}
template <class Wrt, class A>
constexpr auto wrt_names_integers() {
  static_assert(never<Wrt, A>,
                "etch: wrt names an argument of integers, which has no gradient: pass a number of floating type (1.0 "
                "instead of 1), or name another "
                "position");
  return mistake{};
}
template <class Result>
constexpr auto result_is_not_traced() {
  static_assert(never<Result>, "etch: the loss must return one traced value, or a number, or a tuple of them");
  return mistake{};
}
template <class Result>
constexpr auto loss_is_not_a_scalar() {
  static_assert(never<Result>,
                "etch: the loss is not a scalar, so it has no gradient: reduce it with sum or mean, or ask for wrt<>");
  return mistake{};
}
template <auto Function>
constexpr auto kernel_has_no_backward() {
  static_assert(never<decltype(Function)>,
                "etch: the derivative of a kernel is asked for, and its struct has no static function backward(u, y, "
                "x..., gx...) of spans");
  return mistake{};
}
template <auto Function>
constexpr auto kernel_has_no_direction() {
  static_assert(never<decltype(Function)>,
                "etch: the derivative of a kernel in a direction is asked for, and its struct has no static function "
                "along(v..., y, x..., dy) of spans");
  return mistake{};
}
template <auto Function>
constexpr auto adjoint_of_kernel_is_opaque() {
  static_assert(never<decltype(Function)>,
                "etch: the derivative of a kernel's backward is asked for, and backward is opaque too: let the struct "
                "name a kernel that has a derivative, by `using adjoint =`");
  return mistake{};
}
template <class Wrt, class... A>
constexpr auto wrt_is_out_of_range() {
  static_assert(never<Wrt, A...>,
                "etch: wrt names an argument that the call does not have: positions are numbered from 0");
  return mistake{};
}
template <class Wrt, class A>
constexpr auto argument_does_not_influence_the_loss() {
  static_assert(never<Wrt, A>,
                "etch: an argument named in wrt does not influence the loss: leave it out of wrt, or pass "
                "etch::allow_unused if that is intended");
  return mistake{};
}
template <class Wrt>
constexpr auto nothing_to_differentiate() {
  static_assert(never<Wrt>,
                "etch: wrt names no argument to differentiate: for the value alone use compile<wrt<>>(f, x...)");
  return mistake{};
}
template <int Position, class Wrt>
constexpr auto gradient_was_not_asked_for() {
  static_assert(never<Wrt>, "etch: grad<J> asks for a position that is not in wrt");
  return mistake{};
}
template <class Name, class Wrt>
constexpr auto gradient_was_not_asked_for() {
  static_assert(never<Name, Wrt>, "etch: grad<Name> asks for a member that is not in wrt_members");
  return mistake{};
}
template <int Position, int Results>
constexpr auto loss_has_no_such_result() {
  static_assert(never<shape_of<Position, Results>>, "etch: result<K> asks for more than the loss returns");
  return mistake{};
}
template <class Given, class Wanted>
constexpr auto destinations_do_not_fit() {
  static_assert(
      never<Given, Wanted>,
      "etch: into and add_to take one storage for each position in wrt, of the type of that argument's gradient");
  return mistake{};
}
template <class... Options>
constexpr auto option_is_unknown() {
  static_assert(never<Options...>,
                "etch: unknown option: wrt<...> comes first, and then may come allow_unused, "
                "precise, budget<bytes>, in_static_storage and check_finite");
  return mistake{};
}
template <class Option>
constexpr auto option_is_of_a_program() {
  static_assert(
      never<Option>,
      "etch: this option is about the object that compile returns: value_and_grad and grad return numbers alone");
  return mistake{};
}
template <int Nodes>
constexpr auto program_is_too_large() {
  static_assert(never<shape_of<Nodes>>,
                "etch: the program is too large for the compiler's limit on constant evaluation: raise it with "
                "-fconstexpr-steps=100000000 (clang) or -fconstexpr-ops-limit=1000000000 (g++)");
  return mistake{};
}
template <class S, class A, class B>
constexpr auto members_overlap() {
  static_assert(
      never<S, A, B>,
      "etch: two members named in wrt_members overlap: one is a part of the other, and each has one gradient");
  return mistake{};
}
template <class Wrt>
constexpr auto no_member_is_named() {
  static_assert(never<Wrt>, "etch: wrt_members names no member");
  return mistake{};
}

template <class Missing, class Needed, class Allowed>
constexpr auto budget_cannot_be_met() {
  static_assert(never<Missing, Needed, Allowed>,
                "etch: the budget cannot be met: the workspace needs `missing` more bytes, although every value is "
                "computed again that was found to help");
  return mistake{};
}

template <class Program>
constexpr auto static_program_is_not_copied() {
  static_assert(never<Program>,
                "etch: a program in static storage is not copied: keep a reference, auto& step = etch::compile<..., "
                "etch::in_static_storage>(...)");
  return mistake{};
}

/// A warning where a program of that size is made at run time, which is on the stack: one of static storage is a
/// constant. Emitted where machine code is, so the call must stay.
template <class Bytes, class Loss>
[[gnu::noinline, gnu::cold,
  gnu::warning(
      "etch: a program of more than 1 MiB as a local variable may not fit the stack: make it static (`static auto step "
      "= ...`), "
      "or pass etch::in_static_storage and keep the reference, or let std::make_unique<decltype(...)>() hold it")]]
inline void program_is_large_for_the_stack() {
  asm volatile("");
}

}  // namespace error
ETCH_NAMESPACE_END

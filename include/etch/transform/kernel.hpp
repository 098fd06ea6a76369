// kernel: a function of the user's on memory, with its adjoint, as a part of a program.
#pragma once

#include <etch/op/kernel.hpp>
#include <etch/transform/kernel_functions.hpp>
#include <etch/transform/plain_call.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class F, class... X>
constexpr auto kernel_does_not_take_the_values() {
  static_assert(
      never<F, X...>,
      "etch: the struct of a kernel has a static function forward(x..., y) of spans: a std::span<T const> for "
      "each argument, a number or a tensor, and a std::span<T> for the result");
  return mistake{};
}
}  // namespace error

namespace detail {

template <class First, class... More>
consteval auto first_floating() {
  if constexpr (sizeof...(More) == 0 || std::is_floating_point_v<typename argument<First>::traced::scalar_type>)
    return std::type_identity<First>{};
  else return first_floating<More...>();
}

/// The type of the result of kernel `F` on `X`, numbers and tensors: what the struct says, or that of the first
/// argument of floating type.
template <class F, class... X>
consteval auto kernel_result() {
  if constexpr (requires { typename F::template result<X...>; })
    return std::type_identity<typename F::template result<X...>>{};
  else if constexpr (requires { typename F::result; }) return std::type_identity<typename F::result>{};
  else return first_floating<X...>();
}
template <static_handle X>
using values_of = opaque::entries<typename X::scalar_type, static_cast<std::size_t>(X::extent.size())>;

template <class F>
struct kernel_function {
  template <class... A>
  using values = plain_result_of<kernel_function, A...>;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr (!(holds_traced<X>() || ...)) {
      return plain_call(*this, x...);
    } else {
      graph* const around = graph_around(x...);
      if (around == nullptr) error::constants_belong_to_no_graph();
      return traced(*around, as_variable<element_among<X...>>(x, *around)...);
    }
  }

 private:
  template <class... X>
  static consteval bool takes_values() {
    if constexpr (!(static_handle<X> && ...) || sizeof...(X) > opaque_call::most_inputs) return false;
    else return opaque::kernel_functions<F, values_of<result_handle<X...>>, values_of<X>...>::has_value;
  }
  template <class... X>
  using result_handle =
      typename argument<typename decltype(kernel_result<F, typename plain_result<X>::type...>())::type>::traced;

  template <class... X>
  static constexpr auto traced(graph& around, X const&... x) {
    if constexpr (!takes_values<X...>()) {
      error::kernel_does_not_take_the_values<F, X...>();
      return without_steps(x...);
    } else {
      using Y = result_handle<X...>;
      int const operands[] = {joined(x, around).id...};
      using functions = opaque::kernel_functions<F, values_of<Y>, values_of<X>...>;
      constexpr element type = element_of<typename Y::scalar_type>;
      if (__builtin_is_constant_evaluated())
        return make_handle<Y>(&around, call_opaque(around, functions::described, type, Y::extent, operands).id);
      return make_handle<Y>(&around,
                            call_opaque(around, functions::described_at_run_time, type, Y::extent, operands).id);
    }
  }
};

}  // namespace detail

/// A function of the user's on memory, the struct `F`, as a function of traced values, numbers and tensors:
///
///     static void forward(std::span<T const> x..., std::span<T> y);
///     static void backward(std::span<T const> u, std::span<T const> y, std::span<T const> x..., std::span<T> gx...);
///
/// `backward` gives the gradient of the sum of u times y by each argument but labels and indices; all write over what
/// they are given. The result is of the type that a member `result` says, else of that of the first argument of
/// floating type. Optional are `along(v..., y, x..., dy)`, the derivative in a direction, and `adjoint`, a struct like
/// `F` whose function is `backward`, with derivatives of its own (a std::tuple of them, for several arguments). Of
/// several spans `gx` or `v` those that nobody asks for are empty. Docs: derivatives.md.
template <class F>
inline constexpr detail::kernel_function<F> kernel{};

ETCH_NAMESPACE_END

// value_and_grad, grad: a loss as a function that returns its gradient. The same programs as
// `compile`, without an object to keep.
#pragma once

#include <etch/compile/program_error.hpp>
#include <etch/machine/interpret.hpp>
#include <etch/compile/program.hpp>

ETCH_NAMESPACE_BEGIN

/// The result of `value_and_grad`; it can be destructured.
template <class Value, class Gradient>
struct value_with_gradient {
  Value value;
  Gradient grad;

  friend constexpr auto parts_of_result(value_with_gradient const& r) { return std::tuple(r.value, r.grad); }
};

namespace detail {

/// Refuses options about an object where none is returned.
template <class Option>
constexpr void refuse_about_objects() {
  if constexpr (is_of_the_object<Option>) error::option_is_of_a_program<Option>();
}

/// The type that stands for the value of `F` where a mistake has been named: what `F` says itself, else a number.
template <class F>
struct expected_value {
  using type = double;
};
template <class F>
  requires requires { typename F::values; }
struct expected_value<F> {
  using type = typename F::values;
};

template <class... Gradient>
struct gradients_as {
  using type = std::tuple<Gradient...>;
};
template <class Gradient>
struct gradients_as<Gradient> {
  using type = Gradient;
};

/// The gradient of `f`, and its value with it, at traced arguments; in transform/gradient.hpp.
template <class Wrt, bool Precise, class F, class... X>
constexpr auto traced_gradient(F const& f, X const&... x);
template <class Wrt, bool Precise, class F, class... X>
constexpr auto traced_value_and_gradient(F const& f, X const&... x);

/// The gradients of arguments of types `A` that `Wrt` names: one type, or a tuple.
template <class Wrt, class... A>
struct gradients_of_arguments {};
template <int... I, class... A>
struct gradients_of_arguments<wrt<I...>, A...> : gradients_as<typename gradient_at<I, A...>::type...> {};

/// The meaning of a `wrt_members`; in compile/wrt_members.hpp.
template <class Wrt>
struct members_first;
template <class Wrt>
concept names_members = requires { typename members_first<Wrt>::wanted; };

template <class F, class Wrt, class Settings>
struct gradient_function;

template <class F, int... I, class Settings>
struct gradient_function<F, wrt<I...>, Settings> {
  template <class... A>
  using executable_for = typename pipeline<F, wrt<I...>, Settings, A...>::executable;
  template <class... A>
  static constexpr int further_count =
      static_cast<int>(executable_for<A...>::graph.outputs.size()) - 1 -
      gradient_count<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<A...>>...>();
  /// The value, or a tuple of all results; `F` may say itself what it is.
  template <class... A>
  static consteval auto value_type_of() {
    if constexpr (requires { typename F::values; }) {
      return std::type_identity<typename F::values>{};
    } else {
      constexpr graph_view g = executable_for<A...>::graph.view();
      using value = scalar_of<g[g.outputs[0]].type>;
      using further = typename decltype(further_results<executable_for<A...>, further_count<A...>>())::type;
      if constexpr (further_count<A...> == 0) return std::type_identity<value>{};
      else
        return std::type_identity<decltype(std::tuple_cat(std::declval<std::tuple<value>>(),
                                                          std::declval<further>()))>{};
    }
  }
  template <class... A>
  using value_type = typename decltype(value_type_of<A...>())::type;

  template <class... A>
  constexpr auto operator()(A const&... arguments) const {
    using looked_into [[maybe_unused]] = std::index_sequence<sizeof(argument<A>)...>;
    using gradient = typename gradients_as<typename gradient_at<I, A...>::type...>::type;
    using verdict = decltype(find_mistake<F, wrt<I...>, Settings, A...>());
    if constexpr (!std::is_same_v<verdict, no_mistake>) {
      if constexpr (std::is_same_v<verdict, not_traceable>) {
        [[maybe_unused]] constexpr int
            the_loss_uses_only_arguments_constants_and_constexpr_functions_within_fconstexpr_steps =
                traced_size<F, A...>()[0];
      }
      a_mistake_was_named();
      return value_with_gradient<typename expected_value<F>::type, gradient>{};
    } else {
      return both<gradient>(arguments...);
    }
  }

  /// The results alone.
  template <class... A>
  constexpr auto values_at(A const&... arguments) const {
    if constexpr (std::is_same_v<decltype(find_mistake<F, wrt<I...>, Settings, A...>()), no_mistake>)
      return results<value_type<A...>>(arguments...);
    else return (*this)(arguments...).value;
  }

  /// The gradient alone.
  template <class... A>
  constexpr auto gradient_at_arguments(A const&... arguments) const {
    using gradient = typename gradients_as<typename gradient_at<I, A...>::type...>::type;
    if constexpr (std::is_same_v<decltype(find_mistake<F, wrt<I...>, Settings, A...>()), no_mistake>)
      return one<gradient>(arguments...);
    else return (*this)(arguments...).grad;
  }

 private:
  // The result is declared in the outermost block of a function: compilers then build
  // it where the caller wants it.
  template <class Gradient, class... A>
  static constexpr value_with_gradient<value_type<A...>, Gradient> both(A const&... arguments) {
    value_with_gradient<value_type<A...>, Gradient> result{};
    evaluate(result.value, result.grad, arguments...);
    return result;
  }
  template <class Gradient, class... A>
  static constexpr Gradient one(A const&... arguments) {
    value_type<A...> value{};
    Gradient result{};
    evaluate(value, result, arguments...);
    return result;
  }
  template <class Results, class... A>
  static constexpr Results results(A const&... arguments) {
    Results value{};
    std::tuple<> no_gradients;
    evaluate(value, no_gradients, arguments...);
    return value;
  }

  template <class... A>
  static constexpr void evaluate(auto& value, auto& gradient, A const&... arguments) {
    if (__builtin_is_constant_evaluated()) interpreted<executable_for<A...>>(value, gradient, arguments...);
    else run<executable_for<A...>>(value, gradient, arguments...);
  }

  /// Calls `f(data, number of entries)` for every floating-point leaf of the gradients in order.
  template <class... A>
  static constexpr void visit_gradients(auto& gradients, auto f) {
    visit_gradient_objects<A...>(gradients, column_visitor{[&]<class T>(T* data, std::size_t n) {
                                   if constexpr (std::is_floating_point_v<T>) f(data, n);
                                 }});
  }
  template <class... A>
  static constexpr void visit_gradient_objects(auto& gradients, auto const& visitor) {
    if constexpr (sizeof...(I) == 1)
      (argument<std::tuple_element_t<static_cast<std::size_t>(I),
                                     std::tuple<typename argument<A>::gradient...>>>::visit(gradients, visitor),
       ...);
    else
      [&]<std::size_t... At>(std::index_sequence<At...>) {
        (argument<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<typename argument<A>::gradient...>>>::
             visit(std::get<At>(gradients), visitor),
         ...);
      }(std::make_index_sequence<sizeof...(I)>{});
  }

  /// How many entries count in `arguments`; value and gradients are told so.
  template <class... A>
  static constexpr etch::run::entries_that_count<true> count_in(auto& value, auto& gradient, A const&... arguments) {
    auto const count = etch::run::entries_that_count<true>::of<A...>(arguments...);
    count.tell(value);
    visit_gradient_objects<A...>(gradient, etch::run::entries_that_count<true>::writer{count.number});
    return count;
  }

  template <class Executable, class... A>
  static void run(auto& value, auto& gradient, A const&... arguments) {
    constexpr std::int64_t bytes = Executable::plan.bytes;
    std::byte const* memory[(pass::program_leaf_count<A>() + ... + 2)];
    std::byte const** const leaves = memory + 1;
    [[maybe_unused]] etch::run::entries_that_count<true> count;
    if constexpr (pass::counts(Executable::graph)) {
      count = count_in<A...>(value, gradient, arguments...);
      memory[0] = count.where();
    }
    int next = 0;
    auto const add = column_visitor{[&](auto const* data, std::size_t n) {
      leaves[next++] = reinterpret_cast<std::byte const*>(etch::run::of_unknown_origin(data, n));
    }};
    (argument<A>::visit(arguments, add), ...);
    std::byte* outputs[Executable::graph.outputs.size()];
    int slot = 0;
    argument<std::remove_cvref_t<decltype(value)>>::visit(value, [&]<class T>(T* data, std::size_t n) {
      if constexpr (std::is_floating_point_v<T>)
        outputs[slot++] = reinterpret_cast<std::byte*>(etch::run::of_unknown_origin(data, n));
    });
    visit_gradients<A...>(gradient, [&](auto* data, std::size_t n) {
      outputs[slot++] = reinterpret_cast<std::byte*>(etch::run::of_unknown_origin(data, n));
    });
    etch::run::leaf_namer name = nullptr;
    if constexpr (Executable::names_leaves) name = leaf_text<typename parts_of_loss<F>::type, A...>;
    if constexpr (bytes <= largest_stack_workspace) {
      alignas(64) std::byte workspace[bytes == 0 ? 1 : bytes];
      if constexpr (runs_in_line<Executable>) Executable::template run_in_line<false>(leaves, outputs, workspace, name);
      else Executable::template run<false>(leaves, outputs, workspace, name);
    } else {
      alignas(64) static thread_local std::byte workspace[bytes];
      Executable::template run<false>(leaves, outputs, workspace, name);
    }
  }

  template <class Executable, class... A>
  static constexpr void interpreted(auto& value, auto& gradient, A const&... arguments) {
    std::vector<etch::run::numbers> leaves;
    auto const read = column_visitor{[&](auto const* data, std::size_t n) {
      etch::run::numbers values;
      for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<double>(data[i]));
      leaves.push_back(values);
    }};
    (argument<A>::visit(arguments, read), ...);
    std::vector<etch::run::numbers> outputs;
    if constexpr (!pass::counts(Executable::graph)) {
      outputs = etch::run::interpret(Executable::graph, leaves, Executable::functions);
    } else {
      auto const count = count_in<A...>(value, gradient, arguments...);
      outputs = etch::run::interpret(pass::at_count(Executable::graph, count.number), leaves, Executable::functions);
    }
    std::size_t slot = 0;
    auto const write = [&]<class T>(T* data, std::size_t) {
      if constexpr (std::is_floating_point_v<T>)
        for (double entry : outputs[slot++]) *data++ = static_cast<T>(entry);
    };
    argument<std::remove_cvref_t<decltype(value)>>::visit(value, write);
    visit_gradients<A...>(gradient, write);
  }
};

/// The function that `value_and_grad` returns,
template <class F, class Wrt, class Settings>
struct value_and_gradient {
  [[no_unique_address]] F f;

  template <class... A>
  constexpr auto operator()(A const&... arguments) const {
    if constexpr ((holds_traced<A>() || ...))
      return traced_value_and_gradient<Wrt, Settings::is_precise>(f, arguments...);
    else return gradient_function<F, Wrt, Settings>{}(arguments...);
  }
};
/// and that `grad` returns.
template <class F, class Wrt, class Settings>
struct gradient_only {
  [[no_unique_address]] F f;

  template <class... A>
  using values = typename gradients_of_arguments<Wrt, A...>::type;

  template <class... A>
  constexpr auto operator()(A const&... arguments) const {
    if constexpr ((holds_traced<A>() || ...)) return traced_gradient<Wrt, Settings::is_precise>(f, arguments...);
    else return gradient_function<F, Wrt, Settings>{}.gradient_at_arguments(arguments...);
  }
};

}  // namespace detail

/// The function that maps arguments to value and gradient of `f`: a `value_with_gradient`, whose `grad` has the type of
/// the argument at the position in `Wrt`, or is a tuple where `Wrt` names several. Also usable in constant expressions.
template <class Wrt = wrt<0>, class... Options, class F>
constexpr auto value_and_grad(F f) {
  if constexpr (Wrt::count == 0) error::nothing_to_differentiate<Wrt>();
  (detail::refuse_about_objects<Options>(), ...);
  return detail::value_and_gradient<F, Wrt, detail::settings<Options...>>{f};
}

/// The function that maps arguments to the gradient of `f`.
template <class Wrt = wrt<0>, class... Options, class F>
constexpr auto grad(F f) {
  if constexpr (Wrt::count == 0) error::nothing_to_differentiate<Wrt>();
  (detail::refuse_about_objects<Options>(), ...);
  return detail::gradient_only<F, Wrt, detail::settings<Options...>>{f};
}

template <int First, int... I, class F>
constexpr auto value_and_grad(F) {
  error::positions_are_no_wrt<First, I...>();
  return detail::no_program<>{};
}
template <int First, int... I, class F>
constexpr auto grad(F) {
  error::positions_are_no_wrt<First, I...>();
  return detail::no_program<>{};
}

ETCH_NAMESPACE_END

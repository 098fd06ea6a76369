// check: finds the mistakes in what `compile` and `value_and_grad` are given, before anything is built
// on them: one mistake is one error.
#pragma once

#include <etch/compile/program_error.hpp>
#include <etch/compile/pipeline.hpp>
#include <etch/compile/step_limit.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// Whether constant evaluation can draw the graph of `F`.
template <class F, class... A>
concept traceable = requires { typename std::integral_constant<int, traced_size<F, A...>()[0]>; };

/// The element type and the shape of what a loss returns: a traced value or a number.
template <class R>
struct result_traits {
  using scalar_type = void;
  static constexpr std::int64_t size = 0;
};
template <static_handle R>
struct result_traits<R> {
  using scalar_type = typename R::scalar_type;
  static constexpr std::int64_t size = R::extent.size();
};
template <scalar R>
struct result_traits<R> {
  using scalar_type = R;
  static constexpr std::int64_t size = 1;
};

/// The results of a loss, of which the first is its value.
template <class R>
struct results_of {
  using first = R;
  static constexpr bool all_traced = result_traits<R>::size != 0,
                        all_floating = std::is_floating_point_v<typename result_traits<R>::scalar_type>;
};
template <class First, class... More>
struct results_of<std::tuple<First, More...>> {
  using first = First;
  static constexpr bool all_traced = results_of<First>::all_traced && (results_of<More>::all_traced && ...),
                        all_floating = results_of<First>::all_floating && (results_of<More>::all_floating && ...);
};

template <class Wrt, class... A>
inline constexpr bool names_arguments = false;
template <int... I, class... A>
inline constexpr bool names_arguments<wrt<I...>, A...> = ((I >= 0 && I < static_cast<int>(sizeof...(A))) && ...);

/// The first position in `Wrt` whose argument is of integers; -1 if there is none.
template <class Wrt, class... A>
inline constexpr int integers_in = -1;
template <int... I, class... A>
inline constexpr int integers_in<wrt<I...>, A...> = [] {
  [[maybe_unused]] constexpr auto of_integers = []<class X>(std::type_identity<X>) {
    if constexpr (static_handle<X>) return std::is_integral_v<typename X::scalar_type>;
    else return false;
  };
  using traced = std::tuple<typename argument<A>::traced...>;
  int at = -1;
  static_cast<void>(((of_integers(std::type_identity<std::tuple_element_t<static_cast<std::size_t>(I), traced>>{}) &&
                      (at = I, true)) ||
                     ...));
  return at;
}();

/// A function, or a std::function of one: of values, so that it cannot be traced.
template <class F>
inline constexpr bool is_plain_function = std::is_pointer_v<F> || requires { typename F::result_type; };

/// Whether the passes behind derivatives, without those that a program can do without, are within the limit.
template <class Stages>
constexpr bool can_be_pruned() {
  constexpr graph_view g = Stages::unexpanded::value;
  constexpr std::int64_t each = pass::has_composites(g) ? steps_of_expansion : steps_of_pruning;
  return within_limit<g.size(), each>();
}

/// Whether the passes that make kernels of the pruned graph `G` are within the limit.
template <auto const& G>
constexpr bool can_be_lowered() {
  constexpr std::int64_t steps = [] {
    std::int64_t sum = 0;
    for (node const& n : G.nodes) sum += n.extent.size() == 1 ? steps_of_pruned_numbers : steps_of_pruned;
    return sum;
  }();
  return within_limit<steps, 1>();
}

struct no_mistake {};
/// The loss cannot be evaluated at compile time; the compiler tells why where that is tried again.
struct not_traceable {};
/// A mistake in the loss or in the type of an argument has been named already.
struct named_already {};

/// The workspace of a program that has a budget; -1 without one.
template <class Stages, std::int64_t Budget>
inline constexpr std::int64_t bytes_needed = [] {
  if constexpr (Budget < 0) return std::int64_t{-1};
  else return Stages::executable::plan.bytes;
}();

/// Whether no sentence is said about one of the arguments.
template <class... A>
constexpr bool are_sound() {
  if constexpr ((is_sound_argument<A> && ...)) return (follows_its_tag<A>() && ...);
  else return false;
}

/// The call in `g` of a derivative that its function lacks; 0 where there is none.
constexpr attribute lacking_call(graph_view g, const_span<opaque_function const*> functions) {
  attribute found = 0;
  pass::for_each_opaque_call(g, [&](attribute a) {
    if (found == 0 && !function_named(a, functions)->has(opaque_call(a))) found = a;
  });
  return found;
}
/// The mistake where `Graph`, the form that is compiled, calls such a one.
template <auto const& Graph, auto Functions>
constexpr auto find_lacking_derivative() {
  constexpr attribute lacking = Functions.size() == 0 ? attribute{0} : lacking_call(Graph, Functions);
  if constexpr (lacking == 0) {
    return no_mistake{};
  } else {
    constexpr opaque_call call(lacking);
    constexpr opaque_function const* function = function_named(lacking, Functions);
    if constexpr (!call.is_first_order()) return error::adjoint_of_kernel_is_opaque<function>();
    else if constexpr (call.along) return error::kernel_has_no_direction<function>();
    else return error::kernel_has_no_backward<function>();
  }
}

/// Whether a program without a bound of the number of its points has memory for a value of each.
template <class Pipeline, class Stages>
constexpr bool keeps_points() {
  constexpr auto any = [](int id) {
    shape const& s = Stages::pruned.nodes.entry[id].extent;
    return s.counted != 0 && s[s.counted - 1] == any_number_of_points;
  };
  constexpr bool has_points = [any] {
    for (int id = 0; id < static_cast<int>(Stages::pruned.nodes.size()); ++id)
      if (any(id)) return true;
    return false;
  }();
  if constexpr (has_points) {
    for (int output : Stages::pruned.outputs)
      if (any(output)) return true;
    for (int id = 0; id < static_cast<int>(Stages::pruned.nodes.size()); ++id)  // whole tiles read beyond the last one
      if (facts_of(Stages::pruned.nodes.entry[id]).is_product && any(id)) return true;
    return Pipeline::executable::plan.bytes >= any_number_of_points;
  }
  return false;
}

/// The mistake in compiling `F` for arguments of types `A`, as a type: types are deduced
/// even where a mistake was found.
template <class F, class Wrt, class Settings, class... A>
constexpr auto find_mistake() {
  if constexpr (!are_sound<A...>()) {
    return named_already{};
  } else if constexpr (is_plain_function<F>) {
    return error::loss_takes_concrete_types<F, A...>();
  } else if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
    return error::loss_captures_values<F>();
  } else if constexpr (!Settings::are_known) {
    return error::option_is_unknown<Settings>();
  } else if constexpr (!names_arguments<Wrt, A...>) {
    return error::wrt_is_out_of_range<Wrt, A...>();
  } else if constexpr (!Settings::unused_is_fine && integers_in<Wrt, A...> >= 0) {
    constexpr int at = integers_in<Wrt, A...>;
    return error::wrt_names_integers<wrt<at>, std::tuple_element_t<at, std::tuple<A...>>>();
  } else if constexpr (!requires(F f, typename argument<A>::traced const&... x) { f(x...); }) {
    if constexpr (requires(F f, A const&... x) { f(x...); }) return error::loss_takes_concrete_types<F, A...>();
    else return error::loss_does_not_take_the_arguments<F, typename argument<A>::traced...>();
  } else {
    using R = std::remove_cvref_t<decltype(std::declval<F&>()(std::declval<typename argument<A>::traced const&>()...))>;
    using results = results_of<R>;
    if constexpr (!results::all_traced) {
      return error::result_is_not_traced<R>();
    } else if constexpr (!traceable<F, A...>) {
      return not_traceable{};
    } else {
      constexpr int traced = size_of_trace<Settings::is_precise, F, A...>[0];
      if constexpr (traced < 0) {
        return named_already{};
      } else if constexpr (!results::all_floating) {
        return error::integers_are_labels<R>();
      } else if constexpr (Wrt::count > 0 && result_traits<typename results::first>::size != 1) {
        return error::loss_is_not_a_scalar<R>();
      } else if constexpr (!within_limit<traced, steps_of_traced>()) {
        return error::program_is_too_large<traced>();
      } else if constexpr (!can_be_pruned<derivative_stages<F, Wrt, Settings, A...>>()) {
        return error::program_is_too_large<traced>();
      } else {
        using stages = graph_stages<F, Wrt, Settings, A...>;
        constexpr int unused = Settings::unused_is_fine ? -1 : stages::first_unused(),
                      nodes = static_cast<int>(stages::pruned.nodes.size()),
                      uncountable = pass::first_uncountable(stages::pruned);
        if constexpr (unused >= 0)
          return error::argument_does_not_influence_the_loss<wrt<unused>,
                                                             std::tuple_element_t<unused, std::tuple<A...>>>();
        else if constexpr (!can_be_lowered<stages::pruned>()) return error::program_is_too_large<nodes>();
        else if constexpr (keeps_points<pipeline<F, Wrt, Settings, A...>, stages>())
          return error::values_of_points_are_kept<std::tuple<A...>>();
        else if constexpr (uncountable >= 0)
          return error::operation_has_no_run_time_count<
              op_at<stages::pruned.nodes.entry[uncountable < 0 ? 0 : uncountable].op>>();
        else if constexpr (stages::functions.size() > 0 &&
                           !std::is_same_v<decltype(find_lacking_derivative<stages::pruned, stages::functions>()),
                                           no_mistake>)
          return find_lacking_derivative<stages::pruned, stages::functions>();
        else {
          constexpr std::int64_t allowed = Settings::bytes,
                                 needed = bytes_needed<pipeline<F, Wrt, Settings, A...>, allowed>;
          if constexpr (needed > allowed)
            return error::budget_cannot_be_met<error::missing<needed - allowed>, error::needed<needed>,
                                               error::allowed<allowed>>();
          else return no_mistake{};
        }
      }
    }
  }
}

/// The type of the gradient at a position; a number for a position that does not exist.
template <int J, class... A>
struct gradient_at {
  using type = double;
};
template <int J, class... A>
  requires(J >= 0 && J < static_cast<int>(sizeof...(A)))
struct gradient_at<J, A...> {
  using type = typename argument<std::tuple_element_t<static_cast<std::size_t>(J), std::tuple<A...>>>::gradient;
};

/// Stands for a gradient that is not there.
template <class Gradient, class Mistake>
inline constexpr Gradient no_gradient{};

/// Is called where a mistake has been named and something stands for what it prevents. It is defined nowhere: were the
/// mistake not an error after all, such a program would not link, rather than give wrong numbers.
void a_mistake_was_named();

/// Stands for a program that a mistake prevents, so that what the user does with it is no further error.
template <class... A>
struct no_program {
  using value_type = double;
  static constexpr program_facts facts{};

  constexpr double operator()(auto const&...) const {
    if (!__builtin_is_constant_evaluated()) a_mistake_was_named();  // within a loss it is called while tracing
    return 0;
  }
  template <int J>
  auto const& grad() const {
    return no_gradient<typename gradient_at<J, A...>::type, error::mistake>;
  }
  double value() const { return 0; }
  template <int K>
  auto const& result() const {
    return no_gradient<double, error::mistake>;
  }
  etch::status status() const { return {}; }
  std::string_view not_finite() const { return {}; }
};

}  // namespace detail

ETCH_NAMESPACE_END

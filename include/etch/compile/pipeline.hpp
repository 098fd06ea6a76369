// pipeline: from a lambda and the types of its arguments to an executable, every stage a constant of its own.
#pragma once

#include <etch/core/tangent.hpp>
#include <etch/rewrite/counted.hpp>
#include <etch/rewrite/loop_tiling.hpp>
#include <etch/compile/trace.hpp>
#include <etch/compile/budget.hpp>
#include <etch/compile/facts.hpp>
#include <etch/compile/stages.hpp>
#include <etch/compile/sweep_parts.hpp>
#if defined(ETCH_CHECK_FINITE)
#include <etch/compile/checked_executable.hpp>
#endif

ETCH_NAMESPACE_BEGIN

/// The positions of the arguments to differentiate, from 0; their gradients come in this order. None: a program of the
/// value alone.
template <int... I>
struct wrt {
  static constexpr int count = sizeof...(I);
};

/// Option: an argument named in `wrt` that cannot influence the loss is no error; its gradient is zero.
struct allow_unused {};

/// Option: derivatives in the form that is accurate everywhere, where the usual one loses digits far from 0 (tanh' =
/// 4e/(1+e)² with e = exp(-2|x|) instead of 1 - y²). Docs: accuracy.md.
struct precise {};

/// Option: the workspace may have at most so many bytes. What is kept and what is computed again is chosen so that it
/// fits, or compilation fails and says how much is missing. Docs: memory.md.
template <std::int64_t Bytes>
struct budget {
  static_assert(Bytes >= 0, "etch: a budget is a number of bytes");
};

/// Option of `compile`: the program lies in static storage, and `compile` returns a reference to it: `auto& step =
/// compile<wrt<0>, in_static_storage>(...)`. There is one object for each loss, `Wrt`, options and types of arguments:
/// asked again, `compile` returns the same.
struct in_static_storage {};

/// Option of `compile`: every call looks for infinities and NaN, first in the arguments and then in results and
/// gradients. `status` tells, and `not_finite` names the place. Works under -ffast-math.
struct check_finite {};

namespace detail {

/// Bytes that an option allows; -1 if it is no budget.
template <class Option>
inline constexpr std::int64_t bytes_of_budget = -1;
template <std::int64_t Bytes>
inline constexpr std::int64_t bytes_of_budget<budget<Bytes>> = Bytes;

/// The first leaf of argument `I`, and its number of leaves.
template <int I, class... A>
consteval fixed<int, 2> leaves_of() {
  constexpr fixed<int, sizeof...(A)> counts{pass::program_leaf_count<A>()...};
  int first = 0;
  for (std::size_t i = 0; i < I; ++i) first += counts[i];
  return {first, counts[I]};
}

/// The number of leaves of floating type that a program sees.
template <class A>
consteval int floating_leaf_count() {
  graph g;
  int position = 0, count = 0;
  static_cast<void>(argument<A>::trace(pass::program_leaf_maker{{&g, &position}}));
  for (int id = 0; id < g.size(); ++id) count += g[id].op == opcode_of<op::input> && is_floating(g[id].type);
  return count;
}

template <class A>
inline constexpr bool gradient_is_transposed = false;
template <class A>
  requires(argument<A>::gradient_as_seen)
inline constexpr bool gradient_is_transposed<A> = true;

/// The gradient by the manifold `M` whose leaves are those of `g` from position `first` on, a tangent vector, from the
/// gradients `ambient` by its leaves; in transform/gradient.hpp.
template <curved M>
constexpr sequence<int> gradient_along_tangents(graph& g, int first, sequence<int> const& ambient);

/// Appends to `outputs` the gradients by the leaves of `A`, whose first is that at position `leaf`: `outputs` of `g`
/// from `next` on, along tangent vectors where they are those by a manifold.
template <class A>
constexpr void append_gradients(graph& g, int& leaf, std::size_t& next, sequence<int>& outputs) {
  if constexpr (is_tuple<A> && holds_curved<A>()) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (append_gradients<std::tuple_element_t<I, A>>(g, leaf, next, outputs), ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
  } else if constexpr (!curved<A> && holds_curved<A>()) {
    for_each_member<A>([&](auto i) { append_gradients<member_type<A, i>>(g, leaf, next, outputs); });
  } else {
    constexpr int leaves = pass::program_leaf_count<A>(), floating = floating_leaf_count<A>();
    sequence<int> ambient;
    for (int i = 0; i < floating; ++i) ambient.push_back(g.outputs.entry[next++]);
    if constexpr (curved<A>) ambient = gradient_along_tangents<A>(g, leaf, ambient);
    for (int id : ambient) outputs.push_back(id);
    leaf += leaves;
  }
}

/// Stands for an option that says nothing of the graph, only of the object.
template <class Option>
struct of_the_object {};
template <class Option>
using about_the_graph =
    std::conditional_t<std::is_same_v<Option, in_static_storage> || std::is_same_v<Option, check_finite>,
                       of_the_object<Option>, Option>;
template <class Option>
inline constexpr bool is_of_the_object = !std::is_same_v<about_the_graph<Option>, Option>;
template <class Option>
inline constexpr bool is_of_the_object<of_the_object<Option>> = true;

/// The meaning of the options of a compilation.
template <class... Options>
struct settings {
  template <class Option>
  static constexpr bool has = (std::is_same_v<Options, Option> || ...);
  template <class Option>
  static constexpr bool is_known = std::is_same_v<Option, allow_unused> || std::is_same_v<Option, precise> ||
                                   is_of_the_object<Option> || bytes_of_budget<Option> >= 0;
  static constexpr bool are_known = (is_known<Options> && ...);
  static constexpr bool unused_is_fine = has<allow_unused>, is_precise = has<precise>, keeps_only_carries = false;
  static constexpr bool is_static = has<in_static_storage>,
                        is_checked = has<check_finite>;  // of the object; the graph is the same
  /// Whether `status` answers where something is not finite, which then is no mistake under ETCH_CHECK_FINITE.
  static constexpr bool answers = is_checked || has<of_the_object<check_finite>>;
  /// The smallest budget; -1 if there is none.
  static constexpr std::int64_t bytes = [] {
    std::int64_t least = -1;
    for (std::int64_t each : {std::int64_t{-1}, bytes_of_budget<Options>...})
      if (each >= 0 && (least < 0 || each < least)) least = each;
    return least;
  }();
};

/// As above without a budget, where all loops keep nothing but their carries.
template <class Settings>
struct with_lean_loops : Settings {
  static constexpr bool keeps_only_carries = true;
  static constexpr std::int64_t bytes = -1;
};

/// The size of the graph that tracing `F` makes, -1 nodes where a mistake was named meanwhile, and the functions of the
/// user's that it calls.
struct size_as_traced : graph_size {
  int functions = 0;
};
/// A function of its own: clang 16 loses errors behind a graph in a template argument.
template <class F, class... A>
constexpr size_as_traced traced_size(bool precise = false) {
  graph const traced = pass::trace<F, A...>(F{}, precise);
  size_as_traced size{size_of(traced), static_cast<int>(traced.functions.size())};
  if (traced.mistaken) size[0] = -1;
  return size;
}
/// That of a loss that can be traced, made once.
template <bool Precise, class F, class... A>
inline constexpr size_as_traced size_of_trace = traced_size<F, A...>(Precise);
/// Those functions, `Count` of them.
template <int Count, class F, class... A>
constexpr function_list<Count> traced_functions(bool precise) {
  function_list<Count> list;
  if constexpr (Count > 0) {
    graph const traced = pass::trace<F, A...>(F{}, precise);
    for (int i = 0; i < Count; ++i) list.entry[i] = traced.functions.entry[i];
  }
  return list;
}

/// Leaves that get a gradient, the arguments that they belong to, and whether each gradient is transposed: a row-major
/// matrix is traced as the transpose of its leaf, and its gradient may be no row-major matrix.
struct wanted_leaves {
  sequence<int> nodes, arguments;
  sequence<char> turned;

  /// Does so with the gradients behind the first `results` outputs of `g`.
  constexpr void turn_gradients(graph& g, std::size_t results) const {
    for (std::size_t i = 0; i < turned.size(); ++i)
      if (turned[i]) g.outputs[i + results] = transpose(term{&g, g.outputs[i + results]}).id;
  }
};

template <class F, class Wrt, class Settings, class... A>
struct front_stages;

/// The stages for loss `F` on arguments of types `A` until derivatives with respect to
/// those at positions `I` are taken.
template <class F, int... I, class Settings, class... A>
struct front_stages<F, wrt<I...>, Settings, A...> {
  static constexpr bool is_precise = Settings::is_precise;
  static constexpr size_as_traced size = size_of_trace<is_precise, F, A...>;
  static constexpr auto traced =
      freeze<static_cast<graph_size>(size)>([] { return pass::trace<F, A...>(F{}, is_precise); });
  static constexpr auto functions = traced_functions<size.functions, F, A...>(is_precise);
  struct trace {
    static constexpr auto const& value = traced;
  };
  static constexpr auto const& simplified = stage::through<
      trace, std::conditional_t<Settings::keeps_only_carries, stage::before_with_lean_loops, stage::before>>::value;

  /// The node of every leaf, in order.
  static constexpr sequence<int> leaf_nodes(graph_view g) {
    sequence<int> nodes;
    for (int id = 0; id < g.size(); ++id)
      if (g[id].op == opcode_of<op::input>) nodes.push_back(id);
    return nodes;
  }
  /// The nodes of the floating-point leaves among those in `range`: the ones that get a gradient.
  static constexpr sequence<int> floating_leaves(graph_view g, fixed<int, 2> range) {
    sequence<int> nodes;
    sequence<int> const all = leaf_nodes(g);
    for (int leaf = range[0]; leaf < range[0] + range[1]; ++leaf)
      if (int const id = all[static_cast<std::size_t>(leaf)]; is_floating(g[id].type)) nodes.push_back(id);
    return nodes;
  }
  /// The leaves that get a gradient by the arguments at positions `J`, in their order.
  template <int... J>
  static constexpr wanted_leaves leaves_wanted(wrt<J...>) {
    wanted_leaves all;
    [[maybe_unused]] auto const add = [&]<class A1>(std::type_identity<A1>, int position, fixed<int, 2> range) {
      for (int id : floating_leaves(simplified, range))
        all.nodes.push_back(id), all.arguments.push_back(position), all.turned.push_back(gradient_is_transposed<A1>);
    };
    (add(std::type_identity<std::tuple_element_t<static_cast<std::size_t>(J), std::tuple<A...>>>{}, J,
         leaves_of<J, A...>()),
     ...);
    return all;
  }
  static constexpr wanted_leaves wanted() { return leaves_wanted(wrt<I...>{}); }
  /// The gradients of value `simplified`, in the order of `I`.
  static constexpr graph with_gradients() {
    wanted_leaves const leaves = wanted();
    graph g = derivatives_of<front_stages>(leaves.nodes);
    std::size_t const results = simplified.outputs.size();
    leaves.turn_gradients(g, results);
    if constexpr ((holds_curved<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<A...>>>() || ...)) {
      g.simplifying = true;
      sequence<int> outputs;
      std::size_t next = 0;
      while (next < results) outputs.push_back(g.outputs[next++]);
      [[maybe_unused]] auto const append = [&]<class A1>(std::type_identity<A1>, int leaf) {
        append_gradients<A1>(g, leaf, next, outputs);
      };
      (append(std::type_identity<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<A...>>>{},
              leaves_of<I, A...>()[0]),
       ...);
      g.outputs = outputs;
    }
    return g;
  }
  /// The first position in `wrt` whose argument cannot influence the loss; -1 if there is none.
  static constexpr int first_unused() {
    int unused = -1;
    static_cast<void>(
        ((pass::influences(traced, floating_leaves(traced, leaves_of<I, A...>())) || (unused = I, false)) && ...));
    return unused;
  }
  static constexpr bool all_influence() { return first_unused() < 0; }
};

/// The stages until derivatives are taken: the graph of value and gradients, before composites are expanded.
template <class F, class Wrt, class Settings, class... A>
struct derivative_stages : front_stages<F, Wrt, Settings, A...> {
  using front = front_stages<F, Wrt, Settings, A...>;
  struct differentiate {
    static constexpr auto value = freeze<front::simplified>([] { return front::with_gradients(); });
  };
  struct only_value {
    static constexpr auto const& value = front::simplified;
  };
  using unexpanded = std::conditional_t<Wrt::count == 0, only_value, differentiate>;
};

/// The stages until the graph that is compiled.
template <class F, class Wrt, class Settings, class... A>
struct graph_stages : derivative_stages<F, Wrt, Settings, A...> {
  /// The canonical graph of value and gradients: the program's identity.
  using identity = stage::through<typename derivative_stages<F, Wrt, Settings, A...>::unexpanded, stage::after>;
  static constexpr auto const& pruned = identity::value;
};

/// All stages.
template <class F, class Wrt, class Settings, class... A>
struct pipeline : graph_stages<F, Wrt, Settings, A...> {
  using typename graph_stages<F, Wrt, Settings, A...>::front;
  using typename graph_stages<F, Wrt, Settings, A...>::identity;
  using graph_stages<F, Wrt, Settings, A...>::pruned;
  using at_once = run::executable_of<pass::naming<pack<identity>(), front::functions>()>;

  /// Whether values take more memory than a cache has; else strips are for the sake of arguments that are read again.
  static constexpr bool outgrows_cache = at_once::plan.bytes > pass::strip_sizes{}.worth_it;
  /// Bytes of which strips are to make as many as a cache holds: what is in use at once where that is too much, and
  /// arguments that are read again; 0 where there is no need for strips.
  static consteval std::int64_t bytes_for_strips() {
    return (outgrows_cache ? at_once::plan.live_bytes : 0) + pass::bytes_read_again(pruned);
  }
  /// The program in strips; a template, since only where there is a need it is to be made.
  template <std::int64_t LiveBytes>
  static constexpr graph in_strips() {
    return pass::prune(pass::strips(pruned, LiveBytes, {.for_arguments = !outgrows_cache}));
  }
  template <std::int64_t LiveBytes>
  struct identity_in_strips {
    static constexpr auto in_loop_tiles = freeze<pruned>([] { return in_strips<LiveBytes>(); });
    static constexpr graph_view value = in_loop_tiles;
  };
  /// Whether strips can be tried within the compiler's limit: a program can do without.
  template <std::int64_t LiveBytes>
  static constexpr bool takes_strips() {
    if constexpr (LiveBytes == 0 || pass::counts(pruned)) return false;  // strips are of equal sizes
    else if constexpr (static_cast<std::int64_t>(pruned.nodes.size()) * steps_of_strips <= steps_surely_allowed)
      return true;
    else return requires { typename std::bool_constant<can_be_frozen<pruned>(in_strips<LiveBytes>())>; };
  }
  static consteval auto best_size() {
    constexpr std::int64_t bytes = bytes_for_strips();
    if constexpr (!takes_strips<bytes>()) {
      return std::type_identity<at_once>{};
    } else {
      using stripped = run::executable_of<pass::naming<pack<identity_in_strips<bytes>>(), front::functions>()>;
      constexpr std::int64_t before = at_once::plan.bytes, after = stripped::plan.bytes;
      constexpr bool is_much_smaller = 3 * after < 2 * before;
      constexpr bool are_strips = pass::detail::loop_count<at_once> != pass::detail::loop_count<stripped>;
      constexpr bool keeps_budget = Settings::bytes < 0 || after <= std::max(Settings::bytes, before);
      constexpr bool is_better = outgrows_cache ? is_much_smaller : are_strips && keeps_budget;
      return std::type_identity<std::conditional_t<is_better, stripped, at_once>>{};
    }
  }
  using unlimited = typename decltype(best_size())::type;

  static consteval auto chosen() {
    if constexpr (Settings::bytes < 0) return std::type_identity<unlimited>{};
    else if constexpr (unlimited::plan.bytes <= Settings::bytes || front::simplified.pool.size() == 0)
      return std::type_identity<run::within_budget<unlimited, Settings::bytes>>{};
    else {
      // The values that a loop keeps are most, and one more evaluation of each step gives it back.
      using lean = typename pipeline<F, Wrt, with_lean_loops<Settings>, A...>::unlimited;
      using start = std::conditional_t<(lean::plan.bytes < unlimited::plan.bytes), lean, unlimited>;
      return std::type_identity<run::within_budget<start, Settings::bytes>>{};
    }
  }
#if defined(ETCH_CHECK_FINITE)
  using unchecked = typename decltype(chosen())::type;
  using executable = std::conditional_t<
      Settings::answers, unchecked,
      run::checked_executable<unchecked, run::call_names<Wrt, typename parts_of_loss<F>::type, A...>>>;
#else
  using executable = typename decltype(chosen())::type;
#endif
};

}  // namespace detail

ETCH_NAMESPACE_END

// split_program: a function compiled as two programs, its forward and its backward half, that run at
// different times. What lies between them is in the caller's storage: for whoever decides at run time which
// functions are called, and in which order.
#pragma once

#include <etch/compile/program_error.hpp>
#include <etch/compile/partition.hpp>
#include <etch/compile/program.hpp>

#include <cstring>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// An argument whose leaves lie apart, as they do on a tape: those of equal layers too, which a program takes as one.
template <class A>
struct whose_leaves_lie_apart {
  A value;
};
template <class A>
using apart = std::conditional_t<pass::program_leaf_count<A>() == pass::leaf_count<A>(), A, whose_leaves_lie_apart<A>>;
template <class Make>
struct apart_maker : Make {
  static constexpr bool takes_columns = false;
};

}  // namespace detail
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

template <class A>
struct argument<detail::whose_leaves_lie_apart<A>> : argument<A> {
  static constexpr typename argument<A>::traced trace(auto make) {
    return argument<A>::trace(detail::apart_maker<decltype(make)>{make});
  }
};

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace detail {

template <class F, class Settings, class Wrt, class... A>
struct halves_pipeline;

/// The stages of function `F` until it is divided: the function with all gradients, whose seeds are arguments.
template <class F, class Settings, int... I, class... A>
struct halves_pipeline<F, Settings, wrt<I...>, A...> {
  using stages = front_stages<F, wrt<>, Settings, apart<A>...>;
  static constexpr auto const& simplified = stages::simplified;
  static constexpr pass::halves_layout at{(pass::leaf_count<A>() + ... + 0),
                                          static_cast<int>(stages::simplified.outputs.size())};

  static constexpr wanted_leaves wanted() { return stages::leaves_wanted(wrt<I...>{}); }
  static constexpr graph with_gradients() {
    wanted_leaves const all = wanted();
    graph g = pass::with_seeds(simplified, at, all.nodes, Settings::is_precise);
    all.turn_gradients(g, static_cast<std::size_t>(at.results));
    return g;
  }

  struct joint {
    static constexpr auto value = freeze<stages::simplified>([] { return with_gradients(); });
  };
  static constexpr auto const& pruned = stage::through<joint, stage::undivided>::value;
};

/// The mistake in compiling `F` in halves for arguments of types `A`. Results may have any
/// shape, and arguments may be unused.
template <class F, class Settings, class Wrt, class... A>
constexpr auto find_mistake_in_halves() {
  if constexpr (Settings::bytes >= 0) {
    return error::option_is_unknown<Settings>();
  } else if constexpr (!names_arguments<Wrt, A...>) {
    return error::wrt_is_out_of_range<Wrt, A...>();
  } else {
    using of_function = decltype(find_mistake<F, wrt<>, Settings, A...>());
    if constexpr (!std::is_same_v<of_function, no_mistake>) {
      return of_function{};
    } else {
      using stages = halves_pipeline<F, Settings, Wrt, A...>;
      constexpr int nodes = static_cast<int>(stages::pruned.nodes.size());
      if constexpr (!can_be_lowered<stages::pruned>()) return error::program_is_too_large<nodes>();
      else return find_lacking_derivative<stages::pruned, stages::stages::functions>();
    }
  }
}

template <class F, class Settings, class Wrt, class... A>
struct halves;

/// Function `F` of arguments of types `A`, its way back with respect to those at positions `I`. A pointer
/// that belongs to a leaf, a result, a seed or a gradient is to its first entry. Leaves are counted as
/// the arguments hold them, in order.
template <class F, class Settings, int... I, class... A>
struct halves<F, Settings, wrt<I...>, A...> {
 private:
  using stages = halves_pipeline<F, Settings, wrt<I...>, A...>;
  static constexpr pass::halves_layout at = stages::at;
  static constexpr auto const& simplified = stages::simplified;
  static constexpr auto const& pruned = stages::pruned;

  template <std::size_t Nodes>
  static constexpr auto marks(sequence<char> const& found) {
    fixed<char, static_cast<int>(Nodes)> all;
    for (std::size_t i = 0; i < found.size(); ++i) all.entry[i] = found.entry[i];
    return all;
  }
  static constexpr auto is_saved = marks<pruned.nodes.size()>(pass::saved_between(pruned, at));

  struct forward_cut {
    static constexpr auto value = freeze<stages::pruned>([] { return pass::forward_half(pruned, at, is_saved); });
  };
  struct backward_cut {
    static constexpr auto value = freeze<stages::pruned>([] { return pass::backward_half(pruned, at, is_saved); });
  };
  using forward_stages = stage::through<forward_cut, stage::half>;
  using backward_stages = stage::through<backward_cut, stage::half>;

 public:
  static constexpr auto const& forward_graph = forward_stages::value;
  static constexpr auto const& backward_graph = backward_stages::value;

  static constexpr int leaf_count = at.leaves, result_count = at.results,
                       saved_count = static_cast<int>(forward_graph.outputs.size()) - result_count,
                       gradient_count = static_cast<int>(backward_graph.outputs.size());

 private:
  template <class Half>
  using program_of = run::executable_of<pass::naming<pack<Half>(), stages::stages::functions>()>;

  static constexpr node gradient_node(int i) {
    graph_view const g = backward_graph;
    return g[g.outputs[static_cast<std::size_t>(i)]];
  }

 public:
  using forward_program = program_of<forward_stages>;
  using backward_program = program_of<backward_stages>;

  /// The node of result `k`; public, because g++ 12 looks at it from wherever `result` is expanded as a pack.
  static constexpr node result_node(int k) {
    graph_view const g = forward_graph;
    return g[g.outputs[static_cast<std::size_t>(k)]];
  }
  /// The type of result `K`: a number or a tensor.
  template <int K>
  using result = typename decltype(result_type<scalar_of<result_node(K).type>, result_node(K).extent>())::type;

  /// Where each saved value begins in the block between the halves, in bytes, and behind the last one where it ends.
  static constexpr auto saved_offset = [] {
    fixed<std::int64_t, saved_count + 1> all;
    all.entry[0] = 0;
    for (int s = 0; s < saved_count; ++s)
      all.entry[s + 1] = all.entry[s] + pass::padded_bytes(result_node(result_count + s));
    return all;
  }();
  static constexpr std::int64_t saved_bytes = saved_offset.entry[saved_count],
                                forward_workspace_bytes = forward_program::plan.bytes, backward_workspace_bytes = [] {
                                  if constexpr (gradient_count == 0) return std::int64_t{0};
                                  else return backward_program::plan.bytes;
                                }();

 private:
  /// Of the wanted leaves, those whose gradient is not zero throughout: the leaf, its argument.
  template <class Of>
  static constexpr fixed<int, gradient_count> by_gradient(Of of) {
    fixed<int, gradient_count> all;
    all.entry[0] = 0;
    wanted_leaves const leaves = stages::wanted();
    graph_view const g = pruned;
    for (std::size_t i = 0, next = 0; i < leaves.nodes.size(); ++i)
      if (!pass::is_zero(g, g.outputs[static_cast<std::size_t>(result_count) + i])) all.entry[next++] = of(leaves, i);
    return all;
  }
  static constexpr auto is_input_of_backward = [] {
    fixed<bool, at.saved(0) + 1> all;
    for (bool& each : all.entry) each = false;
    for (node const& n : backward_graph.nodes)
      if (pass::is_input(n) && static_cast<int>(n.attributes) < at.saved(0)) all.entry[n.attributes] = true;
    return all;
  }();

 public:
  /// The leaf that each gradient belongs to. A leaf that is not among these has none: it is not named in `wrt`, is of
  /// no floating type, or influences no result, so that its gradient is zero.
  static constexpr auto leaf_of_gradient = by_gradient([](wanted_leaves const& all, std::size_t i) {
    graph_view const g = simplified;
    return static_cast<int>(g[all.nodes[i]].attributes);
  });
  /// The position of the argument that each gradient belongs to.
  static constexpr auto argument_of_gradient =
      by_gradient([](wanted_leaves const& all, std::size_t i) { return all.arguments[i]; });
  /// The gradient of a leaf; -1 if it has none.
  static constexpr int gradient_of_leaf(int leaf) {
    for (int i = 0; i < gradient_count; ++i)
      if (leaf_of_gradient.entry[i] == leaf) return i;
    return -1;
  }
  static constexpr std::int64_t gradient_bytes(int i) {
    return gradient_node(i).extent.size() * bytes_of(gradient_node(i).type);
  }

  /// Whether -0 in gradient `i` may say that nothing arrived there: where a seed said so, or the function `chooses`.
  static constexpr bool gradient_has_gaps(int i) {
    graph_view const g = backward_graph;
    return g[beneath_views(g, g.outputs[static_cast<std::size_t>(i)])].op == opcode_of<op::mark_arrival>;
  }
  static constexpr bool chooses = pass::detail::chooses(simplified);

  /// Whether the backward half reads a leaf, a result, a seed. Pointers to what it does not read may be null.
  static constexpr bool leaf_is_read(int leaf) { return is_input_of_backward.entry[leaf]; }
  static constexpr bool result_is_read(int k) { return is_input_of_backward.entry[at.result(k)]; }
  static constexpr bool seed_is_read(int k) { return is_input_of_backward.entry[at.seed(k)]; }

  /// Computes all results. `saved` has `saved_bytes` and `workspace` has `forward_workspace_bytes` bytes, both at
  /// multiples of 64. Results overlap neither each other nor a leaf.
  static status forward(std::byte const* const* leaves, std::byte* const* results, std::byte* saved,
                        std::byte* workspace) {
    std::byte* outputs[result_count + saved_count];
    for (int k = 0; k < result_count; ++k) outputs[k] = results[k];
    for (int s = 0; s < saved_count; ++s) outputs[result_count + s] = saved + saved_offset.entry[s];
    constexpr int all = result_count + saved_count;
    return call<forward_program, run::detail::all_gradients<all, false, all>()>(leaves, outputs, workspace);
  }

  /// The gradients to add to what their storage holds.
  using additions = run::output_set<gradient_count>;
  /// Those of the arguments at positions `J`.
  template <int... J>
  static constexpr additions those_of(wrt<J...>) {
    additions some;
    for (int i = 0; i < gradient_count; ++i)
      if (((argument_of_gradient.entry[i] == J) || ...)) some.insert(i);
    return some;
  }

  /// Computes the gradients of the sum over all results of seed times result. `leaves`, `results` and `saved` are
  /// what the forward half had and left; `workspace` has `backward_workspace_bytes` bytes at a multiple of 64. Those
  /// gradients that `Added` names are added to what their storage holds, the others overwrite it; they overlap
  /// neither each other nor anything that is read.
  template <additions Added>
  static status backward(std::byte const* const* leaves, std::byte const* const* results, std::byte const* saved,
                         std::byte const* const* seeds, std::byte* const* gradients, std::byte* workspace) {
    if constexpr (gradient_count == 0) {
      return status::ok;
    } else {
      std::byte const* inputs[at.saved(saved_count)];
      for (int i = 0; i < leaf_count; ++i) inputs[i] = leaves[i];
      for (int k = 0; k < result_count; ++k) inputs[at.result(k)] = results[k], inputs[at.seed(k)] = seeds[k];
      for (int s = 0; s < saved_count; ++s) inputs[at.saved(s)] = saved + saved_offset.entry[s];
      return call<backward_program, Added>(inputs, gradients, workspace);
    }
  }
  /// Goes back where `is_added` says at run time for each gradient whether it is added to. Three programs serve all
  /// cases: none is added to, those of the arguments that `Usual` names are (parameters, which many calls share), all
  /// are. Where a program adds to too many, these are set to -0 first, to which adding is no change.
  template <class Usual = wrt<>>
  static status backward(std::byte const* const* leaves, std::byte const* const* results, std::byte const* saved,
                         std::byte const* const* seeds, std::byte* const* gradients, bool const* is_added,
                         std::byte* workspace) {
    constexpr additions usual = those_of(Usual{}), none{}, all = run::detail::all_gradients<gradient_count, true, 0>();
    bool any = false, within_usual = true;
    for (int i = 0; i < gradient_count; ++i)
      any = any || is_added[i], within_usual = within_usual && (usual.contains(i) || !is_added[i]);
    if (!any) return backward<none>(leaves, results, saved, seeds, gradients, workspace);
    additions const& added = within_usual ? usual : all;
    for (int i = 0; i < gradient_count; ++i)
      if (added.contains(i) && !is_added[i]) clear(gradients[i], gradient_node(i));
    if (within_usual) return backward<usual>(leaves, results, saved, seeds, gradients, workspace);
    return backward<all>(leaves, results, saved, seeds, gradients, workspace);
  }

 private:
  static void clear(std::byte* gradient, node const& n) {
    auto const n_entries = static_cast<std::size_t>(n.extent.size());
    if (n.type == element::f32) std::fill_n(reinterpret_cast<float*>(gradient), n_entries, -0.0f);
    else std::fill_n(reinterpret_cast<double*>(gradient), n_entries, -0.0);
  }
  /// A small program becomes part of the caller, as in `program`.
  template <class Program, run::output_set<Program::output_count> Added>
  [[gnu::always_inline]] static inline status call(std::byte const* const* inputs, std::byte* const* outputs,
                                                   std::byte* workspace) {
    if constexpr (runs_in_line<Program> && Program::plan.bytes <= largest_stack_workspace) {
      run::work_on_memory();
      status outcome = status::ok;
      run::detail::run_in_line<Program, Added, run::any_vectors, 0>(
          {inputs, outputs, workspace, &outcome}, std::make_integer_sequence<int, Program::schedule.kernel_count>{});
      return outcome;
    } else {
      return Program::template run<Added>(inputs, outputs, workspace);
    }
  }
};

}  // namespace detail
ETCH_NAMESPACE_END

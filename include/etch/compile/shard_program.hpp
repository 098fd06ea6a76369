// shard_program: what a worker runs: the loss of a program, of its own block of the batch, compiled like any other.
#pragma once

#include <etch/compile/parallel_error.hpp>
#include <etch/compile/program.hpp>
#include <etch/compile/split_arguments.hpp>
#include <etch/rewrite/shard.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// A constant, which is not made before it is known that nothing hinders.
template <int Outputs>
struct shard_verdict {
  fixed<pass::piece, Outputs> outputs{};
  pass::hindrance why{};
  opcode at{};
};

/// The graph of a worker's loss. `Of` says what is shared.
template <class Of, int Part>
struct shard_graph {
  using front = typename Of::front;
  static constexpr auto const& traced = front::traced;
  static constexpr int output_count = static_cast<int>(traced.outputs.size());

  static constexpr pass::shard_of_graph made() {
    return pass::shard(traced, Of::split_axes, {Of::whole, Part, Of::workers, Of::counts}, Of::adds_value);
  }
  static constexpr shard_verdict<output_count> verdict_of(pass::shard_of_graph const& made) {
    shard_verdict<output_count> v;
    v.why = made.why, v.at = made.at;
    for (std::size_t i = 0; i < made.outputs.size(); ++i) v.outputs[i] = made.outputs[i];
    return v;
  }
  static constexpr auto verdict = verdict_of(made());
  static constexpr auto value = freeze<traced>([] { return shard_graph::made().part; });
};

/// A worker's loss: puts its graph into the one that is traced.
template <class Of, int Part>
struct shard_loss {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    using made = shard_graph<Of, Part>;
    graph& to = *std::get<Of::first_split>(std::tie(x...)).owner;
    sequence<int> inputs = filled(Of::split_axes.size(), 0);
    for (int id = 0; id < to.size(); ++id)
      if (to[id].op == opcode_of<op::input>) inputs[static_cast<std::size_t>(to[id].attributes)] = id;
    sequence<int> const at = pass::put_body(to, made::value, inputs);
    for (opaque_function const* each : Of::front::functions) to.functions.push_back(each);
    auto const output = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      constexpr int id = made::value.outputs[I];
      constexpr element type = made::value.nodes[static_cast<std::size_t>(id)].type;
      constexpr shape extent = made::value.nodes[static_cast<std::size_t>(id)].extent;
      return make_expr<scalar_of<type>, extent>(&to, at[static_cast<std::size_t>(id)]);
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (sizeof...(I) == 1) return output(std::integral_constant<std::size_t, 0>{});
      else return std::tuple{output(std::integral_constant<std::size_t, I>{})...};
    }(std::make_index_sequence<static_cast<std::size_t>(made::output_count)>{});
  }
};

/// The options of a worker's program: of a budget its part.
template <class Settings, int Workers>
struct settings_of_worker : Settings {
  static constexpr std::int64_t bytes = Settings::bytes < 0 ? Settings::bytes : Settings::bytes / Workers;
};

/// A program that `N` workers share.
template <int N, class Over, class Loss, class Wrt, class Settings, class... A>
struct shared_program {
  static constexpr int workers = N;
  static constexpr auto is_split = arguments_split<Over, Wrt, A...>();
  /// The first argument that is split; -1 if none is.
  static constexpr int first_split = [] {
    for (int i = 0; i < static_cast<int>(sizeof...(A)); ++i)
      if (is_split[static_cast<std::size_t>(i)]) return i;
    return -1;
  }();
  static constexpr bool adds_value = Wrt::count > 0;
  static constexpr fixed<int, sizeof...(A)> extents{last_extent_of<A>...};
  /// The extent of the batch.
  static constexpr int whole =
      first_split < 0 ? 0 : extents[static_cast<std::size_t>(first_split < 0 ? 0 : first_split)];
  /// Whether so many entries of each argument count as a call says, and of the batch.
  static constexpr fixed<bool, sizeof...(A)> counted{argument_counts<A>...};
  static constexpr bool counts =
      first_split >= 0 && counted[static_cast<std::size_t>(first_split < 0 ? 0 : first_split)];
  static constexpr bool is_split_alike = [] {
    for (std::size_t i = 0; i < sizeof...(A); ++i)
      if (is_split[i] && (extents[i] == 0 || extents[i] != whole)) return false;
    return true;
  }();
  /// Whether those that count are split, and no others.
  static constexpr bool is_counted_alike = [] {
    for (std::size_t i = 0; i < sizeof...(A); ++i)
      if (counts ? is_split[i] != counted[i] : is_split[i] && counted[i]) return false;
    return true;
  }();
  /// The first worker's share, and that of the last, which may be one less. Where they count, these are bounds; one
  /// program serves for any number of points, of which it keeps none.
  static constexpr bool has_bound = whole != any_number_of_points;
  static constexpr int larger = has_bound ? (whole + N - 1) / N : whole, smaller = has_bound ? whole / N : whole;
  /// The first entry of a worker, of so many in all.
  static constexpr int first_entry(int worker, int entries) {
    return worker * (entries / N) + std::min(worker, entries % N);
  }

  using front = front_stages<Loss, Wrt, Settings, A...>;

  /// By leaf, what `by_argument` has of the arguments that are split, and `otherwise` of others.
  template <class T>
  static consteval auto spread(fixed<T, sizeof...(A)> const& by_argument, T otherwise) {
    fixed<T, (leaves_of_argument<A> + ... + 0)> all{};
    fixed<int, sizeof...(A)> const leaves{leaves_of_argument<A>...};
    std::size_t next = 0;
    for (std::size_t i = 0; i < sizeof...(A); ++i)
      for (int leaf = 0; leaf < leaves[i]; ++leaf) all[next++] = is_split[i] ? by_argument[i] : otherwise;
    return all;
  }
  /// The axis along which each leaf is split, -1 where it is not.
  static constexpr auto split_axes = spread<int>({last_axis_of<A>...}, -1);
  /// The bytes of each entry along it, 0 where it is not.
  static constexpr auto entry_bytes = spread<std::int64_t>({bytes_of_entry<A>...}, 0);
  /// The pipeline of a worker that has `Part` entries.
  template <int Part, class Indices>
  struct compilation;
  template <int Part, std::size_t... I>
  struct compilation<Part, std::index_sequence<I...>> {
    using loss = shard_loss<shared_program, Part>;
    using settings = settings_of_worker<Settings, N>;
    using pipeline =
        etch::detail::pipeline<loss, Wrt, settings, typename argument_of_worker<is_split[I], A, whole, Part>::type...>;
    static constexpr auto find_mistake() {
      return etch::detail::find_mistake<loss, Wrt, settings,
                                        typename argument_of_worker<is_split[I], A, whole, Part>::type...>();
    }
  };
  template <int Part>
  using compiled_for = compilation<Part, std::index_sequence_for<A...>>;
  template <int Part>
  using verdict = shard_graph<shared_program, Part>;
};

/// Whether a differentiated argument that is split has a gradient that does not lie in memory as the argument does.
template <class Of, class... A, int... I>
consteval int scattered_gradient(wrt<I...>) {
  int found = -1;
  static_cast<void>(
      ((Of::is_split[I] && gradient_is_transposed<std::tuple_element_t<I, std::tuple<A...>>> && (found = I, true)) ||
       ...));
  return found;
}

/// Whether a type is a program's: `parallel` needs to know.
template <class Program>
inline constexpr bool is_compiled = false;
template <class Checked, class Loss, int... I, class Settings, class... A>
inline constexpr bool is_compiled<compiled<Checked, Loss, wrt<I...>, Settings, A...>> = true;
template <class Program>
struct without_storage {
  using type = Program;
};
template <class Program>
struct without_storage<static_program<Program>> {
  using type = Program;
};
template <class Program>
inline constexpr bool is_no_program = false;
template <class... A>
inline constexpr bool is_no_program<no_program<A...>> = true;

/// The fault in sharing a program, found before a worker's is compiled.
enum class sharing_fault : std::uint8_t {
  none,
  nothing_is_split,
  unequal,
  counts_apart,
  too_many_workers,
  scattered_gradient,
  loss
};

template <class Of, class Wrt, class... A>
consteval sharing_fault find_sharing_fault() {
  if constexpr (Of::first_split < 0) return sharing_fault::nothing_is_split;
  else if constexpr (!Of::is_split_alike) return sharing_fault::unequal;
  else if constexpr (!Of::is_counted_alike) return sharing_fault::counts_apart;
  else if constexpr (Of::workers < 1 || Of::workers > Of::whole / (Of::counts ? 2 : 1))
    return sharing_fault::too_many_workers;
  else if constexpr (scattered_gradient<Of, A...>(Wrt{}) >= 0) return sharing_fault::scattered_gradient;
  else if constexpr (Of::template verdict<Of::larger>::verdict.why != pass::hindrance::none) return sharing_fault::loss;
  else return sharing_fault::none;
}

/// The mistake in compiling the workers' programs, as a type.
template <class Of>
constexpr auto find_mistake_in_shares() {
  using of_larger = decltype(Of::template compiled_for<Of::larger>::find_mistake());
  if constexpr (!std::is_same_v<of_larger, no_mistake> || Of::smaller == Of::larger) return of_larger{};
  else return Of::template compiled_for<Of::smaller>::find_mistake();
}

}  // namespace detail
ETCH_NAMESPACE_END

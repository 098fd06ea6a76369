// apply: a whole compiled program as one entry of a tape: its forward half runs at once, its
// backward half on the way back.
#pragma once

#include <etch/compile/split_program.hpp>
#include <etch/tape/structure.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// The entry of a program on the tape. `Halves` is its two halves, `Usual` the arguments
/// whose gradients many entries share.
template <class T, class Halves, class Usual>
struct program_entry : external<T> {
  int first_result = 0;                  ///< the number of the node that stands for the first result
  fixed<int, Halves::leaf_count> nodes;  ///< of the leaves; -1 for what is no variable
  fixed<std::byte const*, Halves::leaf_count> leaves;
  fixed<std::byte*, Halves::result_count> results;
  std::byte* saved = nullptr;

  program_entry() : external<T>{run} {}

  static void run(external<T>& self, tape_state<T>& t) {
    static_cast<program_entry&>(self).go_back_on(t.nodes(), t.memory);
  }

 private:
  static constexpr int gradients = Halves::gradient_count;

  void go_back_on(recorder<T>& nodes_of, arena& memory) {
    bool any = false;
    for (int k = 0; k < Halves::result_count; ++k) any = any || nodes_of.adjoints.of(first_result + k) != nullptr;
    if (any && gradients > 0) {
      // Memory that stays is taken before what is taken back. A gradient that is nobody's, or that another of this
      // entry is added to as well, is computed beside.
      fixed<bool, gradients> is_added, is_beside;
      for (int i = 0; i < gradients; ++i) {
        int const node = nodes.entry[Halves::leaf_of_gradient.entry[i]];
        is_beside.entry[i] = node < 0 || !nodes_of.records[node].is_active;
        for (int j = 0; j < i; ++j)
          is_beside.entry[i] = is_beside.entry[i] || nodes.entry[Halves::leaf_of_gradient.entry[j]] == node;
        is_added.entry[i] = !is_beside.entry[i] && nodes_of.adjoints.of(node) != nullptr;
        if (!is_beside.entry[i]) nodes_of.adjoints.hold_for(node);
      }
      arena::position const here = memory.here();
      fixed<std::byte*, gradients> to;
      for (int i = 0; i < gradients; ++i)
        to.entry[i] = is_beside.entry[i]
                          ? memory.give(static_cast<std::size_t>(Halves::gradient_bytes(i)))
                          : reinterpret_cast<std::byte*>(
                                nodes_of.records[nodes.entry[Halves::leaf_of_gradient.entry[i]]].adjoint);
      fixed<std::byte const*, Halves::result_count> seeds;
      bool leaves_gaps = Halves::chooses;
      for (int k = 0; k < Halves::result_count; ++k) {
        if (!Halves::seed_is_read(k)) continue;
        leaves_gaps = leaves_gaps || !nodes_of.records[first_result + k].has_arrived ||
                      nodes_of.records[first_result + k].gaps != gaps::none;
        std::size_t const bytes = nodes_of.adjoints.bytes(first_result + k);
        if (T const* const arrived = nodes_of.adjoints.of(first_result + k); arrived != nullptr) {
          seeds.entry[k] = reinterpret_cast<std::byte const*>(arrived);
        } else {
          T* const nothing = reinterpret_cast<T*>(memory.give(bytes));
          std::fill_n(nothing, bytes / sizeof(T), -T(0));
          seeds.entry[k] = reinterpret_cast<std::byte const*>(nothing);
        }
      }
      std::byte* const workspace = memory.give(static_cast<std::size_t>(Halves::backward_workspace_bytes));
      Halves::template backward<Usual>(leaves.entry, results.entry, saved, seeds.entry, to.entry, is_added.entry,
                                       workspace);
      for (int i = 0; i < gradients; ++i) {
        int const node = nodes.entry[Halves::leaf_of_gradient.entry[i]];
        gaps const left = leaves_gaps && Halves::gradient_has_gaps(i) ? gaps::of_choice : gaps::none;
        if (!is_beside.entry[i]) nodes_of.adjoints.has_arrived(node, left);
        else if (node >= 0)
          nodes_of.adjoints.arrive(node, contiguous(element_of<T>, nodes_of.graph()[node].extent, to.entry[i]), left);
      }
      memory.rewind(here);
    }
    for (int k = 0; k < Halves::result_count; ++k) nodes_of.adjoints.release(first_result + k);
  }
};

/// Positions among the arguments, as a `wrt`.
template <class... Each>
struct joined_positions;
template <int... I, int... J, class... More>
struct joined_positions<wrt<I...>, wrt<J...>, More...> : joined_positions<wrt<I..., J...>, More...> {};
template <int... I>
struct joined_positions<wrt<I...>> {
  using type = wrt<I...>;
};
template <bool... Chosen>
struct chosen_positions {
  template <int... I>
  static auto among(std::integer_sequence<int, I...>) ->
      typename joined_positions<wrt<>, std::conditional_t<Chosen, wrt<I>, wrt<>>...>::type;
  using type = decltype(among(std::make_integer_sequence<int, sizeof...(Chosen)>{}));
};

/// The mistake in `f(x...)` as a program on a tape.
template <class F, class... X>
using mistake_in_application =
    decltype(etch::detail::find_mistake_in_halves<F, etch::detail::settings<>,
                                                  typename chosen_positions<is_on_tape<X>...>::type,
                                                  typename off_tape<X>::type...>());

/// `f(x...)` on the tape `t`.
template <class T, class F, class... X>
auto applied(tape_state<T>& t, F, X const&... x) {
  using active = typename chosen_positions<is_on_tape<X>...>::type;
  using shared = typename chosen_positions<(is_on_tape<X> && !tape_scalar<X> && !static_handle<X>)...>::type;
  using halves = etch::detail::halves<F, etch::detail::settings<>, active, typename off_tape<X>::type...>;
  using entry = program_entry<T, halves, shared>;

  recorder<T>& nodes = t.nodes();
  arena& memory = t.memory;
  fixed<int, halves::leaf_count> leaf_nodes;
  fixed<std::byte const*, halves::leaf_count> leaves;
  int next = 0;
  bool any_active = false;
  auto const add = [&]<class Each>(Each const& each) {
    if constexpr (is_on_tape<Each>) {
      visit_variables(each, [&](auto const& v) {
        int const id = t.node_of(v);
        leaf_nodes.entry[next] = id;
        leaves.entry[next++] = nodes.settled(id);
        any_active = any_active || nodes.records[id].is_active;
      });
    } else {  // what the way back reads is copied, for it may be gone by then
      argument<Each>::visit(each, [&]<class S>(S const* data, std::size_t n) {
        std::byte const* from = reinterpret_cast<std::byte const*>(data);
        if (halves::leaf_is_read(next))
          from = static_cast<std::byte const*>(std::memcpy(memory.give(n * sizeof(S)), from, n * sizeof(S)));
        leaf_nodes.entry[next] = -1;
        leaves.entry[next++] = from;
      });
    }
  };
  (add(x), ...);

  entry* const made = new (memory.give(sizeof(entry))) entry;
  made->nodes = leaf_nodes;
  made->leaves = leaves;
  made->saved = memory.give(static_cast<std::size_t>(halves::saved_bytes));
  auto const make_room = [&]<int... K>(std::integer_sequence<int, K...>) {
    ((made->results.entry[K] = memory.give(sizeof(typename halves::template result<K>))), ...);
  };
  make_room(std::make_integer_sequence<int, halves::result_count>{});
  arena::position const here = memory.here();
  std::byte* const workspace = memory.give(static_cast<std::size_t>(halves::forward_workspace_bytes));
  halves::forward(made->leaves.entry, made->results.entry, made->saved, workspace);
  memory.rewind(here);

  nodes.records.reserve(1 + halves::result_count);  // all of them or none
  if (any_active && halves::chooses) nodes.records.choose_next();
  if (any_active) nodes.entry(*made);
  made->first_result = nodes.records.size();
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    using results = std::tuple<typename halves::template result<K>...>;
    int ids[sizeof...(K) + 1];
    for (std::size_t k = 0; k < sizeof...(K); ++k) {
      node const& leaf = leaves_of<results>.entry[k];
      ids[k] = nodes.leaf(leaf.type, leaf.extent, made->results[k], any_active);
      nodes.records[ids[k]].is_kept = any_active;
    }
    auto const variables = variables_at<results>(nodes.graph(), ids);
    if constexpr (sizeof...(K) == 1) return std::get<0>(variables);
    else return variables;
  }(std::make_integer_sequence<int, halves::result_count>{});
}

}  // namespace dynamic
ETCH_NAMESPACE_END

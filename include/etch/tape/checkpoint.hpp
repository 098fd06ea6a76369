// checkpoint: a stretch of a tape of which nothing is kept but its arguments and results; it is
// recorded again on the way back.
#pragma once

#include <etch/tape/external.hpp>
#include <etch/tape/tape_state.hpp>
#include <etch/transform/structure.hpp>

ETCH_NAMESPACE_BEGIN
namespace error {

template <class R>
constexpr auto checkpoint_returns_numbers() {
  static_assert(
      never<R>,
      "etch: a checkpointed function returns variables, or a tuple, an array or a struct of them, and nothing else");
  return mistake{};
}

}  // namespace error
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// `F` of arguments that are `A...` off the tape, and of what it returns `Y`.
template <class T, class F, class Y, class... A>
struct checkpoint_entry : external<T> {
  static constexpr int argument_count = (pass::leaf_count<A>() + ... + 0), result_count = pass::leaf_count<Y>();
  F f;
  fixed<int, argument_count> arguments;  ///< nodes
  int first_result = 0;

  explicit checkpoint_entry(F const& function) : external<T>{run}, f(function) {}

  /// The results of `f`, as nodes; the leaves that stand for its arguments are left in `leaves`.
  fixed<int, result_count> record(tape_state<T>& l, fixed<int, argument_count>& leaves) {
    recorder<T>& r = l.nodes();
    for (int i = 0; i < argument_count; ++i) {
      int const id = arguments.entry[i];
      bool const is_active = r.records[id].is_active;
      node const n = r.graph()[id];
      leaves.entry[i] = r.leaf(n.type, n.extent, r.settled(id), is_active);
      r.records[leaves.entry[i]].is_kept = is_active;
    }
    int next = 0;
    auto const variables = [&]<class Each>(std::type_identity<Each>) {
      int const first = std::exchange(next, next + pass::leaf_count<Each>());
      return variables_at<Each>(r.graph(), leaves.entry + first);
    };
    std::tuple<typename on_tape<A>::type...> const inner{
        variables(std::type_identity<A>{})...};  // braces: from left to right
    auto const returned = etch::detail::joined_structure<T>(std::apply(f, inner), r.graph());
    fixed<int, result_count> results;
    int k = 0;
    visit_variables(returned, [&](auto const& each) { results.entry[k++] = l.node_of(each); });
    return results;
  }

 private:
  static void run(external<T>& self, tape_state<T>& l) { static_cast<checkpoint_entry&>(self).go_back_on(l); }

  void go_back_on(tape_state<T>& l) {
    recorder<T>& r = l.nodes();
    bool any = false;
    for (int k = 0; k < result_count; ++k) any = any || r.adjoints.of(first_result + k) != nullptr;
    if (!any) return;
    // Memory that outlives the stretch is held before it.
    for (int id : arguments)
      if (r.records[id].is_active) r.adjoints.hold_for(id);
    {
      typename adjoints<T>::apart const apart(r.adjoints);
      typename tape_state<T>::confinement const again(l);
      fixed<int, argument_count> leaves;
      fixed<int, result_count> const results = record(l, leaves);
      typename scalars<T>::detour const detour(l.scalars, again.begin().scalars);
      for (int k = 0; k < result_count; ++k) hand_on(r, first_result + k, results.entry[k]);
      l.go_back_to(again.begin());
      for (int i = 0; i < argument_count; ++i) hand_on(r, leaves.entry[i], arguments.entry[i]);
    }
    for (int k = 0; k < result_count; ++k) r.adjoints.release(first_result + k);
  }
  static void hand_on(recorder<T>& r, int from, int to) {
    if (T* const g = r.adjoints.of(from); g != nullptr)
      r.adjoints.arrive(to, contiguous(element_of<T>, r.graph()[to].extent, g), r.records[from].gaps);
  }
};

/// `f(x...)`, of which only `x` and the results are kept.
template <class T, class F, class... X>
auto checkpointed(tape_state<T>& l, F const& f, X const&... x) {
  if constexpr (!std::is_trivially_destructible_v<F>) error::function_on_tape_owns_something<F>();
  using returned = decltype(etch::detail::joined_structure<T>(
      f(std::declval<typename as_variable<X>::type const&>()...), l.nodes().graph()));
  if constexpr (!is_variables<returned>()) error::checkpoint_returns_numbers<returned>();
  using Y = typename off_tape<returned>::type;
  using entry = checkpoint_entry<T, F, Y, typename off_tape<X>::type...>;
  recorder<T>& r = l.nodes();
  entry* const made = new (l.memory.give(sizeof(entry))) entry(f);
  int next = 0;
  (visit_variables(x, [&](auto const& each) { made->arguments.entry[next++] = l.node_of(each); }), ...);
  fixed<std::byte*, entry::result_count> values;
  fixed<bool, entry::result_count> is_active;
  for (int k = 0; k < entry::result_count; ++k)
    values.entry[k] = r.room(leaves_of<Y>.entry[k].type, leaves_of<Y>.entry[k].extent);
  {
    typename tape_state<T>::confinement const once(l);
    fixed<int, entry::argument_count> leaves;
    fixed<int, entry::result_count> const results = made->record(l, leaves);
    for (int k = 0; k < entry::result_count; ++k) {
      strided_value const from = r.records.at(results.entry[k]);
      copy(contiguous(from.type, from.extent, values.entry[k]), from);
      is_active.entry[k] = r.records[results.entry[k]].is_active;
    }
  }
  r.records.reserve(1 + entry::result_count);  // all of them or none
  r.entry(*made);
  made->first_result = r.records.size();
  int ids[entry::result_count + 1];
  for (int k = 0; k < entry::result_count; ++k) {
    ids[k] = r.leaf(leaves_of<Y>.entry[k].type, leaves_of<Y>.entry[k].extent, values.entry[k], is_active.entry[k]);
    r.records[ids[k]].is_kept = is_active.entry[k];
  }
  return variables_at<Y>(r.graph(), ids);
}

}  // namespace dynamic
ETCH_NAMESPACE_END

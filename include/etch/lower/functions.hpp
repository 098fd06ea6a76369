// functions: those of the user's that a program's graph or a kernel calls, beside the words that name them. Most have
// none, and are their words alone.
#pragma once

#include <etch/graph/content_key.hpp>
#include <etch/lower/packed_kernel.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Calls `f(attribute)` for every call of a user's function in `g` and in the bodies within it.
constexpr void for_each_opaque_call(graph_view g, auto const& f) {
  for (node const& n : g.nodes) {
    op_facts const& op = op_table.entry[n.op];
    if (op.is_opaque) f(n.attributes);
    if (op.has_words) for_each_opaque_call(loop_of(words_at(g.pool, n.attributes)).body, f);
  }
}

namespace detail {

/// Those of `functions` that a graph or kernel calls, in the order of their first calls.
constexpr sequence<opaque_function const*> called_in(auto const& caller, const_span<opaque_function const*> functions) {
  sequence<opaque_function const*> called;
  auto const note = [&](attribute a) {
    if (function_named(a, called) == nullptr) called.push_back(function_named(a, functions));
  };
  if constexpr (requires { caller.nodes; }) {
    for_each_opaque_call(caller, note);
  } else if (caller.computes == form::loop) {
    for (sequence<std::uint64_t> const* words : {&caller.body, &caller.again}) {
      if (words->empty()) continue;
      etch::detail::byte_reader in(*words);
      for_each_opaque_call(etch::detail::read_graph(in), note);
    }
  } else if (caller.computes == form::block) {
    if (placed const& y = caller.results.entry[0]; op_table.entry[y.op].is_opaque) note(y.bits);
  }
  return called;
}
constexpr int count_called_in(auto const& caller, const_span<opaque_function const*> functions) {
  return static_cast<int>(called_in(caller, functions).size());
}
template <int Count>
constexpr function_list<Count> list_called_in(auto const& caller, const_span<opaque_function const*> functions) {
  sequence<opaque_function const*> const called = called_in(caller, functions);
  function_list<Count> list;
  for (int i = 0; i < Count; ++i) list.entry[i] = called.entry[i];
  return list;
}
/// The graph or kernel in `Words`.
template <auto Words>
constexpr auto unpacked_from() {
  if constexpr (requires { Words.words; }) return unpack<Words>();
  else return unpack_kernel(Words);
}
template <auto Words, auto const& List, std::size_t... I>
consteval auto with_list(std::index_sequence<I...>) {
  return &calling<Words, List.entry[I]...>::value;
}
template <auto Words, auto Functions, int Count>
inline constexpr auto list_of = list_called_in<Count>(unpacked_from<Words>(), Functions);

}  // namespace detail

/// The words of a graph or a kernel, with those of `Functions` that it calls.
template <auto Words, auto Functions>
consteval auto naming() {
  if constexpr (Functions.size() == 0) {
    return Words;
  } else {
    constexpr int count = detail::count_called_in(detail::unpacked_from<Words>(), Functions);
    if constexpr (count == 0) return Words;
    else
      return detail::with_list<Words, detail::list_of<Words, Functions, count>>(
          std::make_index_sequence<static_cast<std::size_t>(count)>{});
  }
}

}  // namespace pass
ETCH_NAMESPACE_END

// capture: which graph a value belongs to while the body of a loop is traced inside another graph, and what the body takes from there.
#pragma once

#include <etch/core/graph.hpp>

namespace etch::inline ETCH_ABI {

/// What the body of a loop that is being traced knows of its surroundings.
struct capture_scope {
  graph* outer = nullptr;  ///< the graph in which the loop will be a node; unknown until the loop meets one of its values
  int serial = 0;          ///< loops are numbered as they begin: of two bodies, neither around the other, the later is the inner
  int own_inputs = 0;      ///< inputs of the body that are carries and slices
  sequence<int> captured;  ///< nodes of `outer`, in the order of the inputs behind those
  int (*import)(graph& body, graph& from, int id) = nullptr;  ///< the value `id` of `from` as a node of `body`
};

namespace detail {

constexpr graph* around(graph const* g) { return g->scope != nullptr ? g->scope->outer : nullptr; }

/// Whether `a` is `b` or lies around it.
constexpr bool encloses(graph const* a, graph const* b) {
  for (; b != nullptr; b = around(b))
    if (a == b) return true;
  return false;
}

constexpr graph* outermost(graph* g) {
  while (graph* const next = around(g)) g = next;
  return g;
}

/// Puts the body `inner` into `outer`, where it turned out to lie; what it has captured so far is captured through `outer`.
constexpr void enclose(graph& inner, graph& outer) {
  capture_scope& s = *inner.scope;
  graph* const before = s.outer;
  s.outer = &outer;
  if (before != nullptr)
    for (int& id : s.captured) id = outer.scope->import(outer, *before, id);
  else s.serial = outermost(&outer)->loops_begun++;
}

/// The inner of two graphs that an operation meets.
constexpr graph* innermost(graph* a, graph* b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  if (encloses(a, b)) return b;
  if (encloses(b, a)) return a;
  graph *const top_of_a = outermost(a), *const top_of_b = outermost(b);
  if (top_of_a != top_of_b) {  // one of them had met nothing of its surroundings yet
    if (top_of_b->scope != nullptr && top_of_a->scope == nullptr) return enclose(*top_of_b, *a), b;
    if (top_of_a->scope != nullptr && top_of_b->scope == nullptr) return enclose(*top_of_a, *b), a;
    error::operands_belong_to_different_graphs();
  }
  bool const b_is_inner = b->scope->serial > a->scope->serial;
  graph &inner = b_is_inner ? *b : *a, &outer = b_is_inner ? *a : *b;
  if (!encloses(inner.scope->outer, &outer)) error::operands_belong_to_different_graphs();
  enclose(inner, outer);
  return &inner;
}

}  // namespace detail

}  // namespace etch::inline ETCH_ABI

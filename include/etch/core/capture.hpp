// capture: which graph a value belongs to while the body of a loop is traced inside another graph,
// and what the body takes from there.
#pragma once

#include <etch/graph/opaque.hpp>

#include <utility>

ETCH_NAMESPACE_BEGIN

/// The surroundings of a loop's body while it is traced.
struct capture_scope {
  graph* outer =
      nullptr;  ///< the graph in which the loop will be a node; unknown until the loop meets one of its values
  graph* numbering = nullptr;  ///< loops are numbered as they begin, in the outermost graph then known
  int serial = 0;
  int rank = 0;  ///< how often the body was traced before: it began before those of a lower rank that it meets
  sequence<graph*> inner;  ///< bodies that seem to lie in this one, while they are traced
  bool misplaced = false;  ///< seemed to lie in a body that ended first
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

/// Notes that a mistake has been named, so that nothing is said of what follows from it.
constexpr void note_mistake(graph* g) {
  for (; g != nullptr; g = around(g)) g->mistaken = true;
}

/// Lets the outermost graph `g` know a function that its nodes call.
constexpr void note_function(graph& g, opaque_function const& f) {
  opaque_function const* const known = function_named(opaque_call(f.key), g.functions);
  if (known == nullptr) g.functions.push_back(&f);
  else if (known != &f) error::kernels_have_one_key();
}

/// Gives the body `inner`, and with it the loops that began inside it, a number in the graph around `outer`, whose
/// derivatives it takes alike.
constexpr void number(graph& inner, graph& outer) {
  inner.precise = inner.precise || outer.precise;
  graph* const by = outermost(&outer);
  inner.scope->numbering = by;
  inner.scope->serial = by->loops_begun;
  by->loops_begun += 1 + inner.loops_begun;
}

/// When a body began: of two bodies of one outermost graph the later is the inner.
constexpr int begun(graph const* g) {
  return around(g) == nullptr ? -1 : begun(g->scope->numbering) + 1 + g->scope->serial;
}

/// Strikes the body `inner` off the list of those that seem to lie in `outer`.
constexpr void forget_inner(graph const& inner, graph* outer) {
  if (outer == nullptr || outer->scope == nullptr) return;
  sequence<graph*> rest;
  for (graph* each : outer->scope->inner)
    if (each != &inner) rest.push_back(each);
  outer->scope->inner = rest;
}

/// Puts the body `inner` into `outer`, where it seems to lie; what it has captured so far is captured through `outer`.
constexpr void enclose(graph& inner, graph& outer) {
  capture_scope& s = *inner.scope;
  graph* const before = s.outer;
  forget_inner(inner, before);
  if (outer.scope != nullptr) outer.scope->inner.push_back(&inner);
  s.outer = &outer;
  for (opaque_function const* each : inner.functions) note_function(*outermost(&outer), *each);
  if (before != nullptr)
    for (int& id : s.captured) id = outer.scope->import(outer, *before, id);
  else number(inner, outer);
}

/// Ends the tracing of `body`, whose surroundings are `s`. Bodies end in the reverse order of their beginnings: one
/// that seemed to lie in this one and has not ended lies around it instead, perhaps in what lies around this one. It is
/// returned, to be traced again.
constexpr graph* end(graph const& body, capture_scope& s) {
  forget_inner(body, s.outer);
  graph* around_it = nullptr;
  for (graph* each : s.inner) {
    capture_scope& of = *each->scope;
    of.outer = s.outer;
    of.captured = {};
    of.misplaced = true;
    if (s.outer != nullptr) {
      number(*each, *s.outer);
      if (s.outer->scope != nullptr) s.outer->scope->inner.push_back(each);
    }
    around_it = each;
  }
  s.inner = {};
  return around_it;
}

/// The inner of two graphs that an operation meets. Of two bodies that have met nothing of their surroundings nobody
/// can know it: the guess shows to be wrong when the outer one ends first.
constexpr graph* innermost(graph* a, graph* b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  if (encloses(a, b)) return b;
  if (encloses(b, a)) return a;
  graph *const top_of_a = outermost(a), *const top_of_b = outermost(b);
  if (top_of_a != top_of_b) {  // one of them had met nothing of its surroundings yet
    if (top_of_b->scope != nullptr && top_of_a->scope == nullptr) return enclose(*top_of_b, *a), b;
    if (top_of_a->scope != nullptr && top_of_b->scope == nullptr) return enclose(*top_of_a, *b), a;
    if (top_of_a->scope != nullptr) {
      if (top_of_a->scope->rank > top_of_b->scope->rank) return enclose(*top_of_b, *a), b;
      return enclose(*top_of_a, *b), a;
    }
    if (top_of_a->recorder != nullptr && top_of_b->recorder != nullptr) error::variable_of_another_tape();
    error::operands_belong_to_different_graphs();
  }
  if (begun(a) < begun(b)) std::swap(a, b);
  graph* first = a;  // of the bodies around `a`, the first that began inside `b`
  while (begun(around(first)) > begun(b)) first = around(first);
  innermost(around(first), b);
  enclose(*first, *b);
  return a;
}

}  // namespace detail

ETCH_NAMESPACE_END

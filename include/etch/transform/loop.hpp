// loop: traces a function as the body of a loop: what it captures becomes an input, what it
// returns goes to the next step.
#pragma once

#include <etch/core/misuse_error.hpp>
#include <etch/rewrite/replay.hpp>
#include <etch/transform/structure.hpp>

ETCH_NAMESPACE_BEGIN

/// The result of a step of `scan` where outputs are collected, and that of `scan`: the last carry, and the
/// outputs of all steps side by side along a new last axis.
template <class Carry, class Output>
struct step {
  Carry carry;
  Output y;
};
template <class Carry, class Output>
step(Carry, Output) -> step<Carry, Output>;

namespace detail {

template <class Step>
inline constexpr bool is_step = false;
template <class Carry, class Output>
inline constexpr bool is_step<step<Carry, Output>> = true;

/// The body of a loop while it is traced.
class loop_tracer {
 public:
  constexpr explicit loop_tracer(graph* outer, int rank = -1) {
    scope_.outer = outer;
    scope_.rank = rank;
    scope_.import = import;
    loop_.body.scope = &scope_;
    if (outer != nullptr) number(loop_.body, *outer);
  }
  loop_tracer(loop_tracer const&) = delete;

  /// A further input of the body.
  template <class Handle>
  constexpr Handle add_input(loop_input f) {
    int const position = static_cast<int>(loop_.in.size());
    loop_.in.push_back(f);
    ++scope_.own_inputs;
    return make_handle<Handle>(
        &loop_.body, input(loop_.body, element_of<typename Handle::scalar_type>, Handle::extent, position).id);
  }
  /// The values as the body sees them.
  template <class X>
  constexpr auto inside(X const& x) {
    auto y = without_places(x);
    for_each_leaf(y, [&]<class Leaf>(Leaf& leaf) {
      if constexpr (!scalar<Leaf> && !constant_handle<Leaf>)
        leaf = make_handle<Leaf>(&loop_.body, joined(leaf, loop_.body).id);
    });
    return y;
  }
  template <static_handle X>
  constexpr void add_output(loop_output y, X const& x) {
    loop_.out.push_back(y);
    loop_.body.outputs.push_back(joined(x, loop_.body).id);
  }

  constexpr graph& outer() {
    if (scope_.outer == nullptr) error::loop_meets_no_traced_value();
    if (loop_.body.mistaken) note_mistake(scope_.outer);
    return *scope_.outer;
  }
  /// The captured values so far: nodes of the graph outside, which feed the inputs behind those that were added.
  constexpr sequence<int> const& captured() const { return scope_.captured; }
  /// The body as traced so far, and its outputs, to be changed.
  constexpr loop_body& loop() { return loop_; }
  /// Ends the tracing, and returns the graph that results are in. If the body turns out to lie elsewhere, or another
  /// one to lie around it, results are any numbers: the one or the other is traced again.
  constexpr graph& end() {
    around_ = detail::end(loop_.body, scope_);
    if (scope_.misplaced && scope_.rank < 0) error::operands_belong_to_different_graphs();
    if (around_ == nullptr && scope_.misplaced) around_ = &loop_.body;
    return around_ != nullptr ? *around_ : outer();
  }
  constexpr bool gives_any_numbers() const { return around_ != nullptr; }
  /// Whether the body lies elsewhere than it seemed, and is to be traced again; where is then known as `place`.
  constexpr bool is_misplaced() const { return scope_.misplaced; }
  constexpr graph* place() const { return scope_.outer; }

  /// Puts the loop into the graph outside. `operands` feed the inputs added so far; `counted` says that `count` is a
  /// bound of what counts.
  constexpr void finish(int count, bool keeps_carries, sequence<int> operands, bool points = false,
                        bool counted = false) {
    if (around_ != nullptr) return;
    loop_.count = count;
    loop_.counted = counted;
    loop_.keeps_carries = keeps_carries;
    loop_.points = points;
    for (int id : scope_.captured) {
      loop_.in.push_back(loop_input::captured);
      operands.push_back(id);
    }
    loop_.body.scope = nullptr;
    node_ = insert_loop(outer(), loop_, operands);
  }
  /// Puts the nodes of the body into the graph outside, without a loop, and returns what its outputs are there.
  /// `operands` feed the inputs added so far.
  constexpr sequence<int> put(sequence<int> operands) {
    if (around_ != nullptr) {
      sequence<int> numbers;
      for (int id : loop_.body.outputs) {
        node const n = loop_.body[id];
        numbers.push_back(fit(constant(*around_, n.type, 0), n.extent).id);
      }
      return numbers;
    }
    for (int id : scope_.captured) operands.push_back(id);
    loop_.body.scope = nullptr;
    sequence<int> const at = pass::put_body(outer(), loop_.body, operands);
    sequence<int> outputs;
    for (int id : loop_.body.outputs) outputs.push_back(at.entry[id]);
    return outputs;
  }
  /// Result `r` of the finished loop.
  template <class Handle>
  constexpr Handle take(int r) {
    if (around_ != nullptr)
      return make_handle<Handle>(
          around_, fit(constant(*around_, element_of<typename Handle::scalar_type>, 0), Handle::extent).id);
    term const t = result_of(*scope_.outer, loop_, node_, r);
    return make_handle<Handle>(t.owner, t.id);
  }

 private:
  capture_scope scope_;
  loop_body loop_;
  int node_ = -1;
  graph* around_ = nullptr;

  /// The value `id` of `from`, which lies around the body, as a node of the body. Views and
  /// constants are made anew inside.
  static constexpr int import(graph& body, graph& from, int id) {
    capture_scope& scope = *body.scope;
    if (scope.outer != &from) id = scope.outer->scope->import(*scope.outer, from, id);
    graph& outer = *scope.outer;
    sequence<int> views;
    while (facts_of(outer[id]).is_view) {
      views.push_back(id);
      id = outer.operands(id)[0];
    }
    node const base = outer[id];
    int at;
    if (has_known_entries(base)) {
      at = body.insert(base.op, base.type, base.extent, base.attributes, {});
    } else {
      std::size_t which = 0;
      while (which < scope.captured.size() && scope.captured.entry[which] != id) ++which;
      if (which == scope.captured.size()) scope.captured.push_back(id);
      at = input(body, base.type, base.extent, scope.own_inputs + static_cast<int>(which)).id;
    }
    for (std::size_t i = views.size(); i-- > 0;) {
      node const view = outer[views.entry[i]];
      int const operand[] = {at};
      at = body.insert(view.op, view.type, view.extent, view.attributes, operand);
    }
    return at;
  }
};

/// The result of `trace(tracer)` for a body that begins in `outer`, or in a graph that is still unknown; again where it
/// turns out to lie elsewhere than it seemed.
template <class Trace>
constexpr auto traced_in_place(graph* outer, Trace const& trace) {
  for (int rank = 0;; ++rank) {
    loop_tracer tracer(outer, rank);
    auto const result = trace(tracer);
    if (!tracer.is_misplaced()) return result;
    outer = tracer.place();
  }
}

/// Stands for the carry `of` after a step that gave `next` instead: influenced by both, so
/// that one mistake is one error.
template <class Carry, class Next>
constexpr Carry standing_for(Carry of, Next const& next) {
  if constexpr (is_structure<Next>()) {
    expr<double> total = 0;
    auto const add = [&](auto const& x) { total = instead_of<double, shape{}>(total, x); };
    for_each_leaf(of, add);
    for_each_leaf(next, add);
    for_each_leaf(of, [&]<class X>(X& x) {
      if constexpr (std::is_floating_point_v<typename X::scalar_type>)
        x = make_handle<X>(total.owner, instead_of<typename X::scalar_type, X::extent>(total).id);
    });
  }
  return of;
}

/// No `xs`: the body is a function of the carry alone.
struct no_slices {};

constexpr shape without_last(shape s) {
  if (s.is_counted(s.rank - 1)) s.counted = 0;
  s[--s.rank] = 1;
  return s;
}

template <static_handle X>
struct slice_type : expr_type<typename X::scalar_type, without_last(X::extent), X::elementwise_product> {};
template <constant_handle X>
  requires(is_untyped<X>)
struct slice_type<X> {
  using type = decltype(make_constant<undetermined, without_last(X::extent), X::elementwise_product>({}));
};
template <static_handle X>
using slice_of = typename slice_type<X>::type;
/// A value for each of what `Dimension`, the last one of an argument, holds.
template <static_handle X, int Dimension>
using stack_of = typename expr_type<typename X::scalar_type,
                                    stacked(X::extent, make_shape(Dimension)[0], make_shape(Dimension).counted != 0),
                                    X::elementwise_product>::type;

/// Whether `f(x...)` can be called; names the mistake otherwise.
template <class F, class... X>
constexpr bool can_take() {
  if constexpr (requires(F const& f, X const&... x) { f(x...); }) return true;
  else return error::function_does_not_take_the_values<F, X...>(), false;
}
/// Stands for the result of a loop, or of another function of functions, that a mistake
/// prevents: the first of what it was given.
template <class First, class... More>
constexpr First without_steps(First const& first, More const&... more) {
  auto const note = [](auto const& leaf) { note_mistake_in(leaf); };
  for_each_leaf(first, note);
  (for_each_leaf(more, note), ...);
  return first;
}

/// A loop of `Count` steps of `f(carry, x)`, or of `f(carry)` without slices. `stops` says that its last carry is its
/// gate; of the carries that it keeps `snapshots` are in memory at once, 0 says all.
template <int Count, class F, class Init, class Xs>
constexpr auto traced_loop(F const& f, Init const& init, Xs const& xs, bool keeps_carries, bool stops = false,
                           int snapshots = 0) {
  using Carry = typename joined_type<Init>::type;
  constexpr bool has_slices = !std::is_same_v<Xs, no_slices>;
  graph* outer = nullptr;
  auto const look_at = [&](auto const& x) { outer = innermost(outer, x.owner); };
  for_each_leaf(init, look_at);
  if constexpr (has_slices) for_each_leaf(xs, look_at);

  return traced_in_place(outer, [&](loop_tracer& tracer) {
    Carry carry{};
    for_each_leaf(carry, [&]<class X>(X& x) { x = tracer.add_input<X>(loop_input::carry); });
    if (stops) tracer.loop().gate = static_cast<int>(tracer.loop().in.size()) - 1;
    auto const returned = [&] {
      if constexpr (has_slices)
        return f(std::as_const(carry),
                 map_leaves([&]<class X>(X const&) { return tracer.add_input<slice_of<X>>(loop_input::slice); }, xs));
      else return f(std::as_const(carry));
    }();
    using R = std::remove_const_t<decltype(returned)>;
    auto const& next = [&]() -> auto const& {
      if constexpr (is_step<R>) return returned.carry;
      else return returned;
    }();
    using Next = std::remove_cvref_t<decltype(next)>;
    Carry after{};
    if constexpr (fits_into<Carry, Next>()) {
      assign(after, next, tracer.loop().body);
    } else {
      error::carry_changes_its_type<Carry, Next>();
      after = standing_for(carry, next);
    }
    for_each_leaf(after, [&](auto const& x) { tracer.add_output(loop_output::carry, x); });
    auto const outputs = [&] {
      if constexpr (is_step<R>)
        return joined_structure<element_among<decltype(R::y), Next, Carry, Xs>>(returned.y, tracer.loop().body);
      else return no_slices{};
    }();
    if constexpr (is_step<R>) for_each_leaf(outputs, [&](auto const& x) { tracer.add_output(loop_output::stack, x); });

    graph& g = tracer.end();
    sequence<int> operands;
    auto const input_from = [&](auto const& x) { operands.push_back(joined(x, g).id); };
    for_each_leaf(init, input_from);
    if constexpr (has_slices) for_each_leaf(xs, input_from);
    tracer.loop().snapshots = snapshots;
    tracer.finish(Count, keeps_carries, operands);
    int r = 0;
    for_each_leaf(after, [&]<class X>(X& x) { x = tracer.take<X>(r++); });
    if constexpr (is_step<R>) {
      auto const ys = map_leaves([&]<class X>(X const&) { return tracer.take<stack_of<X, Count>>(r++); }, outputs);
      return step{after, ys};
    } else {
      return after;
    }
  });
}

}  // namespace detail

ETCH_NAMESPACE_END

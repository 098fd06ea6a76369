// control: control flow that depends on values, in a program: one branch of two, and loops that stop early. Memory
// stays static.
#pragma once

#include <etch/compile/mistaken_call.hpp>
#include <etch/transform/inner_function.hpp>
#include <etch/transform/scan.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class A, class B>
constexpr auto branches_return_different_types() {
  static_assert(
      never<A, B>,
      "etch: both branches of cond return values of the same shapes and element types, in the same structure");
  return mistake{};
}
template <class P>
constexpr auto condition_is_not_a_number() {
  static_assert(never<P>,
                "etch: cond and while_loop depend on one number, such as a comparison of scalars: reduce it, for "
                "instance with max or min of a mask");
  return mistake{};
}
}  // namespace error

namespace detail {

/// 1 where the condition `p` holds, else 0.
template <class T, class P>
constexpr expr<T> as_gate(P const& p) {
  if constexpr (scalar<P>) return expr<T>(p != 0 ? 1 : 0);
  else if constexpr (tape_scalar<P>) return as_gate<T>(p.on_graph());
  else return expr<T>(cast<T>(p != 0));
}

/// Whether a loop is one of plain values.
template <class P, class F, class Init>
inline constexpr bool runs_on_numbers = false;
template <class P, class F, class Init>
  requires(!holds_traced<Init>() &&
           std::is_same_v<std::remove_cvref_t<std::invoke_result_t<F const&, Init const&>>, Init> &&
           std::is_convertible_v<std::invoke_result_t<P const&, Init const&>, bool>)
inline constexpr bool runs_on_numbers<P, F, Init> = true;

template <class P>
consteval bool is_condition() {
  if constexpr (scalar<P> || tape_scalar<P>) return true;
  else if constexpr (static_handle<P>) return P::extent.size() == 1 && P::extent.rank == 0;
  else return false;
}

/// The result of a branch, as values of a graph.
template <class F, class... X>
constexpr auto branch(F const& f, X const&... x) {
  return without_places(whole_on_graph(f(x...)));
}

/// `f(x...)` where `gate` is not 0, else `otherwise`, which has the same type: a loop of one step, which runs or does
/// not.
template <class F, class Y, class Gate, class... X>
constexpr Y step_if(graph& around, Gate const& gate, Y const& otherwise, F const& f, X const&... x) {
  loop_tracer tracer(&around);
  for_each_leaf(otherwise, [&]<class Leaf>(Leaf const&) { tracer.add_input<Leaf>(loop_input::carry); });
  tracer.loop().gate = static_cast<int>(tracer.loop().in.size());
  tracer.add_input<Gate>(loop_input::captured);
  Y y = otherwise;
  assign(y, branch(f, tracer.inside(x)...), tracer.loop().body);
  for_each_leaf(y, [&](auto const& leaf) { tracer.add_output(loop_output::carry, leaf); });
  sequence<int> operands;
  graph& outer = tracer.end();
  for_each_leaf(otherwise, [&](auto const& leaf) { operands.push_back(joined(leaf, outer).id); });
  operands.push_back(joined(gate, outer).id);
  tracer.finish(1, false, operands);
  int r = 0;
  for_each_leaf(y, [&]<class Leaf>(Leaf& leaf) { leaf = tracer.take<Leaf>(r++); });
  return y;
}

template <class T, class P, class F, class G, class... X>
constexpr auto traced_cond(graph& around, P const& p, F const& f, G const& g, X const&... x) {
  if constexpr (!can_take<F, X...>() || !can_take<G, X...>()) {
    return expr<T>(0);
  } else {
    // Only their types are wanted here: each branch is traced as a step of its own.
    using A = decltype(joined_structure<T>(branch(f, x...), around));
    using B = decltype(joined_structure<T>(branch(g, x...), around));
    if constexpr (!std::is_same_v<A, B>) {
      error::branches_return_different_types<A, B>();
      note_mistake(&around);
      return A{};
    } else {
      A zeros{};
      for_each_leaf(zeros, [&]<class Leaf>(Leaf& leaf) {
        term const zero = fit(constant(around, element_of<typename Leaf::scalar_type>, 0), Leaf::extent);
        leaf = make_handle<Leaf>(zero.owner, zero.id);
      });
      auto const gate = as_gate<T>(p);
      A const taken = step_if(around, gate, zeros, f, x...);
      graph* const within = graph_around(taken);  // further inside than the operands, if f captures what lies there
      return step_if(within != nullptr ? *within : around, expr<T>(1 - gate), taken, g, x...);
    }
  }
}

}  // namespace detail

/// `f(x...)` where the number `p` is not 0, else `g(x...)`: one of them runs, in a program and on the way back through
/// it. Both return the same type; both may capture traced values. With a plain `p`, the choice is made while the
/// program is traced, with a number on a tape while it is recorded. `select` instead computes both, entry by entry.
/// Docs: derivatives.md.
template <class P, class F, class G, class... X>
constexpr auto cond(P const& p, F const& f, G const& g, X const&... x) {
  if constexpr (!detail::is_condition<P>()) {
    error::condition_is_not_a_number<P>();
    detail::note_mistake_in(p);
    return f(x...);
  } else if constexpr (scalar<P> && std::is_same_v<decltype(f(x...)), decltype(g(x...))>) {
    return p != 0 ? f(x...) : g(x...);
  } else if constexpr (tape_scalar<P> &&
                       std::is_same_v<decltype(detail::branch(f, x...)), decltype(detail::branch(g, x...))>) {
    return value(p) != 0 ? detail::branch(f, x...) : detail::branch(g, x...);  // a tape knows the number
  } else {
    using T = detail::element_among<X..., P>;
    graph* const around = detail::graph_around(p, x...);
    if (around == nullptr) error::loop_meets_no_traced_value();
    return detail::traced_cond<T>(*around, p, f, g, detail::whole_on_graph(x)...);
  }
}

/// The carry after as many steps `carry = body(carry)` as `p(carry)` is not 0 before, from `init`; `Max` at most, for
/// which memory is planned. Of plain values it is a plain loop. Where nothing is kept for the way back it ends with the
/// first step that does not run; else such a step costs a copy of the carry, and on the way back nothing. `p` and
/// `body` may capture traced values. Differentiable to any order in what the steps compute; the number of steps has no
/// derivative. Docs: derivatives.md.
template <int Max, class P, class F, class Init>
constexpr auto while_loop(P const& p, F const& body, Init const& init) {
  static_assert(Max > 0, "etch: a loop has at least one step");
  if constexpr (detail::runs_on_numbers<P, F, Init>) {
    Init carry = init;
    for (int k = 0; k < Max && p(carry); ++k) carry = body(carry);
    return carry;
  } else if constexpr (detail::has_tape_scalar<Init>()) {
    return while_loop<Max>(p, body, detail::whole_on_graph(init));
  } else if constexpr (detail::hold_places<Init>()) {
    return while_loop<Max>(p, body, detail::without_places(init));
  } else {
    auto const first = detail::carry_from(body, init);
    using T = detail::element_among<std::remove_const_t<decltype(first)>>;
    auto const holds = [&](auto const& carry) {
      auto const condition = p(carry);
      using Condition = std::remove_const_t<decltype(condition)>;
      if constexpr (!detail::is_condition<Condition>()) {
        error::condition_is_not_a_number<Condition>();
        return expr<T>(0);
      } else {
        return detail::as_gate<T>(condition);
      }
    };
    // The gate is a carry, too: the step before says whether there is another one.
    auto const step = [&](auto const& carry) {
      auto const next = detail::branch(body, std::get<0>(carry));
      return std::tuple(next, holds(next));
    };
    return std::get<0>(
        detail::traced_loop<Max>(step, std::tuple(first, holds(first)), detail::no_slices{}, false, true));
  }
}

ETCH_NAMESPACE_END

// inner_function: a function of traced values, traced into a graph of its own, which is rewritten before it becomes a
// part of the graph around it.
#pragma once

#include <etch/base/out_of_line.hpp>
#include <etch/compile/pipeline.hpp>
#include <etch/compile/program_error.hpp>
#include <etch/op/custom.hpp>
#include <etch/rewrite/at_origin.hpp>
#include <etch/rewrite/derivatives.hpp>
#include <etch/transform/loop.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class R>
constexpr auto differentiated_value_is_not_a_scalar() {
  static_assert(never<R>,
                "etch: a function that has a gradient returns a scalar, or a tuple that begins with one: reduce its "
                "value with sum or mean, or take its vjp, jvp or jacobian");
  return mistake{};
}
}  // namespace error

namespace detail {

/// The innermost graph of the traced values in `x`; null where there is none.
template <class... X>
constexpr graph* graph_around(X const&... x) {
  graph* around = nullptr;
  [[maybe_unused]] auto const look_at = [&]<class Each>(Each const& each) {
    if constexpr (static_handle<Each>) around = innermost(around, each.owner);
  };
  [[maybe_unused]] auto const look_into = [&]<class Each>(Each const& each) {
    if constexpr (has_tape_scalar<Each>()) {
      auto const on = whole_on_graph(each);
      for_each_leaf(on, look_at);
    } else if constexpr (is_structure<Each>()) {
      for_each_leaf(each, look_at);
    }
  };
  (look_into(x), ...);
  return around;
}

/// A function while it is traced. What it captures becomes an input as in the body of a loop.
class inner_function {
 public:
  constexpr explicit inner_function(graph* around) : tracer_(around) {}

  /// `x` as the function sees it. Every leaf is an input of its own, even where the function captures the same value.
  template <class X>
  constexpr X input(X x) {
    for_each_leaf(x, [&]<class Leaf>(Leaf& leaf) {
      if constexpr (static_handle<Leaf>) {
        operands_.push_back(joined(leaf, tracer_.outer()));
        leaf = tracer_.add_input<Leaf>(loop_input::captured);
      }
    });
    return x;
  }
  /// The nodes of the leaves of `x`: of what the function returned, or of values around it, which it captures.
  template <class X>
  constexpr sequence<int> nodes_of(X const& x) {
    sequence<int> nodes;
    for_each_leaf(x, [&](auto const& leaf) { nodes.push_back(joined(leaf, body()).id); });
    return nodes;
  }
  constexpr graph& body() { return tracer_.loop().body; }

  /// Does `Rewrite(body, more...)`, which makes outputs. At run time, where tapes record, it is compiled where
  /// `base/out_of_line.hpp` says.
  template <auto Rewrite, class... More>
  constexpr void rewrite(More const&... more) {
    if (__builtin_is_constant_evaluated()) Rewrite(body(), more...);
    else out_of_line<Rewrite>::call(body(), more...);
    finish();
  }

  /// Says of an input that it is a tangent vector, of which only the derivatives at 0 are wanted.
  constexpr void put_at_origin(static_handle auto const& v) {
    origin_.push_back(static_cast<int>(body()[v.id].attributes));
  }

  /// A value of the graph around, which is the next output of the rewritten function, in the type of `Handle`.
  template <static_handle Handle>
  constexpr Handle take() {
    term const y{results_in_, outputs_.entry[next_++]};
    return make_handle<Handle>(results_in_, in_type(y, element_of<typename Handle::scalar_type>).id);
  }
  /// A structure like `x` of the next outputs.
  template <class X>
  constexpr X take_like(X x) {
    for_each_leaf(x, [&]<class Leaf>(Leaf& leaf) {
      if constexpr (static_handle<Leaf>) leaf = take<Leaf>();
    });
    return x;
  }

  /// Puts the function into the graph around it as it is, `nodes` of it as outputs.
  constexpr void put_with(sequence<int> const& nodes) {
    body().outputs = nodes;
    put();
  }
  /// Whether it captures a value of floating type.
  constexpr bool captures_numbers() {
    for (int id : tracer_.captured())
      if (is_floating(tracer_.outer()[id].type)) return true;
    return false;
  }
  /// A value with this function as its rule (`op/custom.hpp`): its inputs are the adjoint u and the value, which both
  /// stand for that value outside, and then arguments, whose adjoints are its outputs. What it captures has none.
  constexpr term put_as_rule() {
    graph& outer = tracer_.end();
    if (tracer_.gives_any_numbers())
      return fit(constant(outer, operands_.entry[1]->type, 0), operands_.entry[1].extent());
    sequence<int> const all = operands_in(outer);
    sequence<int> arguments;
    for (std::size_t i = 2; i < all.size(); ++i) arguments.push_back(all.entry[i]);
    for (int id : tracer_.captured()) {
      arguments.push_back(id);
      body().outputs.push_back(fit(constant(body(), outer[id].type, 0), outer[id].extent).id);
    }
    // Adjoints of equal calls are not added up before the rule, which need not be linear in them. (A tape has a node
    // for each call.)
    if (outer.recorder == nullptr) tracer_.loop().count = body().scope->serial;
    body().scope = nullptr;
    return with_rule({&outer, all.entry[1]}, tracer_.loop(), arguments);
  }

 private:
  loop_tracer tracer_;
  sequence<term> operands_;
  sequence<int> outputs_, origin_;
  std::size_t next_ = 0;
  graph* results_in_ = nullptr;

  constexpr void finish() {
    if (origin_.empty()) return put();
    if (__builtin_is_constant_evaluated()) pass::at_origin(body(), origin_);
    else out_of_line<pass::at_origin>::call(body(), origin_);
    put();
  }

  /// Puts the body into the graph around it.
  constexpr void put() {
    results_in_ = &tracer_.end();
    sequence<int> operands;
    if (!tracer_.gives_any_numbers()) operands = operands_in(*results_in_);
    outputs_ = tracer_.put(operands);
  }
  /// The operands as nodes of `outer`, which may have turned out to lie further inside than the arguments.
  constexpr sequence<int> operands_in(graph& outer) {
    sequence<int> ids;
    for (term each : operands_)
      ids.push_back(each.owner == &outer ? each.id : outer.scope->import(outer, *each.owner, each.id));
    return ids;
  }
};

/// `x` as an argument that is differentiated: numbers and constants become values of the graph `around`, of the element
/// type `T` unless they have one.
template <class T, class X>
constexpr auto as_variable(X const& x, graph& around) {
  return joined_structure<T>(whole_on_graph(x), around);
}

/// Whether `Wrt` names a position; it names all where it is empty.
template <int... I>
consteval bool names(wrt<I...>, std::size_t position) {
  return sizeof...(I) == 0 || ((static_cast<std::size_t>(I) == position) || ...);
}
/// `Wrt`, or the positions of all of `N` arguments where it names none.
template <class Wrt, std::size_t N>
consteval auto positions_of() {
  if constexpr (Wrt::count != 0) return Wrt{};
  else
    return []<int... I>(std::integer_sequence<int, I...>) { return wrt<I...>{}; }(std::make_integer_sequence<int, N>{});
}

/// The variables among a function's arguments: those at positions `I`, in this order.
template <class Wrt>
struct variables;
template <int... I>
struct variables<wrt<I...>> {
  template <class... X>
  static constexpr auto among(std::tuple<X...> const& arguments) {
    return std::tuple<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<X...>>...>(
        std::get<static_cast<std::size_t>(I)>(arguments)...);  // a variable may be a tuple
  }
  /// The arguments with others in the place of the variables.
  template <class... X>
  static constexpr auto replaced(std::tuple<X...> arguments, auto const& by) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((std::get<static_cast<std::size_t>(I)>(arguments) = std::get<K>(by)), ...);
    }(std::make_index_sequence<sizeof...(I)>{});
    return arguments;
  }
  /// Values like the variables: the next outputs of `inside`.
  template <class... X>
  static constexpr auto take(inner_function& inside, std::tuple<X...> const& arguments) {
    return std::tuple<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<X...>>...>{
        inside.take_like(std::get<static_cast<std::size_t>(I)>(arguments))...};  // braces: from left to right
  }
};

/// The first of a function's results.
template <class R>
constexpr auto const& value_of_result(R const& r) {
  if constexpr (is_tuple<R>) return value_of_result(std::get<0>(r));
  else return r;
}
/// Whether a result begins with one floating number.
template <class R>
consteval bool begins_with_scalar() {
  using Value = std::remove_cvref_t<decltype(value_of_result(std::declval<R const&>()))>;
  if constexpr (static_handle<Value>)
    return Value::extent.size() == 1 && (is_untyped<Value> || std::is_floating_point_v<typename Value::scalar_type>);
  else return scalar<Value>;
}

/// The arguments of a function of traced values: those that `Wrt` names as variables of the graph around, the others as
/// they are.
template <class T, class Wrt, class... X>
constexpr auto with_variables(graph& around, X const&... x) {
  auto const one = [&]<std::size_t At, class Each>(std::integral_constant<std::size_t, At>, Each const& each) {
    if constexpr (names(Wrt{}, At)) return as_variable<T>(each, around);
    else return each;
  };
  return [&]<std::size_t... At>(std::index_sequence<At...>) {
    return std::tuple<decltype(one(std::integral_constant<std::size_t, At>{}, x))...>{
        one(std::integral_constant<std::size_t, At>{}, x)...};  // braces: from left to right
  }(std::index_sequence_for<X...>{});
}

/// The result of `f` for the arguments that it sees, its constants as values of its graph.
template <class T, class F, class Arguments>
constexpr auto returned_by(inner_function& inside, F const& f, Arguments const& arguments) {
  return joined_structure<T>(without_places(whole_on_graph(std::apply(f, arguments))), inside.body());
}

/// A call of a function with traced arguments, some of which are variables: these are inputs of the function's own
/// graph; the others stay what they are, so that the function captures them. `T` is the element type of what has none.
template <class T, class Wrt, class... X>
class inner_call {
 public:
  using Arguments = decltype(with_variables<T, Wrt>(std::declval<graph&>(), std::declval<X const&>()...));

  constexpr explicit inner_call(graph* around, X const&... x)
      : outside_(with_variables<T, Wrt>(known(around), x...)), around_(around), inside(around), arguments(outside_) {
    [&]<int... I>(wrt<I...>) {
      ((std::get<static_cast<std::size_t>(I)>(arguments) =
            inside.input(std::get<static_cast<std::size_t>(I)>(outside_))),
       ...);
    }(Wrt{});
  }

  template <class F>
  constexpr auto call(F const& f) {
    if constexpr (requires { f.visit_tangents(arguments, [](auto const&) {}); })
      f.visit_tangents(arguments, [&](auto const& v) { inside.put_at_origin(v); });
    return returned_by<T>(inside, f, arguments);
  }
  template <class F>
  using result = decltype(returned_by<T>(std::declval<inner_function&>(), std::declval<F const&>(),
                                         std::declval<Arguments const&>()));

  /// Whether `F` can be called so, and, if `GivesScalar`, returns what has a gradient; names the mistake otherwise.
  template <class F, bool GivesScalar>
  static consteval bool is_sound() {
    if constexpr (!takes<F>(std::type_identity<Arguments>{})) return false;
    else if constexpr (!GivesScalar || begins_with_scalar<result<F>>()) return true;
    else return error::differentiated_value_is_not_a_scalar<result<F>>(), false;
  }
  /// Stands for a result that a mistake prevents: the variables.
  constexpr auto stand_in() {
    std::apply([](auto const&... each) { (without_steps(each), ...); }, variables<Wrt>::among(outside_));
    return variables<Wrt>::among(outside_);
  }
  /// The nodes of the variables.
  constexpr sequence<int> nodes() { return inside.nodes_of(variables<Wrt>::among(arguments)); }
  constexpr graph& around() { return *around_; }

 private:
  Arguments outside_;
  graph* around_;

  static constexpr graph& known(graph* around) {
    if (around == nullptr) error::loop_meets_no_traced_value();
    return *around;
  }
  template <class F, class... Each>
  static consteval bool takes(std::type_identity<std::tuple<Each...>>) {
    return can_take<F, Each...>();
  }

 public:
  inner_function inside;
  Arguments arguments;
};

/// Whether a leaf of `X` is of floating type, so that it has derivatives.
template <class X>
consteval bool has_floating_leaf() {
  if constexpr (scalar<X>) return std::is_floating_point_v<X>;
  else return has_tape_scalar<X>() || element_bytes<X>() > 0 || has_untyped_leaf<X>();
}
/// Names the mistake where `Wrt` names an argument without derivatives.
template <class... X, int... I>
constexpr void refuse_integers(wrt<I...>) {
  [[maybe_unused]] auto const look_at = []<int At>(std::integral_constant<int, At>) {
    using Each = std::tuple_element_t<static_cast<std::size_t>(At), std::tuple<X...>>;
    if constexpr (!has_floating_leaf<Each>()) error::wrt_names_integers<wrt<At>, Each>();
  };
  (look_at(std::integral_constant<int, I>{}), ...);
}

/// Calls `f(last, others...)`.
template <class... X>
constexpr auto last_first(auto const& f, X const&... x) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto const all = std::tie(x...);
    return f(std::get<sizeof...(I)>(all), std::get<I>(all)...);
  }(std::make_index_sequence<sizeof...(X) - 1>{});
}

}  // namespace detail
ETCH_NAMESPACE_END

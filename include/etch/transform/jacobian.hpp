// jacobian, hessian: matrices of derivatives as functions of functions.
#pragma once

#include <etch/rewrite/jacobian.hpp>
#include <etch/transform/gradient.hpp>
#include <etch/transform/jvp.hpp>
#include <etch/transform/map.hpp>

ETCH_NAMESPACE_BEGIN

/// The result of `value_grad_hessian`; it can be destructured.
template <class Value, class Gradient, class Hessian>
struct value_with_gradient_and_hessian {
  Value value;
  Gradient grad;
  Hessian hessian;

  friend constexpr auto parts_of_result(value_with_gradient_and_hessian const& r) {
    return std::tuple(r.value, r.grad, r.hessian);
  }
};

namespace detail {

/// Whether a traced leaf has derivatives: integers have none.
template <static_handle Leaf>
consteval bool is_differentiable() {
  if constexpr (is_untyped<Leaf>) return true;
  else return std::is_floating_point_v<typename Leaf::scalar_type>;
}

/// The entries of all leaves of a structure that have derivatives.
template <class S>
consteval int entries_in() {
  if constexpr (static_handle<S>) return is_differentiable<S>() ? static_cast<int>(S::extent.size()) : 0;
  else if constexpr (scalar<S> || tape_scalar<S>) return 1;
  else if constexpr (stateless<S>) return 0;
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (entries_in<std::remove_cvref_t<decltype(part_of<I>(std::declval<S&>()))>>() + ... + 0);
    }(indices_of<S>());
}

/// Whether how many entries of a leaf of `S` count is known at run time only: a matrix has a row or column for each.
template <class S>
consteval bool has_counted_leaf() {
  bool any = false;
  S s{};
  for_each_leaf(s, [&]<class Leaf>(Leaf&) {
    if constexpr (static_handle<Leaf>) any = any || Leaf::extent.counted != 0;
  });
  return any;
}

/// The leaves of `s` that have derivatives, as a tuple; a number is a constant.
template <class S>
constexpr auto differentiable_leaves(S const& s) {
  return std::apply(
      [](auto const&... leaf) {
        return std::tuple_cat([](auto const& each) {
          using Leaf = std::remove_cvref_t<decltype(each)>;
          if constexpr (scalar<Leaf>) return std::tuple(as_part(each));
          else if constexpr (is_differentiable<Leaf>()) return std::tuple<Leaf>(each);
          else return std::tuple<>();
        }(leaf)...);
      },
      leaves_in(s));
}
/// The entries of all leaves of `s` that have derivatives, one after the other, as a vector.
template <class S>
constexpr auto as_vector(S const& s) {
  if constexpr (static_handle<S>) return in_shape<make_shape(static_cast<int>(S::extent.size()))>(s);
  else
    return std::apply(
        [](auto const&... leaf) {
          if constexpr (sizeof...(leaf) == 1) return (as_vector(leaf), ...);
          else return concat<0>(as_vector(leaf)...);
        },
        differentiable_leaves(s));
}
/// The structure like `x` whose entries the vector `v` has; integers are those of `x`.
template <class X, static_handle V>
constexpr X in_structure_of(X x, V const& v) {
  int first = 0;
  for_each_leaf(x, [&]<class Leaf>(Leaf& leaf) {
    if constexpr (is_differentiable<Leaf>()) {
      constexpr int count = entries_in<Leaf>();
      auto const part =
          computed<Leaf::extent>(v, [&](term t) { return reshaped(slice(t, region(0, first), count), Leaf::extent); });
      leaf = make_handle<Leaf>(part.owner, part.id);
      first += count;
    }
  });
  return x;
}
/// `x` with zeros of the graph `g` for integers, which have no derivative.
template <class X>
constexpr X with_zero_integers(X x, graph& g) {
  for_each_leaf(x, [&]<class Leaf>(Leaf& leaf) {
    if constexpr (!is_differentiable<Leaf>())
      leaf = make_handle<Leaf>(&g, fit(constant(g, element_of<typename Leaf::scalar_type>, 0), Leaf::extent).id);
  });
  return x;
}

/// Whether `F` is a function of tangent vectors of manifolds.
template <class F>
inline constexpr bool follows_tangents = false;
template <class F, class Wrt, class... X>
inline constexpr bool follows_tangents<on_tangents<F, Wrt, X...>> = true;

template <class F>
constexpr pass::surroundings surroundings_of(auto& call) {
  return {follows_tangents<F>, call.around().scope != nullptr};
}

/// x... -> the Jacobian of f by the arguments that `Wrt` names.
template <class F, class Wrt, pass::jacobian_by By>
struct jacobian_function {
  [[no_unique_address]] F f;

  template <class... A>
  using values = plain_result_of<jacobian_function, A...>;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr ((holds_traced<X>() || ...)) return traced(x...);
    else return plain_call(*this, x...);
  }

 private:
  template <class... X>
  constexpr auto traced(X const&... x) const {
    if constexpr (has_tangents<Wrt, X...>)
      return at_origins<Wrt>([]<class G>(G const& of_tangents,
                                         auto const&... v) { return jacobian_function<G, Wrt, By>{of_tangents}(v...); },
                             f, x...);
    else return in_flat_space(x...);
  }
  template <class... X>
  constexpr auto in_flat_space(X const&... x) const {
    refuse_integers<X...>(Wrt{});
    using T = element_among<X...>;
    using inner = inner_call<T, Wrt, X...>;
    inner call(graph_around(x...), x...);
    if constexpr (!inner::template is_sound<F, false>()) {
      return std::get<0>(call.stand_in());
    } else if constexpr (has_counted_leaf<decltype(variables<Wrt>::among(call.arguments))>() ||
                         has_counted_leaf<typename inner::template result<F>>()) {
      error::matrix_of_counted_derivatives<X...>();
      return std::get<0>(call.stand_in());
    } else {
      using Y = typename inner::template result<F>;
      constexpr int rows = entries_in<Y>(), columns = entries_in<decltype(variables<Wrt>::among(call.arguments))>();
      sequence<int> const ys = call.inside.nodes_of(call.call(f));
      call.inside.template rewrite<pass::take_jacobian>(ys, call.nodes(), By, surroundings_of<F>(call));
      return call.inside
          .template take<typename expr_type<element_among<Y, X...>, make_shape(rows, columns), false>::type>();
    }
  }
};

/// Value, gradient and Hessian of `f` by its first argument.
template <class F, class First, class... More>
constexpr auto hessian_in_flat_space(F const& f, First const& first, More const&... more) {
  refuse_integers<First, More...>(wrt<0>{});
  using T = element_among<First, More...>;
  using inner = inner_call<T, wrt<0>, First, More...>;
  inner call(graph_around(first, more...), first, more...);
  constexpr int n = entries_in<std::tuple_element_t<0, typename inner::Arguments>>();
  using flat = typename expr_type<T, make_shape(n), false>::type;
  using square = typename expr_type<T, make_shape(n, n), false>::type;
  if constexpr (!inner::template is_sound<F, true>()) {
    return value_with_gradient_and_hessian{expr<T>(0), std::get<0>(call.stand_in()), square()};
  } else if constexpr (has_counted_leaf<std::tuple_element_t<0, typename inner::Arguments>>()) {
    error::matrix_of_counted_derivatives<First>();
    return value_with_gradient_and_hessian{expr<T>(0), std::get<0>(call.stand_in()), square()};
  } else {
    auto const y = value_of_result(call.call(f));
    call.inside.template rewrite<pass::take_hessian>(call.inside.nodes_of(y).entry[0], call.nodes(),
                                                     surroundings_of<F>(call));
    auto const value = call.inside.take_like(y);
    auto const gradient = with_zero_integers(
        in_structure_of(std::get<0>(call.arguments), call.inside.template take<flat>()), call.around());
    return value_with_gradient_and_hessian{value, gradient, call.inside.template take<square>()};
  }
}

template <class F, class First, class... More>
constexpr auto traced_hessian(F const& f, First const& first, More const&... more) {
  if constexpr (has_tangents<wrt<0>, First>)
    return at_origins<wrt<0>>(
        [](auto const& of_tangents, auto const&... y) { return hessian_in_flat_space(of_tangents, y...); }, f, first,
        more...);
  else return hessian_in_flat_space(f, first, more...);
}

/// x, more... -> the Hessian of f by x,
template <class F>
struct hessian_function {
  [[no_unique_address]] F f;

  template <class... A>
  using values = plain_result_of<hessian_function, A...>;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr ((holds_traced<X>() || ...)) return traced_hessian(f, x...).hessian;
    else return plain_call(*this, x...);
  }
};
/// and with value and gradient.
template <class F>
struct value_gradient_hessian {
  [[no_unique_address]] F f;

  template <class First, class... More>
  using values = typename decltype([] {
    using all =
        decltype(traced_hessian(std::declval<F const&>(), std::declval<typename argument<First>::traced const&>(),
                                std::declval<typename argument<More>::traced const&>()...));
    return std::type_identity<
        std::tuple<typename plain_result<decltype(all::value)>::type, typename argument<First>::gradient,
                   typename plain_result<decltype(all::hessian)>::type>>{};
  }())::type;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr ((holds_traced<X>() || ...)) return traced_hessian(f, x...);
    else return whole(plain_call(*this, x...));
  }
  /// The result from its parts.
  static constexpr auto whole(auto const& parts) {
    return std::apply([](auto const&... part) { return value_with_gradient_and_hessian{part...}; }, parts);
  }
};

}  // namespace detail

/// The function x -> Jacobian of f: [m, n], the entries of f's result (down) by those of x (right), both in storage
/// order and leaf by leaf. `Wrt` names the arguments that x stands for, their entries one after the other; others
/// follow as f takes them. By rows (reverse mode) or by columns (forward mode), whichever are fewer; up to 16 of them
/// in straight code that knows which entries are zero, more in a loop (rewrite/in_steps.hpp); of functions of
/// neighbours, along diagonals (rewrite/neighbours.hpp). For numbers, tensors, Eigen's types and structs, for traced
/// values, and to be compiled. Docs: derivatives.md.
template <class Wrt = wrt<0>, class F>
constexpr detail::jacobian_function<F, Wrt, pass::jacobian_by::shape> jacobian(F const& f) {
  return {f};
}
/// As `jacobian`, by columns: forward mode, at a cost that grows with n.
template <class Wrt = wrt<0>, class F>
constexpr detail::jacobian_function<F, Wrt, pass::jacobian_by::columns> jacfwd(F const& f) {
  return {f};
}
/// As `jacobian`, by rows: reverse mode, at a cost that grows with m.
template <class Wrt = wrt<0>, class F>
constexpr detail::jacobian_function<F, Wrt, pass::jacobian_by::rows> jacrev(F const& f) {
  return {f};
}

/// The function x -> Hessian of the scalar f: [n, n] for x of n entries, symmetric to the last bit. Further arguments
/// of f are not differentiated. Docs: derivatives.md.
template <class F>
constexpr detail::hessian_function<F> hessian(F const& f) {
  return {f};
}
/// The function x -> value, gradient (of the type of x) and Hessian of the scalar f, which share their work.
template <class F>
constexpr detail::value_gradient_hessian<F> value_grad_hessian(F const& f) {
  return {f};
}

ETCH_NAMESPACE_END

// structure: structs, arrays and tuples of values on a tape, as the arguments they stand for are
// structs, arrays and tuples of tensors.
#pragma once

#include <etch/core/eigen.hpp>
#include <etch/core/named_view.hpp>
#include <etch/compile/trace.hpp>
#include <etch/tape/var.hpp>
#include <etch/transform/gradient.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// Stands on a tape for a traced value of type `Traced` of the argument `A`.
template <class A, class Traced = typename argument<A>::traced>
struct on_tape {
  using type = Traced;  // a record, or a struct without leaves
};
template <class A, scalar T, int... Dims>
struct on_tape<A, expr<T, Dims...>> {
  using type = var<T, Dims...>;
};
template <class A, std::size_t N, class Traced>
struct on_tape<std::array<A, N>, Traced> {
  using type = std::array<typename on_tape<A>::type, N>;
};
template <class... A, class Traced>
struct on_tape<std::tuple<A...>, Traced> {
  using type = std::tuple<typename on_tape<A>::type...>;
};
template <reflected S, class Traced>
  requires(argument<S>::rebindable && !std::is_same_v<S, Traced>)
struct on_tape<S, Traced> {
  using type = typename etch::detail::rebind<S, taped<typename etch::detail::element_tag<S>::type>>::type;
};

/// Makes the variables `to` those that were traced for an argument of type `A`.
template <class A, class To, class Traced>
void assign(To& to, Traced const& from) {
  if constexpr (std::is_same_v<To, Traced>) to = from;
  else if constexpr (reflected<A>)
    for_each_member<A>([&](auto i) { assign<member_type<A, i>>(member<i>(to), member<i>(from)); });
  else if constexpr (etch::detail::is_tuple<A>)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (assign<std::tuple_element_t<I, A>>(std::get<I>(to), std::get<I>(from)), ...);
    }(std::make_index_sequence<std::tuple_size_v<A>>{});
  else to = To(from);
}

/// The fate of the leaves of an argument.
struct leaf_terms {
  bool is_active = false;
  bool is_seen_as_leaf = false;  ///< of a leaf whose memory holds the transpose, a copy is the leaf
  bool is_lent = false;          ///< read where it is, not copied
};

/// Makes nodes of the leaves of an argument, in order, and keeps their numbers.
template <class T>
struct leaf_reader {
  tape_state<T>* owner;
  std::byte const* const* entries;
  int* nodes;
  int* position;
  leaf_terms terms;

  template <scalar S, shape Extent>
  auto operator()() const {
    int const at = (*position)++;
    return make_expr<S, Extent>(&owner->nodes().graph(), nodes[at] = made<S>(at, Extent));
  }
  template <scalar S, shape Extent>
  auto transposed() const {
    if (!terms.is_seen_as_leaf) return etch::transpose((*this).template operator()<S, Extent>());
    constexpr shape seen = make_shape(Extent[1], Extent[0]);
    int const at = (*position)++;
    int const id = nodes[at] = owner->leaf(entries[at], element_of<S>, seen, terms.is_active);
    recorder<T>& r = owner->nodes();
    strided_value turned = contiguous(element_of<S>, seen, const_cast<std::byte*>(entries[at]));
    turned.where.step = {Extent[0], 1, 1, 1};
    copy(r.records.at(id), turned);
    return make_expr<S, seen>(&r.graph(), id);
  }

 private:
  template <scalar S>
  int made(int at, shape const& extent) const {
    if (terms.is_lent) return owner->leaf_at(entries[at], element_of<S>, extent, terms.is_active);
    return owner->leaf(entries[at], element_of<S>, extent, terms.is_active);
  }
};

/// The values of the argument `a` as nodes of the graph of `t`, in the types that a lambda sees while it is traced. The
/// numbers of its leaves are left in `nodes`.
template <class T, class A>
typename argument<A>::traced traced_on(tape_state<T>& t, A const& a, int* nodes, leaf_terms terms) {
  std::byte const* entries[pass::leaf_count<A>() + 1];
  int leaves = 0, position = 0;
  argument<A>::visit(
      a, [&](auto const* data, std::size_t) { entries[leaves++] = reinterpret_cast<std::byte const*>(data); });
  return argument<A>::trace(leaf_reader<T>{&t, entries, nodes, &position, terms});
}

/// Stands for the value off the tape: `mlp<float>` for `mlp<taped<float>>`, a tensor
/// for a variable of rank 1 or more.
template <class V>
struct off_tape {
  using type = V;
};
template <class V>
  requires(tape_scalar<V> || (static_handle<V> && !constant_handle<V>))
struct off_tape<V> {
  template <scalar T, int... Dims>
    requires(sizeof...(Dims) > 0)
  static tensor<T, Dims...> among(expr<T, Dims...> const*);
  template <scalar T>
  static T among(expr<T> const*);
  static auto found() {
    if constexpr (tape_scalar<V>) return typename V::tape_scalar_type{};
    else return std::type_identity<decltype(among(static_cast<V const*>(nullptr)))>{};
  }
  template <class X>
  struct content {
    using type = X;
  };
  template <class X>
  struct content<std::type_identity<X>> {
    using type = X;
  };
  using type = typename content<decltype(found())>::type;
};
template <class... V>
struct off_tape<std::tuple<V...>> {
  using type = std::tuple<typename off_tape<V>::type...>;
};
template <class V, std::size_t N>
struct off_tape<std::array<V, N>> {
  using type = std::array<typename off_tape<V>::type, N>;
};

/// The element type of the tag in `mlp<taped<float>>`; void where there is none.
template <class S>
struct taped_element {
  using type = void;
};
template <template <class...> class S, scalar T, class... Rest>
struct taped_element<S<taped<T>, Rest...>> {
  using type = T;
};
template <template <class, auto...> class S, scalar T, auto... N>
  requires(sizeof...(N) > 0)
struct taped_element<S<taped<T>, N...>> {
  using type = T;
};
template <reflected S>
  requires(!std::is_void_v<typename taped_element<S>::type>)
struct off_tape<S> {
  using type = typename etch::detail::rebind<S, typename taped_element<S>::type>::type;
};

/// Whether a value is made of variables alone.
template <class V>
consteval bool is_variables() {
  if constexpr (tape_scalar<V> || static_handle<V>) return true;
  else if constexpr (etch::detail::is_tuple<V>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (is_variables<std::tuple_element_t<I, V>>() && ...);
    }(std::make_index_sequence<std::tuple_size_v<V>>{});
  else return !std::is_same_v<typename off_tape<V>::type, V>;
}

/// Whether a value is one of a tape, or made of such.
template <class V>
inline constexpr bool is_on_tape = !std::is_same_v<typename off_tape<V>::type, V>;

/// Copies gradients: `from(variable)` gives each. By a manifold it is a tangent vector.
template <class V, class G>
void collect_gradients(G& to, V const& v, auto from) {
  using plain = typename off_tape<V>::type;
  if constexpr (etch::detail::curved<plain> && !std::is_same_v<G, plain>) {
    plain x, ambient;
    collect_gradients(x, v, [](auto const& each) { return value(each); });
    collect_gradients(ambient, v, from);
    to = etch::detail::along_tangents(x, ambient);
  } else if constexpr (reflected<V> && etch::detail::is_tuple<G>) {
    for_each_member<V>([&](auto i) { collect_gradients(std::get<i>(to), member<i>(v), from); });
  } else if constexpr (tape_scalar<V> || static_handle<V>) to = from(v);
  else if constexpr (reflected<V>)
    for_each_member<V>([&](auto i) { collect_gradients(member<i>(to), member<i>(v), from); });
  else if constexpr (etch::detail::is_tuple<V>)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (collect_gradients(std::get<I>(to), std::get<I>(v), from), ...);
    }(std::make_index_sequence<std::tuple_size_v<V>>{});
}

/// Calls `f` for every variable in `v`, in order.
template <class V>
void visit_variables(V& v, auto f) {
  using value = std::remove_const_t<V>;
  if constexpr (tape_scalar<value> || static_handle<value>) f(v);
  else if constexpr (reflected<value>) for_each_member<value>([&](auto i) { visit_variables(member<i>(v), f); });
  else if constexpr (etch::detail::is_tuple<value>)
    std::apply([&](auto&... each) { (visit_variables(each, f), ...); }, v);
}

/// Element type and shape of each leaf of an argument, as nodes.
template <class A>
inline constexpr auto leaves_of = [] {
  fixed<node, pass::leaf_count<A>()> all;
  graph g;
  int position = 0;
  static_cast<void>(argument<A>::trace(pass::leaf_maker{&g, &position}));
  for (int id = 0, next = 0; id < g.size(); ++id)
    if (g[id].op == opcode_of<op::input>) all.entry[next++] = g[id];
  return all;
}();

/// The variables of an argument of type `A` whose leaves are the nodes `ids` of `g`.
template <class A>
typename on_tape<A>::type variables_at(graph& g, int const* ids) {
  typename on_tape<A>::type v{};
  visit_variables(v, [&]<class Each>(Each& each) {
    if constexpr (tape_scalar<Each>) each = Each(expr<typename Each::tape_scalar_type>(&g, *ids++));
    else each = Each(make_expr<typename Each::scalar_type, Each::extent>(&g, *ids++));
  });
  return v;
}

/// The variable that a value of a tape becomes; structs of variables stay what they are.
template <class X>
struct as_variable {
  using type = X;
};
template <class X>
  requires(tape_scalar<X> || static_handle<X>)
struct as_variable<X> {
  using type = typename on_tape<typename off_tape<X>::type>::type;
};

}  // namespace dynamic
ETCH_NAMESPACE_END

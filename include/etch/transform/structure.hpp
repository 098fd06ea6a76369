// structure: traced values in tuples, arrays and structs, leaf by leaf.
#pragma once

#include <etch/core/named_view.hpp>
#include <etch/op/arithmetic.hpp>

#include <algorithm>
#include <array>
#include <tuple>

ETCH_NAMESPACE_BEGIN

template <static_handle R>
struct part_expr;

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace detail {

template <class S>
inline constexpr bool is_array = false;
template <class Each, std::size_t N>
inline constexpr bool is_array<std::array<Each, N>> = true;

template <class S>
constexpr auto indices_of() {
  if constexpr (is_tuple<S>) return std::make_index_sequence<std::tuple_size_v<S>>{};
  else return std::make_index_sequence<member_count<S>>{};
}

/// Part `I` of a tuple, an array or a reflected struct.
template <std::size_t I, class S>
constexpr auto& part_of(S& s) {
  if constexpr (is_tuple<std::remove_const_t<S>>) return std::get<I>(s);
  else return member<I>(s);
}

/// A class without state, such as a layer without parameters: a structure without leaves.
template <class S>
concept stateless = std::is_class_v<S> && std::is_empty_v<S> && !is_tuple<S> && !static_handle<S>;

/// Calls `f` for every traced value or number in `s`, in order.
template <class S>
constexpr void for_each_leaf(S& s, auto&& f) {
  using Plain = std::remove_const_t<S>;
  if constexpr (misses_members<Plain>()) error::member_is_not_listed<Plain>();
  else if constexpr (static_handle<Plain> || scalar<Plain>) f(s);
  else if constexpr (is_tuple<Plain> || reflected<Plain>)
    [&]<std::size_t... I>(std::index_sequence<I...>) { (for_each_leaf(part_of<I>(s), f), ...); }(indices_of<Plain>());
  else if constexpr (!stateless<Plain>) error::loop_value_is_unknown<Plain>();
}

/// `f(part)` for each part of a tuple, an array or a reflected struct, in order: an array of an array, else a tuple.
template <class S>
constexpr auto map_parts(auto const& f, S const& s) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    using parts = std::tuple<decltype(f(part_of<I>(s)))...>;
    if constexpr (is_array<S>) return std::array<std::tuple_element_t<0, parts>, sizeof...(I)>{f(part_of<I>(s))...};
    else return parts{f(part_of<I>(s))...};
  }(indices_of<S>());
}

/// Whether a value is a scalar of a tape, or a tuple, an array or a struct that holds one.
template <class S>
consteval bool has_tape_scalar() {
  if constexpr (is_tuple<S>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (has_tape_scalar<std::tuple_element_t<I, S>>() || ...);
    }(indices_of<S>());
  else if constexpr (reflected<S>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (has_tape_scalar<member_type<S, I>>() || ...);
    }(indices_of<S>());
  else return tape_scalar<S>;
}
/// The traced struct whose member names a struct has.
template <class S>
struct struct_named {
  using type = S;
};
template <class S, class... Parts>
struct struct_named<member_view<S, Parts...>> {
  using type = S;
};
/// A struct with the member names of `S` and these parts: the struct itself that `S` has its names from, where that has
/// such members.
template <class S, class... Parts>
constexpr auto struct_of_parts(Parts const&... parts) {
  using Named = typename struct_named<S>::type;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::conditional_t<(takes<member_type<Named, I>, Parts>() && ...), Named, member_view<Named, Parts...>> y{};
    (put(member<I>(y), parts), ...);
    return y;
  }(std::index_sequence_for<Parts...>{});
}

/// Rebuilds a structure with `f(leaf, more leaves...)` in the place of each leaf, called in order;
/// `more` are of the same structure. A struct becomes one of the same member names.
template <class S, class... More>
constexpr auto map_leaves(auto&& f, S const& s, More const&... more) {
  if constexpr (static_handle<S> || scalar<S> || tape_scalar<S>) {
    return f(s, more...);
  } else if constexpr (is_tuple<S> || reflected<S>) {
    auto const part = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      return map_leaves(f, part_of<I>(s), part_of<I>(more)...);
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using parts = std::tuple<decltype(part(std::integral_constant<std::size_t, I>{}))...>;
      parts const made{part(std::integral_constant<std::size_t, I>{})...};  // braces: from left to right
      if constexpr (is_array<S>) return std::array<std::tuple_element_t<0, parts>, sizeof...(I)>{std::get<I>(made)...};
      else if constexpr (reflected<S>) return struct_of_parts<S>(std::get<I>(made)...);
      else return made;
    }(indices_of<S>());
  } else if constexpr (stateless<S>) {
    return s;
  } else {
    return error::loop_value_is_unknown<S>();
  }
}

/// Puts the scalars of a tape that a value holds on its graph, in tuples, arrays and structs too; a struct is then one
/// of symbols.
template <class S>
constexpr auto whole_on_graph(S const& s) {
  if constexpr (!has_tape_scalar<S>()) {
    return s;
  } else if constexpr (reflected<S>) {
    typename rebind<S, symbol<typename first_parameter<S>::type::scalar_type>>::type on{};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (put(member<I>(on), whole_on_graph(member<I>(s))), ...);
    }(indices_of<S>());
    return on;
  } else if constexpr (is_tuple<S>) {
    return map_parts([](auto const& part) { return whole_on_graph(part); }, s);
  } else {
    return on_graph(s);
  }
}

/// Whether `S` is made of traced values and numbers, in tuples, arrays and structs.
template <class S>
consteval bool is_structure() {
  if constexpr (static_handle<S> || scalar<S>) return true;
  else if constexpr (is_tuple<S>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (is_structure<std::tuple_element_t<I, S>>() && ...);
    }(indices_of<S>());
  else if constexpr (reflected<S>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (is_structure<member_type<S, I>>() && ...);
    }(indices_of<S>());
  else return stateless<S>;
}

/// The traced value, constant or number `x` as a `To` of the same shape; a constant joins `g`.
template <static_handle To, class From>
constexpr To converted(From const& x, graph& g) {
  if constexpr (scalar<From>) return make_handle<To>(nullptr, -1, static_cast<double>(x));
  else if constexpr (constant_handle<From>) return make_handle<To>(&g, joined<typename To::scalar_type>(x, g).id);
  else return make_handle<To>(x.owner, x.id, x.immediate);
}

/// `s` with what `grad` and its kin return, and structs if `Structs`, as tuples of their parts.
template <bool Structs, class S>
constexpr auto in_tuples(S const& s) {
  if constexpr (static_handle<S> || scalar<S> || tape_scalar<S>) return s;
  else if constexpr (requires { parts_of_result(s); }) return in_tuples<Structs>(parts_of_result(s));
  else if constexpr (is_tuple<S> || (Structs && reflected<S>))
    return map_parts([](auto const& part) { return in_tuples<Structs>(part); }, s);
  else if constexpr (Structs && stateless<S>) return std::tuple<>{};
  else return s;
}

/// Whether a leaf has no element type of its own.
template <class X>
inline constexpr bool is_untyped = scalar<X> || requires {
  requires constant_handle<X>;
  requires X::untyped;
};

/// Rebuilds a structure with `f(leaf)` in the place of each leaf of tuples and arrays; structs stay what they are.
template <class S>
constexpr auto map_plain_leaves(auto const& f, S const& s) {
  if constexpr (static_handle<S> || scalar<S>) return f(s);
  else if constexpr (is_tuple<S>) return map_parts([&](auto const& part) { return map_plain_leaves(f, part); }, s);
  else return s;
}

/// Whether `X` is a part of a value that remembers where it lies (`op/eigen/part_expr.hpp`).
template <class X>
inline constexpr bool is_place = false;
template <class R>
inline constexpr bool is_place<part_expr<R>> = true;

/// Copies a structure, its parts as values of their own: what is assigned to these is written nowhere else.
template <class S>
constexpr auto without_places(S const& s) {
  return map_plain_leaves(
      []<class X>(X const& x) {
        if constexpr (is_place<X>) return x.value_alone();
        else return x;
      },
      s);
}
/// Whether there is any such part in structures of these types.
template <class... S>
consteval bool hold_places() {
  return !(std::is_same_v<S, decltype(without_places(std::declval<S const&>()))> && ...);
}

/// Rebuilds a structure with its numbers and constants in the element type `T` unless they have one.
/// They still belong to no graph.
template <class T, class S>
constexpr auto typed(S const& s) {
  return map_plain_leaves(
      []<class X>(X const& x) {
        if constexpr (scalar<X>) return constant_expr<T, false>(-1, static_cast<double>(static_cast<T>(x)));
        else if constexpr (is_untyped<X>) return cast<T>(x);
        else return x;
      },
      s);
}
/// The type of a structure whose constants have joined a graph.
template <class S>
struct joined_type {
  using type = S;
};
template <class R>
struct joined_type<part_expr<R>> {
  using type = R;
};
template <class T, bool Elementwise, int... Dims>
struct joined_type<constant_expr<T, Elementwise, Dims...>> {
  using type = typename expr_type<std::conditional_t<std::same_as<T, undetermined>, double, T>, make_shape(Dims...),
                                  Elementwise>::type;
};
template <class... S>
struct joined_type<std::tuple<S...>> {
  using type = std::tuple<typename joined_type<S>::type...>;
};
template <class S, std::size_t N>
struct joined_type<std::array<S, N>> {
  using type = std::array<typename joined_type<S>::type, N>;
};
/// Rebuilds a structure with its numbers and constants as values of `g`, of the element type `T` unless they have one.
template <class T, class S>
constexpr auto joined_structure(S const& s, graph& g) {
  return map_plain_leaves(
      [&]<class X>(X const& x) {
        using U = std::conditional_t<is_untyped<X>, T, typename operand_traits<X>::scalar_type>;
        if constexpr (scalar<X>) return expr<U>(static_cast<U>(x));
        else if constexpr (constant_handle<X>)
          return make_expr<U, X::extent, X::elementwise_product>(&g, joined<U>(x, g).id);
        else if constexpr (is_place<X>) return x.value_alone();
        else return x;
      },
      s);
}

/// The bytes of the widest floating element type among the leaves of `S`; 0 where none has one.
template <class S>
consteval std::size_t element_bytes() {
  if constexpr (is_untyped<S>) return 0;
  else if constexpr (static_handle<S>)
    return std::is_floating_point_v<typename S::scalar_type> ? sizeof(typename S::scalar_type) : 0;
  else if constexpr (is_tuple<S>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return std::max({std::size_t{0}, element_bytes<std::tuple_element_t<I, S>>()...});
    }(indices_of<S>());
  else if constexpr (reflected<S>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return std::max({std::size_t{0}, element_bytes<member_type<S, I>>()...});
    }(indices_of<S>());
  else return 0;
}

/// Asks the first of several that has one.
template <class... S>
consteval std::size_t first_element_bytes() {
  std::size_t bytes = 0;
  ((bytes = bytes != 0 ? bytes : element_bytes<S>()), ...);
  return bytes;
}
/// The element type for what has none, among values of types `S...`: that of the first which has one; else double.
template <class... S>
using element_among = std::conditional_t<first_element_bytes<S...>() == sizeof(float), float, double>;

/// Whether any leaf of `S` has no element type of its own.
template <class S>
consteval bool has_untyped_leaf() {
  if constexpr (static_handle<S> || scalar<S>) return is_untyped<S>;
  else if constexpr (is_tuple<S>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (has_untyped_leaf<std::tuple_element_t<I, S>>() || ...);
    }(indices_of<S>());
  else return false;
}

/// Whether a value of structure `From` can become a `To`: leaf by leaf the same shape and element type.
template <class To, class From>
consteval bool fits_into() {
  if constexpr (static_handle<To>) {
    if constexpr (scalar<From>) return To::extent.rank == 0;
    else if constexpr (static_handle<From>)
      return To::extent == From::extent &&
             (is_untyped<From> || std::is_same_v<typename To::scalar_type, typename From::scalar_type>);
    else return false;
  } else if constexpr (is_tuple<To>) {
    if constexpr (!is_tuple<From>) return false;
    else if constexpr (std::tuple_size_v<To> != std::tuple_size_v<From>) return false;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (fits_into<std::tuple_element_t<I, To>, std::tuple_element_t<I, From>>() && ...);
      }(indices_of<To>());
  } else {
    return std::is_same_v<To, From>;
  }
}

/// `from` as a `To`, into which it fits; constants join `g`.
template <class To, class From>
constexpr void assign(To& to, From const& from, graph& g) {
  if constexpr (static_handle<To>) to = converted<To>(from, g);
  else if constexpr (is_tuple<To>)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (assign(std::get<I>(to), std::get<I>(from), g), ...);
    }(indices_of<To>());
  else to = from;
}

}  // namespace detail
ETCH_NAMESPACE_END

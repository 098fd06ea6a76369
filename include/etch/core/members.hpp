// Reflection of the user's structs: Boost.Hana's, whoever made it.
#pragma once

#include <etch/base/for_each_name.hpp>
#include <etch/base/namespace.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/at.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

ETCH_NAMESPACE_BEGIN

template <class A>
struct argument;

namespace detail {

/// An operand of a struct's arithmetic, by reference. A struct that is itself a number, because it converts to one, has
/// a number's.
template <class S>
struct operand {
  S const* it;
  template <std::same_as<S> X>
    requires(!std::is_convertible_v<X, double>)
  constexpr operand(X const& x) : it(&x) {}
};
/// The first type parameter of a struct template.
template <class S>
struct first_parameter {
  using type = void;
};
template <template <class...> class S, class T, class... Rest>
struct first_parameter<S<T, Rest...>> {
  using type = T;
};
template <template <class, auto...> class S, class T, auto... N>
  requires(sizeof...(N) > 0)
struct first_parameter<S<T, N...>> {
  using type = T;
};
template <template <auto, class> class S, auto N, class P>
struct first_parameter<S<N, P>> : first_parameter<P> {};

/// The type of a number that scales an `S`: its element type, the traced scalar or the variable that its element tag
/// is, else double.
template <class S, class Tag = typename first_parameter<S>::type>
struct factor_type {
  using type = double;
};
template <class S, class Tag>
  requires(std::is_floating_point_v<Tag> || requires { typename Tag::scalar_type; })
struct factor_type<S, Tag> {
  using type = Tag;
};

/// A number, or a traced scalar, that leaves are multiplied by.
template <class S>
struct factor {
  using type = typename factor_type<S>::type;
  type value;
  template <class X>
    requires(std::is_convertible_v<X const&, type>)
  constexpr factor(X const& x) : value(static_cast<type>(x)) {}
};

template <class S>
constexpr S sum_of(S const& a, S const& b);
template <class S>
constexpr S difference_of(S const& a, S const& b);
template <class S>
constexpr S negative_of(S const& a);
template <class S>
constexpr S multiple_of(S const& a, auto const& s);
template <class S>
constexpr S quotient_of(S const& a, auto const& s);

}  // namespace detail

/// A struct that Boost.Hana can take apart: made with `ETCH_MEMBERS`, `BOOST_HANA_DEFINE_STRUCT` or
/// `BOOST_HANA_ADAPT_STRUCT`.
template <class S>
concept reflected = boost::hana::Struct<S>::value;

/// Number of members of a reflected struct.
template <reflected S>
inline constexpr std::size_t member_count = decltype(boost::hana::length(boost::hana::accessors<S>()))::value;

/// Member `I` of a reflected struct, by reference.
template <std::size_t I, class S>
constexpr decltype(auto) member(S&& s) {
  return boost::hana::second(boost::hana::at_c<I>(boost::hana::accessors<std::remove_cvref_t<S>>()))(
      std::forward<S>(s));
}

/// The type of member `I` of a reflected struct.
template <class S, std::size_t I>
using member_type = std::remove_cvref_t<decltype(member<I>(std::declval<S&>()))>;

/// The name of member `I`.
template <class S, std::size_t I>
constexpr std::string_view member_name() {
  using name = decltype(boost::hana::first(boost::hana::at_c<I>(boost::hana::accessors<S>())));
  return boost::hana::to<char const*>(std::remove_cvref_t<name>{});
}

/// Calls `f(index)` for every member, in order; `index` is a `std::integral_constant`.
template <reflected S>
constexpr void for_each_member(auto&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<member_count<S>>{});
}
/// The result of `f(0, 1, ...)`, called with the positions of all members as `std::integral_constant`s.
template <reflected S>
constexpr decltype(auto) with_members(auto&& f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
    return f(std::integral_constant<std::size_t, I>{}...);
  }(std::make_index_sequence<member_count<S>>{});
}

ETCH_NAMESPACE_END

/// Inside a struct: makes it a Boost.Hana Struct with the members named, of which there are up to 128, and gives it the
/// arithmetic of its leaves (`core/leafwise.hpp`). Every data member of the struct is named, in any order; what is no
/// parameter is `static constexpr`.
#define ETCH_MEMBERS(Struct, ...)                                                                    \
  struct hana_accessors_impl {                                                                       \
    using etch_members = Struct;                                                                     \
    template <class etch_type, int etch_at>                                                          \
    struct etch_part;                                                                                \
    static constexpr int etch_first = __COUNTER__ + 1;                                               \
    ETCH_DETAIL_FOR_EACH_NAME(ETCH_DETAIL_VIEWED, etch_type, __VA_ARGS__)                            \
    using etch_too_many = std::bool_constant<ETCH_DETAIL_TOO_MANY_NAMES(__VA_ARGS__)>;               \
    static constexpr auto apply() {                                                                  \
      struct etch_names {                                                                            \
        static constexpr char const* get() { return ETCH_DETAIL_TEXT(__VA_ARGS__); }                 \
      };                                                                                             \
      return ::etch::detail::make_accessors<etch_names ETCH_DETAIL_POINTERS(Struct, __VA_ARGS__)>(); \
    }                                                                                                \
  };                                                                                                 \
  ETCH_DETAIL_ARITHMETIC(Struct)

#define ETCH_DETAIL_TEXT(...) #__VA_ARGS__
/// The part of a view that has the member `name`, of type `Type` (core/member_view.hpp), numbered so that a name may be
/// repeated, which is a mistake that has a sentence.
#define ETCH_DETAIL_VIEWED(Type, name)                        \
  template <class Type>                                       \
  struct etch_part<Type, __COUNTER__ - etch_first> {          \
    Type name;                                                \
    constexpr auto& etch_value() { return name; }             \
    constexpr auto const& etch_value() const { return name; } \
  };
#define ETCH_DETAIL_POINTER(Struct, name) , ::etch::detail::member_pointer<&Struct::name>
#define ETCH_DETAIL_POINTERS(Struct, ...) ETCH_DETAIL_FOR_EACH_NAME(ETCH_DETAIL_POINTER, Struct, __VA_ARGS__)

/// The arithmetic of leaves, as friends. A struct's own operators win against them however they are declared, because
/// these need a conversion of every operand; and being templates they cost nothing until they are used.
#define ETCH_DETAIL_ARITHMETIC(Struct)                                                             \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self operator+(::etch::detail::operand<Struct> etch_a,                     \
                                       ::etch::detail::operand<Struct> etch_b) {                   \
    return ::etch::detail::sum_of<etch_self>(*etch_a.it, *etch_b.it);                              \
  }                                                                                                \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self operator-(::etch::detail::operand<Struct> etch_a,                     \
                                       ::etch::detail::operand<Struct> etch_b) {                   \
    return ::etch::detail::difference_of<etch_self>(*etch_a.it, *etch_b.it);                       \
  }                                                                                                \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self operator-(::etch::detail::operand<Struct> etch_a) {                   \
    return ::etch::detail::negative_of<etch_self>(*etch_a.it);                                     \
  }                                                                                                \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self operator*(::etch::detail::factor<Struct> etch_s,                      \
                                       ::etch::detail::operand<Struct> etch_a) {                   \
    return ::etch::detail::multiple_of<etch_self>(*etch_a.it, etch_s.value);                       \
  }                                                                                                \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self operator*(::etch::detail::operand<Struct> etch_a,                     \
                                       ::etch::detail::factor<Struct> etch_s) {                    \
    return ::etch::detail::multiple_of<etch_self>(*etch_a.it, etch_s.value);                       \
  }                                                                                                \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self operator/(::etch::detail::operand<Struct> etch_a,                     \
                                       ::etch::detail::factor<Struct> etch_s) {                    \
    return ::etch::detail::quotient_of<etch_self>(*etch_a.it, etch_s.value);                       \
  }                                                                                                \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self& operator+=(Struct& etch_a, ::etch::detail::operand<Struct> etch_b) { \
    return etch_a = ::etch::detail::sum_of<etch_self>(etch_a, *etch_b.it);                         \
  }                                                                                                \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self& operator-=(Struct& etch_a, ::etch::detail::operand<Struct> etch_b) { \
    return etch_a = ::etch::detail::difference_of<etch_self>(etch_a, *etch_b.it);                  \
  }                                                                                                \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self& operator*=(Struct& etch_a, ::etch::detail::factor<Struct> etch_s) {  \
    return etch_a = ::etch::detail::multiple_of<etch_self>(etch_a, etch_s.value);                  \
  }                                                                                                \
  template <class etch_self = Struct>                                                              \
  friend constexpr etch_self& operator/=(Struct& etch_a, ::etch::detail::factor<Struct> etch_s) {  \
    return etch_a = ::etch::detail::quotient_of<etch_self>(etch_a, etch_s.value);                  \
  }

ETCH_NAMESPACE_BEGIN
namespace detail {

/// Reads the member that a pointer names; unlike Hana's own it is one macro argument.
template <auto Pointer>
struct member_pointer {
  template <class S>
  constexpr decltype(auto) operator()(S&& s) const {
    return static_cast<S&&>(s).*Pointer;
  }
};

/// The most members that ETCH_MEMBERS takes.
inline constexpr std::size_t most_members = 128;

/// The begin and end of each of the `N` names in "a, b, c".
template <std::size_t N>
consteval std::array<std::array<std::size_t, 2>, N> split_names(std::string_view text) {
  std::array<std::array<std::size_t, 2>, N> bounds{};
  std::size_t at = 0;
  for (auto& [begin, end] : bounds) {
    while (text[at] == ' ' || text[at] == ',') ++at;
    begin = at;
    while (at < text.size() && text[at] != ' ' && text[at] != ',') ++at;
    end = at;
  }
  return bounds;
}

template <class Names, std::size_t Begin, std::size_t... I>
constexpr auto name_at(std::index_sequence<I...>) {
  return boost::hana::string_c<Names::get()[Begin + I]...>;
}

/// Pairs of compile-time name and accessor, as Hana's own macros make them.
template <class Names, class... Pointer>
constexpr auto make_accessors() {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr auto bounds = split_names<sizeof...(Pointer)>(Names::get());
    return boost::hana::make_tuple(boost::hana::make_pair(
        name_at<Names, bounds[I][0]>(std::make_index_sequence<bounds[I][1] - bounds[I][0]>{}), Pointer{})...);
  }(std::make_index_sequence<sizeof...(Pointer)>{});
}

}  // namespace detail
ETCH_NAMESPACE_END

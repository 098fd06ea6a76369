// Reflection of the user's structs: Boost.Hana's, whoever made it.
#pragma once

#include <etch/core/version.hpp>

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
#include <boost/preprocessor/seq/enum.hpp>
#include <boost/preprocessor/seq/transform.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>

#include <cstddef>
#include <type_traits>
#include <string_view>
#include <utility>

namespace etch::inline ETCH_ABI {

/// A struct that Boost.Hana can take apart: made with `ETCH_MEMBERS`, `BOOST_HANA_DEFINE_STRUCT` or `BOOST_HANA_ADAPT_STRUCT`.
template <class S>
concept reflected = boost::hana::Struct<S>::value;

template <reflected S>
inline constexpr std::size_t member_count = decltype(boost::hana::length(boost::hana::accessors<S>()))::value;

/// Member `I` of a reflected struct, by reference.
template <std::size_t I, class S>
constexpr decltype(auto) member(S&& s) {
  return boost::hana::second(boost::hana::at_c<I>(boost::hana::accessors<std::remove_cvref_t<S>>()))(std::forward<S>(s));
}

template <class S, std::size_t I>
using member_type = std::remove_cvref_t<decltype(member<I>(std::declval<S&>()))>;

/// The name of member `I`.
template <class S, std::size_t I>
constexpr std::string_view member_name() {
  using name = decltype(boost::hana::first(boost::hana::at_c<I>(boost::hana::accessors<S>())));
  return boost::hana::to<char const*>(std::remove_cvref_t<name>{});
}

/// Calls `f(index)` for every member, `index` an integral constant; or `f(index...)` once with all of them.
template <reflected S>
constexpr void for_each_member(auto&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>{}), ...); }
  (std::make_index_sequence<member_count<S>>{});
}
template <reflected S>
constexpr decltype(auto) with_members(auto&& f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) { return f(std::integral_constant<std::size_t, I>{}...); }
  (std::make_index_sequence<member_count<S>>{});
}

}  // namespace etch::inline ETCH_ABI

#define ETCH_DETAIL_MEMBER_NAME(_, Struct, name) BOOST_PP_STRINGIZE(name)
#define ETCH_DETAIL_MEMBER_POINTER(_, Struct, name) \
  ::etch::detail::member_pointer<&Struct::name> {}

/// Inside a struct: makes it a Boost.Hana Struct with the members named. Members left out are no parameters: they are not traced,
/// have no gradient, and keep their default value in a traced struct.
#define ETCH_MEMBERS(Struct, ...)                                                                                                 \
  struct hana_accessors_impl {                                                                                                    \
    static constexpr auto apply() {                                                                                               \
      struct etch_names {                                                                                                         \
        static constexpr auto get() {                                                                                             \
          return ::boost::hana::make_tuple(                                                                                       \
              BOOST_PP_SEQ_ENUM(BOOST_PP_SEQ_TRANSFORM(ETCH_DETAIL_MEMBER_NAME, Struct, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__)))); \
        }                                                                                                                         \
      };                                                                                                                          \
      return ::etch::detail::make_accessors<etch_names>(                                                                          \
          BOOST_PP_SEQ_ENUM(BOOST_PP_SEQ_TRANSFORM(ETCH_DETAIL_MEMBER_POINTER, Struct, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__))));  \
    }                                                                                                                             \
  };

namespace etch::inline ETCH_ABI::detail {

/// Reads the member that a pointer names; unlike Hana's own it is one macro argument.
template <auto Pointer>
struct member_pointer {
  template <class S>
  constexpr decltype(auto) operator()(S&& s) const {
    return static_cast<S&&>(s).*Pointer;
  }
};

/// Pairs of compile-time name and accessor, as Hana's own macros make them.
template <class Names, class... Pointer>
constexpr auto make_accessors(Pointer... pointer) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return boost::hana::make_tuple(boost::hana::make_pair(boost::hana::struct_detail::prepare_member_name<I, Names>(), pointer)...);
  }
  (std::index_sequence_for<Pointer...>{});
}

}  // namespace etch::inline ETCH_ABI::detail

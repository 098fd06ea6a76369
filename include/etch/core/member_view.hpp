// member_view: the members of a struct by their names, with other types. named_view: how a loss sees a struct that is
// no template over its element tag.
#pragma once

#include <etch/core/argument.hpp>
#include <etch/core/listed.hpp>

#include <boost/hana/unpack.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class S, class... X>
constexpr auto functions_are_not_viewed() {
  static_assert(
      never<S, X...>,
      "etch: a loss sees the members of this struct and none of its functions, since the struct is no template whose "
      "members all follow its number type: write `template <class T> struct ...` with members `T name`, "
      "`etch::param<T, ...> name` or other structs over T; integers are arguments of their own");
  return mistake{};
}
}  // namespace error

namespace detail {

/// Member `I` of a view, where no name of it is known to the compiler.
template <class Part, std::size_t I>
struct unnamed_part {
  Part value;
  constexpr auto& etch_value() { return value; }
  constexpr auto const& etch_value() const { return value; }
};
/// Member `I` of a view of `S`, of type `Part`.
template <class S, std::size_t I, class Part>
struct view_part {
  using type = unnamed_part<Part, I>;
};
template <has_listed_members S, std::size_t I, class Part>
struct view_part<S, I, Part> {
  using type = typename S::hana_accessors_impl::template etch_part<Part, static_cast<int>(I)>;
};
/// The members of a view: `r.a` is one of them.
template <class S, class Indices, class... Parts>
struct view_parts;
template <class S, std::size_t... I, class... Parts>
struct view_parts<S, std::index_sequence<I...>, Parts...> : view_part<S, I, Parts>::type... {};

}  // namespace detail

/// A struct with the member names of the reflected struct `S`, and members of the types `Parts`: `r.a` where
/// ETCH_MEMBERS lists them, else `boost::hana::at_key(r, name)` or `r[name]` with a Hana string. It is a Hana Struct
/// itself, and has none of the functions of `S`.
template <reflected S, class... Parts>
struct member_view : detail::view_parts<S, std::index_sequence_for<Parts...>, Parts...> {
  template <class Name>
  constexpr auto operator[](Name) const {
    constexpr std::size_t at = position<Name>();
    if constexpr (at < member_count<S>) return part<at>(*this);
    else return error::member_does_not_exist<S, Name>();
  }

  /// Member `I` of the view `v`.
  template <std::size_t I>
  static constexpr auto& part(member_view& v) {
    return static_cast<part_type<I>&>(v).etch_value();
  }
  template <std::size_t I>
  static constexpr auto const& part(member_view const& v) {
    return static_cast<part_type<I> const&>(v).etch_value();
  }

 private:
  template <std::size_t I>
  using part_type = typename detail::view_part<S, I, std::tuple_element_t<I, std::tuple<Parts...>>>::type;

  template <class Name>
  static consteval std::size_t position() {
    std::size_t at = member_count<S>;
    for_each_member<S>([&](auto i) {
      if (member_name<S, i>() == boost::hana::to<char const*>(Name{})) at = i;
    });
    return at;
  }
};

namespace detail {

template <class S, class Indices = std::make_index_sequence<member_count<S>>>
struct traced_members;
template <class S, std::size_t... I>
struct traced_members<S, std::index_sequence<I...>> {
  using type = member_view<S, typename argument<member_type<S, I>>::traced...>;
};

}  // namespace detail

/// The view that a lambda has of a reflected struct `S` that is no template over its element tag: its members alone.
template <reflected S>
struct named_view : detail::traced_members<S>::type {
  /// A view has no functions.
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    error::functions_are_not_viewed<S, X...>();
    [[maybe_unused]] auto const note = [](auto const& each) {
      if constexpr (requires { each.owner->mistaken; })
        if (each.owner != nullptr) each.owner->mistaken = true;
    };
    with_members<S>([&](auto... i) { (note(named_view::template part<i>(*this)), ...); });
    if constexpr (sizeof...(X) > 0) return std::get<0>(std::tie(x...));
    else return expr<double>{};
  }
};

namespace detail {

/// The parts of the view of a traced struct's view have the names of that struct.
template <class S, std::size_t I, class Part>
struct view_part<named_view<S>, I, Part> : view_part<S, I, Part> {};

}  // namespace detail

ETCH_NAMESPACE_END

namespace boost::hana {

template <class S, class... Parts>
struct accessors_impl<etch::member_view<S, Parts...>> {
  template <std::size_t I>
  struct get {
    template <class R>
    constexpr decltype(auto) operator()(R&& r) const {
      return etch::member_view<S, Parts...>::template part<I>(r);
    }
  };
  static constexpr auto apply() {
    return etch::with_members<S>(
        [](auto... i) { return make_tuple(make_pair(first(at_c<i>(accessors<S>())), get<i>{})...); });
  }
};
template <class S>
struct accessors_impl<etch::named_view<S>> : accessors_impl<typename etch::detail::traced_members<S>::type> {};

}  // namespace boost::hana

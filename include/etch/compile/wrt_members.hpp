// wrt_members: gradients of some members of an argument; the others are frozen, and cost nothing.
#pragma once

#include <etch/core/member_path.hpp>
#include <etch/compile/program_error.hpp>
#include <etch/compile/gradient.hpp>

ETCH_NAMESPACE_BEGIN

/// The members of the argument at a position to differentiate, by name: `compile<wrt_members<0, "head",
/// "body.bias">>(loss, model, x)`. Each has its own gradient, of its own type: `step.grad<"head">()`; no other member
/// of the argument takes part in the way back.
template <int Position, member_path... Path>
struct wrt_members {
  static constexpr int count = sizeof...(Path);
};

namespace detail {

/// A loss as a function of some members of argument `Position`, behind which come all its arguments: in that
/// one, the members take their places.
template <class F, int Position, class A, member_path... Path>
struct loss_of_members {
  [[no_unique_address]] F f;

  constexpr auto operator()(auto const&... all) const {
    auto const given = std::tie(all...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return f(with_members(given, std::integral_constant<std::size_t, I>{})...);
    }(std::make_index_sequence<sizeof...(all) - sizeof...(Path)>{});
  }

 private:
  template <std::size_t I>
  static constexpr auto with_members(auto const& given, std::integral_constant<std::size_t, I>) {
    auto argument = std::get<sizeof...(Path) + I>(given);
    if constexpr (I == Position)
      [&]<std::size_t... M>(std::index_sequence<M...>) {
        ((part_of<A, Path>(argument) = std::get<M>(given)), ...);
      }(std::index_sequence_for<decltype(named<Path>{})...>{});
    return argument;
  }
};

/// The members of argument `Position` that are arguments by themselves.
template <int Position, member_path... Path>
struct members_as_parts {
  static constexpr int count = sizeof...(Path);
  static constexpr sequence<char> name(int part) {
    sequence<char> text;
    append_text(text, "argument "), append_text(text, Position);
    std::string_view left = std::array{Path.view()...}[static_cast<std::size_t>(part)];
    while (!left.empty()) {
      std::string_view const step = left.substr(0, left.find('.'));
      bool const is_position = position_in(step) >= 0;
      append_text(text, is_position ? "[" : "."), append_text(text, step), append_text(text, is_position ? "]" : "");
      left.remove_prefix(std::min(left.size(), step.size() + 1));
    }
    return text;
  }
};
template <class F, int Position, class A, member_path... Path>
struct parts_of_loss<loss_of_members<F, Position, A, Path...>> {
  using type = members_as_parts<Position, Path...>;
};

/// Gradients are called by the names of their members.
template <class Program, int Position, member_path... Path, class... A>
struct gradients_checked<Program, wrt_members<Position, Path...>, A...> {
  static constexpr void for_each(auto f) { for_each_of(f, std::make_integer_sequence<int, sizeof...(Path)>{}); }

 private:
  template <int... J>
  static constexpr void for_each_of(auto f, std::integer_sequence<int, J...>) {
    using of = std::tuple_element_t<Position, std::tuple<A...>>;
    (f(std::integral_constant<int, J>{}, std::type_identity<part_type<of, Path>>{}, Path.view()), ...);
  }
};

/// The type of a member's gradient; a number for one that does not exist.
template <class A, member_path Path>
consteval auto gradient_type_of_part() {
  if constexpr (has_part<A, Path>()) return std::type_identity<typename argument<part_type<A, Path>>::gradient>{};
  else return std::type_identity<double>{};
}
template <class A, member_path Path>
using gradient_of_part = typename decltype(gradient_type_of_part<A, Path>())::type;

/// A program whose first arguments are members of a later one, called with that one alone.
template <class Program, int Position, class A, member_path... Path>
class program_of_members : public Program {
 public:
  /// Value and gradients at `arguments`, those that the loss takes; a destination may follow
  /// them, with a target for each member.
  template <class... Given>
  [[gnu::always_inline]] inline typename Program::returned_type operator()(Given const&... given) {
    auto const& from = std::get<Position>(std::tie(given...));
    return Program::template call<members_as_parts<Position, Path...>>(part_of<A, Path>(from)..., given...);
  }
  /// The gradient with respect to a member, or to the one named at position `J`, as of the
  /// last call without a destination.
  template <int J>
  auto const& grad() const {
    return Program::template grad<J>();
  }
  template <member_path Name>
  auto const& grad() const {
    constexpr int at = position_of(Name.view());
    if constexpr (at < static_cast<int>(sizeof...(Path))) return Program::template grad<at>();
    else
      return no_gradient<gradient_of_part<A, Name>,
                         decltype(error::gradient_was_not_asked_for<named<Name>, wrt_members<Position, Path...>>())>;
  }

 private:
  static constexpr int position_of(std::string_view name) {
    int at = 0;
    static_cast<void>(((Path.view() == name || (++at, false)) || ...));
    return at;
  }
};

/// Stands for a program that a mistake prevents; `Of` is the argument whose members were named.
template <class Of, class... A>
struct no_program_of_members : no_program<A...> {
  template <int J>
  auto const& grad() const {
    return no_program<A...>::template grad<J>();
  }
  template <member_path Name>
  auto const& grad() const {
    return no_gradient<gradient_of_part<Of, Name>, error::mistake>;
  }
};

/// The meaning of a `wrt_members`: positions of the members, which come before the arguments.
template <int Position, member_path... Path>
struct members_first<wrt_members<Position, Path...>> {
  template <std::size_t... I>
  static wrt<static_cast<int>(I)...> positions(std::index_sequence<I...>);
  using wanted = decltype(positions(std::index_sequence_for<decltype(named<Path>{})...>{}));

  /// The argument whose members are named; a number where there is none at that position.
  template <class... A>
  using argument_of =
      std::tuple_element_t<names_arguments<wrt<Position>, A...> ? Position : sizeof...(A), std::tuple<A..., double>>;

  /// The mistake in `F` for arguments of types `A`, as a type; the rest is found where the loss of members is compiled.
  /// Without an `F`, in the names alone.
  template <class F, class... A>
  static constexpr auto find_mistake() {
    constexpr bool is_asked = !std::is_void_v<F>;
    if constexpr (!is_sound<F, A...>()) {
      return error::mistake{};
    } else if constexpr (is_asked && (!std::is_empty_v<F> || !std::is_default_constructible_v<F>)) {
      return error::loss_captures_values<F>();
    } else if constexpr (sizeof...(Path) == 0) {
      return error::no_member_is_named<wrt_members<Position>>();
    } else if constexpr (!names_arguments<wrt<Position>, A...>) {
      return error::wrt_is_out_of_range<wrt<Position>, A...>();
    } else if constexpr (!takes<F, A...>()) {
      return error::loss_does_not_take_the_arguments<F, typename argument<A>::traced...>();
    } else {
      using of = argument_of<A...>;
      constexpr fixed<bool, sizeof...(Path)> exists{has_part<of, Path>()...};
      constexpr std::size_t missing = first_false(exists);
      if constexpr (missing < sizeof...(Path))
        return error::member_does_not_exist<of, std::tuple_element_t<missing, std::tuple<named<Path>...>>>();
      else {
        constexpr fixed<std::size_t, 2> pair = overlapping<of>();
        using names = std::tuple<named<Path>..., void*>;
        if constexpr (pair[0] < sizeof...(Path))
          return error::members_overlap<of, std::tuple_element_t<pair[0], names>,
                                        std::tuple_element_t<pair[1], names>>();
        else return no_mistake{};
      }
    }
  }
  /// `then(type of the argument, loss of members, members..., arguments...)`, where there is no mistake.
  template <class F, class... A>
  static constexpr auto with(F const& f, auto then, A const&... arguments) {
    using of = argument_of<A...>;
    auto const& from = std::get<Position>(std::tie(arguments...));
    return then(std::type_identity<of>{}, loss_of_members<F, Position, of, Path...>{f}, part_of<of, Path>(from)...,
                arguments...);
  }
  template <class Program, class A>
  using program_for = program_of_members<Program, Position, A, Path...>;

 private:
  template <class F, class... A>
  static consteval bool is_sound() {
    if constexpr (std::is_void_v<F>) return true;
    else return are_sound<A...>();
  }
  template <class F, class... A>
  static consteval bool takes() {
    if constexpr (std::is_void_v<F>) return true;
    else return requires(F f, typename argument<A>::traced const&... x) { f(x...); };
  }
  /// The first two paths of which one is in the other.
  template <class Of>
  static constexpr fixed<std::size_t, 2> overlapping() {
    constexpr std::size_t count = sizeof...(Path);
    auto const with_all = []<member_path One>() { return fixed<bool, count>{overlap<Of, One, Path>()...}; };
    fixed<fixed<bool, count>, count> const table { with_all.template operator()<Path>()... };
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t i = 0; i < j; ++i)
        if (table[i][j]) return {i, j};
    return {count, count};
  }
  static constexpr std::size_t first_false(fixed<bool, sizeof...(Path)> const& all) {
    std::size_t at = 0;
    while (at < sizeof...(Path) && all[at]) ++at;
    return at;
  }
};

template <class F, int Position, member_path... Path, class Settings>
struct gradient_function<F, wrt_members<Position, Path...>, Settings> {
  using first = members_first<wrt_members<Position, Path...>>;

  template <class... A>
  constexpr auto operator()(A const&... arguments) const {
    if constexpr (!std::is_same_v<decltype(first::template find_mistake<F, A...>()), no_mistake>)
      return value_with_gradient<double, double>{};
    else
      return first::with(
          F{},
          []<class Of, class Loss>(std::type_identity<Of>, Loss, auto const&... all) {
            return gradient_function<Loss, typename first::wanted, Settings>{}(all...);
          },
          arguments...);
  }
  constexpr auto gradient_at_arguments(auto const&... arguments) const { return (*this)(arguments...).grad; }
};

}  // namespace detail

/// Compiles a program for some members of an argument: `Wrt` is a `wrt_members`.
template <detail::names_members Wrt, class... Options, class F, class... A>
[[gnu::always_inline]] constexpr decltype(auto) compile(F, A const&... arguments) {
  using first = detail::members_first<Wrt>;
  using settings = detail::settings<Options...>;
  if constexpr (!std::is_same_v<decltype(first::template find_mistake<F, A...>()), detail::no_mistake>) {
    return detail::no_program_of_members<typename first::template argument_of<A...>, A...>{};
  } else {
    auto const program_type = []<class Of, class Loss>(std::type_identity<Of>, Loss loss, auto const&... all) {
      using program = decltype(compile<typename first::wanted, detail::about_the_graph<Options>...>(loss, all...));
      if constexpr (requires { typename program::executable; })
        return std::type_identity<typename first::template program_for<detail::plain_program<program>, Of>>{};
      else return std::type_identity<detail::no_program_of_members<Of, A...>>{};
    };
    using program = typename decltype(first::with(F{}, program_type, arguments...))::type;
    if constexpr (requires { typename program::executable; })
      return detail::make_program<program, settings, F, F, Wrt, A...>();
    else return program{};
  }
}

ETCH_NAMESPACE_END

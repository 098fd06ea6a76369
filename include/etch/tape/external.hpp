// external: a function with a derivative written by hand, as one entry of a tape.
#pragma once

#include <etch/tape/structure.hpp>

ETCH_NAMESPACE_BEGIN
namespace error {

template <class F>
constexpr auto function_on_tape_owns_something() {
  static_assert(
      never<F>,
      "etch: a function kept on a tape owns something: it is copied into the tape's memory and never destroyed; let it "
      "refer to what lives elsewhere");
  return mistake{};
}
template <class R, class... A>
constexpr auto pullback_gives_not_one_adjoint_each() {
  static_assert(never<R, A...>,
                "etch: the pullback of an external function gives one adjoint for each operand, as a tuple where there "
                "are several");
  return mistake{};
}
template <class Y>
constexpr auto external_result_is_unknown() {
  static_assert(never<Y>, "etch: an external function returns a number or a tensor of the tape's element type");
  return mistake{};
}

}  // namespace error
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// The view that an external function has of an operand: numbers are of the tape's type.
template <class T, class X>
using given_as = std::conditional_t<scalar<X>, T, typename off_tape<X>::type>;

/// The value of an operand as an external function sees it: a number, or a tensor by reference.
template <class A>
decltype(auto) read_as(std::byte const* entries) {
  if constexpr (scalar<A>) return A(*reinterpret_cast<A const*>(entries));
  else return (*reinterpret_cast<A const*>(entries));
}
template <class T, class A>
strided_value located_in(A const& value) {
  if constexpr (scalar<A>) return contiguous(element_of<T>, shape{}, const_cast<A*>(&value));
  else return contiguous(element_of<T>, A::extent, const_cast<T*>(value.data()));
}

/// `Y` is the type of the result, `A` those of the operands.
template <class T, class Pullback, class Y, class... A>
struct external_entry : external<T> {
  static constexpr int arity = static_cast<int>(sizeof...(A));
  Pullback pullback;
  int result = 0;
  fixed<int, arity> operands;
  fixed<std::byte const*, arity> values;
  std::byte const* value = nullptr;

  explicit external_entry(Pullback f) : external<T>{run}, pullback(f) {}

  template <class R>
  static consteval bool gives_each() {
    if constexpr (etch::detail::is_tuple<R>) return std::tuple_size_v<R> == sizeof...(A);
    else return sizeof...(A) == 1;
  }
  static void run(external<T>& self, tape_state<T>& l) {
    external_entry& e = static_cast<external_entry&>(self);
    recorder<T>& nodes = l.nodes();
    if (nodes.adjoints.of(e.result) == nullptr) return;
    T const* const g = nodes.adjoints.of_or_zeros(e.result);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const returned = e.pullback(read_as<Y>(reinterpret_cast<std::byte const*>(g)), read_as<Y>(e.value),
                                       read_as<A>(e.values[I])...);
      using R = std::remove_const_t<decltype(returned)>;
      if constexpr (!gives_each<R>()) error::pullback_gives_not_one_adjoint_each<R, A...>();
      else if constexpr (etch::detail::is_tuple<R>) (arrive<A>(nodes, e.operands[I], std::get<I>(returned)), ...);
      else (arrive<A>(nodes, e.operands[I], returned), ...);
    }(std::index_sequence_for<A...>{});
    nodes.adjoints.release(e.result);
  }
  /// Adjoints of labels and indices are not read.
  template <class Operand, class G>
  static void arrive(recorder<T>& nodes, int operand, G const& g) {
    if constexpr (std::same_as<Operand, T> || requires { requires std::same_as<typename Operand::value_type, T>; })
      nodes.adjoints.arrive(operand, located_in<T>(static_cast<Operand const&>(Operand(g))));
  }
};

/// `f` at the values of `x`, with `pullback` for the way back.
template <class T, class F, class Pullback, class... X>
auto recorded_externally(tape_state<T>& l, F&& f, Pullback pullback, X const&... x) {
  if constexpr (!std::is_trivially_destructible_v<Pullback>) error::function_on_tape_owns_something<Pullback>();
  recorder<T>& nodes = l.nodes();
  fixed<int, static_cast<int>(sizeof...(X))> const operands{l.node_of(x)...};
  fixed<std::byte const*, static_cast<int>(sizeof...(X))> values;
  bool is_active = false;
  for (std::size_t i = 0; i < sizeof...(X); ++i) {
    values[i] = nodes.settled(operands[i]);
    is_active = is_active || nodes.records[operands[i]].is_active;
  }
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto const y = f(read_as<given_as<T, X>>(values[I])...);
    using Y = std::conditional_t<scalar<std::remove_const_t<decltype(y)>>, T, std::remove_const_t<decltype(y)>>;
    if constexpr (!scalar<Y> && !requires { argument<Y>::traced::extent; }) {
      return error::external_result_is_unknown<Y>();
    } else {
      Y const typed = static_cast<Y>(y);
      strided_value const from = located_in<T>(typed);
      std::byte* const entries = nodes.room(element_of<T>, from.extent);
      copy(contiguous(element_of<T>, from.extent, entries), from);
      nodes.records.reserve(2);  // both or none
      if (is_active) {
        using entry = external_entry<T, Pullback, Y, given_as<T, X>...>;
        entry* const made = new (l.memory.give(sizeof(entry))) entry(pullback);
        made->operands = operands;
        made->values = values;
        made->value = entries;
        made->result = nodes.entry(*made) + 1;
      }
      int const id = nodes.leaf(element_of<T>, from.extent, entries, is_active);
      nodes.records[id].is_kept = is_active;
      return variables_at<Y>(nodes.graph(), &id);
    }
  }(std::index_sequence_for<X...>{});
}

}  // namespace dynamic
ETCH_NAMESPACE_END

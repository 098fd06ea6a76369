// plain_call: a transformation of a function called with numbers, tensors, Eigen's types and structs: a program without
// gradients, whose results are structures of the arguments' types.
#pragma once

#include <etch/compile/gradient.hpp>
#include <etch/compile/program.hpp>
#include <etch/transform/inner_function.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// The type that a program hands out for a traced result: a number, a tensor, or a structure of them.
template <class R>
struct plain_result {
  using type = typename rebind<R, typename first_parameter<R>::type::scalar_type>::type;
};
template <scalar R>
struct plain_result<R> {
  using type = R;
};
template <static_handle R>
struct plain_result<R>
    : decltype(result_type<
               std::conditional_t<std::same_as<typename R::scalar_type, undetermined>, double, typename R::scalar_type>,
               R::extent>()) {};
template <class... R>
struct plain_result<std::tuple<R...>> {
  using type = std::tuple<typename plain_result<R>::type...>;
};
template <class R, std::size_t N>
struct plain_result<std::array<R, N>> {
  using type = std::array<typename plain_result<R>::type, N>;
};

/// The result of `F` for arguments of types `A`, as a program hands it out.
template <class F, class... A>
using plain_result_of = typename plain_result<std::remove_cvref_t<decltype(std::declval<F const&>()(
    std::declval<typename argument<A>::traced const&>()...))>>::type;

/// The leaves of a structure, one after the other.
template <class S>
constexpr auto leaves_in(S const& s) {
  if constexpr (static_handle<S> || scalar<S>) return std::tuple<S>(s);
  else if constexpr (stateless<S>) return std::tuple<>();
  else if constexpr (requires { parts_of_result(s); }) return leaves_in(parts_of_result(s));
  else
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(leaves_in(part_of<I>(s))...);
    }(indices_of<S>());
}

/// By leaf of `P`: 1 if its memory holds the transpose of what is traced.
template <class P>
inline constexpr auto turned_leaves = [] {
  fixed<char, pass::leaf_count<P>() + 1> all;
  for (char& each : all.entry) each = 0;
  graph g;
  int position = 0;
  sequence<int> turned;
  static_cast<void>(argument<P>::trace(pass::turned_leaf_maker<pass::leaf_maker>{{&g, &position}, &turned}));
  for (int leaf : turned) all.entry[leaf] = 1;
  return all;
}();

/// The transformation `F` as a loss that returns the leaves of what `F` returns, in the order and the orientation that
/// they have in a value of type `Values`. Leaves of integers, whose derivative is zero, are left out.
template <class F, class Values>
struct leaves_of_result {
  using values = Values;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    auto const leaves = leaves_in(F{}(x...));
    auto const oriented = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      auto const& leaf = std::get<I>(leaves);
      using Leaf = std::remove_cvref_t<decltype(leaf)>;
      if constexpr (!std::is_floating_point_v<typename operand_traits<Leaf>::scalar_type>) return std::tuple<>();
      else if constexpr (turned_leaves<Values>.entry[I] != 0) return std::tuple(etch::transpose(leaf));
      else return std::tuple<Leaf>(leaf);
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(oriented(std::integral_constant<std::size_t, I>{})...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(leaves)>>>{});
  }
};

/// A function object that says itself what it returns for plain arguments.
template <class F, class... A>
concept transformation = requires { typename F::template values<A...>; };

template <class F, class... A>
  requires(transformation<F, A...>)
struct loss_of<F, A...> {
  using type = leaves_of_result<F, typename F::template values<A...>>;
};

/// `F` of plain arguments: computed without allocation, also in constant evaluation.
template <class F, class... A>
constexpr auto plain_call(F const&, A const&... arguments) {
  return gradient_function<typename loss_of<F, A...>::type, wrt<>, settings<>>{}.values_at(arguments...);
}

}  // namespace detail
ETCH_NAMESPACE_END

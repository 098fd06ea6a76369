// visit_leaves, and the arithmetic of structs: what the operators that ETCH_MEMBERS gives a struct do, leaf by leaf.
#pragma once

#include <etch/core/plain_reductions.hpp>
#include <etch/core/named_view.hpp>

ETCH_NAMESPACE_BEGIN

/// Calls `f(leaf, more leaves...)` by reference for every leaf of a struct, an array or a tuple, in order: a tensor, a
/// number, an Eigen matrix; in traced structs a traced value, on a tape a variable. `more` are of the same structure.
/// Anything else is a leaf itself.
template <class F, class S, class... More>
constexpr void visit_leaves(F&& f, S&& s, More&&... more) {
  using Plain = std::remove_cvref_t<S>;
  if constexpr (reflected<Plain>) {
    for_each_member<Plain>([&](auto i) { visit_leaves(f, member<i>(s), member<i>(more)...); });
  } else if constexpr (detail::is_tuple<Plain>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const part = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        visit_leaves(f, std::get<J>(s), std::get<J>(more)...);
      };
      (part(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<std::tuple_size_v<Plain>>{});
  } else if constexpr (!std::is_empty_v<Plain>) {
    f(s, more...);
  }
}

namespace error {
template <class Leaf>
constexpr auto leaf_has_no_arithmetic() {
  static_assert(never<Leaf>,
                "etch: a struct with a member of this type cannot be added or scaled: its leaves are numbers, tensors, "
                "Eigen matrices that own "
                "their entries, or traced values");
  return mistake{};
}
}  // namespace error

namespace detail {

/// The entries of a leaf of plain numbers, and how many they are.
constexpr auto* entries_of(auto& x) {
  if constexpr (std::is_arithmetic_v<std::remove_reference_t<decltype(x)>>) return &x;
  else return x.data();
}
constexpr std::size_t entry_count(auto const& x) {
  if constexpr (std::is_arithmetic_v<std::remove_reference_t<decltype(x)>>) return 1;
  else return static_cast<std::size_t>(x.size());
}

template <class X>
inline constexpr bool is_tensor = false;
template <class T, int... Dims>
inline constexpr bool is_tensor<tensor<T, Dims...>> = true;
template <class X>
concept owning_eigen = requires { typename X::PlainObject; } && std::same_as<X, typename X::PlainObject>;

/// The element type of a leaf.
template <class X>
struct element_type_of {
  using type = X;
};
template <class X>
  requires requires { typename X::scalar_type; }
struct element_type_of<X> {
  using type = typename X::scalar_type;
};
template <class X>
  requires(
      !requires { typename X::scalar_type; } && requires { typename X::Scalar; })
struct element_type_of<X> {
  using type = typename X::Scalar;
};

/// Replaces a leaf by `f(leaf, of...)`, entry by entry where it is plain. Integers, which are labels, stay.
template <class X>
constexpr void replace_leaf(auto f, X& leaf, auto const&... of) {
  if constexpr (!std::is_floating_point_v<typename element_type_of<X>::type>) {
    if constexpr (!scalar<typename element_type_of<X>::type>) error::leaf_has_no_arithmetic<X>();
  } else if constexpr (handle<X>) {
    leaf = f(leaf, of...);
  } else if constexpr (scalar<X> || is_tensor<X> || owning_eigen<X>) {
    using T = typename element_type_of<X>::type;
    T* const y = entries_of(leaf);
    for (std::size_t i = 0; i < entry_count(leaf); ++i) y[i] = static_cast<T>(f(y[i], entries_of(of)[i]...));
  } else {
    error::leaf_has_no_arithmetic<X>();
  }
}

/// `a` with `f` of its own leaves and those of `more` in the place of each.
template <class S>
constexpr S leafwise(auto f, S const& a, auto const&... more) {
  S y = a;
  visit_leaves([&](auto& leaf, auto const&... of) { replace_leaf(f, leaf, of...); }, y, more...);
  return y;
}

template <class S>
constexpr S sum_of(S const& a, S const& b) {
  return leafwise([](auto const& x, auto const& y) { return x + y; }, a, b);
}
template <class S>
constexpr S difference_of(S const& a, S const& b) {
  return leafwise([](auto const& x, auto const& y) { return x - y; }, a, b);
}
template <class S>
constexpr S negative_of(S const& a) {
  return leafwise([](auto const& x) { return -x; }, a);
}
template <class S>
constexpr S multiple_of(S const& a, auto const& s) {
  return leafwise([&](auto const& x) { return x * s; }, a);
}
template <class S>
constexpr S quotient_of(S const& a, auto const& s) {
  return leafwise([&](auto const& x) { return x / s; }, a);
}

/// Whether the leaves of `S` are plain numbers.
template <class S>
inline constexpr bool is_plain = !handle<typename factor_type<S>::type>;

/// Calls `f` with every floating entry of plain leaves, and with its fellow in `b`, in double.
template <class S>
constexpr void visit_entries(S const& a, S const& b, auto f) {
  visit_leaves(
      [&]<class X>(X const& x, X const& y) {
        if constexpr (std::is_floating_point_v<typename element_type_of<X>::type>)
          for (std::size_t i = 0; i < entry_count(x); ++i)
            f(static_cast<double>(entries_of(x)[i]), static_cast<double>(entries_of(y)[i]));
      },
      a, b);
}

}  // namespace detail

/// The sum of products of the leaves of two structs, entry by entry; integers do not count. A number of the struct's
/// element type (double for a struct that is no template), traced or recorded where the leaves are.
template <reflected S>
constexpr auto dot(S const& a, S const& b) {
  using number = typename detail::factor_type<S>::type;
  if constexpr (detail::is_plain<S>) {
    double total = 0;
    detail::visit_entries(a, b, [&](double x, double y) { total += x * y; });
    return static_cast<number>(total);
  } else {
    number total{};
    visit_leaves(
        [&]<class X>(X const& x, X const& y) {
          if constexpr (tape_scalar<X>) total = total + x * y;
          else if constexpr (std::is_floating_point_v<typename X::scalar_type>)
            total = total + sum(cwise_product(x, y));
        },
        a, b);
    return total;
  }
}

/// The sum of squares of all entries of a struct.
template <reflected S>
constexpr auto squared_norm(S const& a) {
  return dot(a, a);
}

/// The Euclidean norm of all entries of a struct together; 0 with gradient 0 for zeros.
template <reflected S>
constexpr auto norm(S const& a) {
  using number = typename detail::factor_type<S>::type;
  if constexpr (detail::is_plain<S>) {
    double largest = 0, total = 0;
    detail::visit_entries(a, a, [&](double x, double) { largest = detail::larger_size(largest, x); });
    double const scale = detail::norm_scale(largest);
    if (scale == 0) return static_cast<number>(largest);
    detail::visit_entries(a, a, [&](double x, double) { total += (scale * x) * (scale * x); });
    return static_cast<number>(math::sqrt(total) / scale);
  } else {
    number total{};
    visit_leaves(
        [&]<class X>(X const& x) {
          if constexpr (tape_scalar<X>) total = hypot(total, x);
          else if constexpr (std::is_floating_point_v<typename X::scalar_type>) total = hypot(total, norm(x));
        },
        a);
    return total;
  }
}

ETCH_NAMESPACE_END

// Functions that a user gives for each entry, and loops over the entries of a vector.
#pragma once

#include <etch/op/concat.hpp>
#include <etch/op/eigen/assign.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// The results of a function for the entries of `x`, in the shape of `x`: it may have given one number for all.
template <static_handle X, class Y>
constexpr auto of_shape(X const& x, Y const& y) {
  auto const whole = [&] {
    if constexpr (scalar<Y>)
      return computed<X::extent>(x, [&](term t) { return constant(*t.owner, t->type, static_cast<double>(y)); });
    else return computed<X::extent>(y, [](term t) { return fit(t, X::extent); });
  }();
  if constexpr (X::elementwise_product) return whole.array();
  else return whole.matrix();
}

/// `f(entries...)` of every position, where `f` takes scalars alone, such as `[](T x) { ... }`.
template <static_handle X, class F, class... More>
constexpr auto entry_by_entry(F const& f, X const& x, More const&... more) {
  constexpr int rows = X::extent[0], cols = X::extent[1];
  auto const at = [&](int k) {
    auto const first = as_matrix(x)(k % rows, k / rows);
    return reshape<1, 1>(of_shape(first, f(first, as_matrix(more)(k % rows, k / rows)...)));
  };
  auto const all = [&]<int... K>(std::integer_sequence<int, K...>) {
    return concat<0>(at(K)...);
  }(std::make_integer_sequence<int, rows * cols>{});
  return of_shape(x, computed<X::extent>(all, [](term t) { return emit_to<op::reshape>(X::extent, t); }));
}

/// Goes over the entries of a vector; they are values, so a loop may not assign to them.
template <static_handle X>
struct entry_iterator {
  using difference_type = std::ptrdiff_t;
  using value_type = decltype(std::declval<X const&>()(0));

  X const* of;
  std::ptrdiff_t at;

  constexpr value_type const operator*() const { return (*of)(at); }  // const: assigned to, it would be lost
  constexpr entry_iterator& operator++() {
    ++at;
    return *this;
  }
  constexpr entry_iterator operator++(int) {
    auto const before = *this;
    ++at;
    return before;
  }
  friend constexpr bool operator==(entry_iterator const& a, entry_iterator const& b) { return a.at == b.at; }
};

}  // namespace detail

/// `f` is called once with all entries as an array, so what it does is done entry by entry; if it takes
/// scalars alone, once for each entry.
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::unaryExpr(auto const& f) const {
  if constexpr (requires { f(self().array()); }) return detail::of_shape(self(), f(self().array()));
  else return detail::entry_by_entry(f, self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::binaryExpr(auto const& b, auto const& f) const {
  if constexpr (requires { f(self().array(), b.array()); })
    return detail::of_shape(self(), f(self().array(), b.array()));
  else return detail::entry_by_entry(f, self(), b);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::begin() const {
  if constexpr (!detail::is_vector<X>) error::not_a_vector<X>();
  return detail::entry_iterator<X>{&self(), 0};
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::end() const {
  return detail::entry_iterator<X>{&self(), X::extent.size()};
}

ETCH_NAMESPACE_END

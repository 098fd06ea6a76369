// along_diagonals: checks of sparse matrices of derivatives against columns taken one by one, and whether they go along
// diagonals.
#pragma once

#include <etch/sparse/diagonals.hpp>

#include "sparse_checks.hpp"

namespace along_diagonals {

using namespace etch;
using sparse_checks::fill;

inline constexpr auto chain = []<class X>(X const& x) {
  constexpr int n = X::extent[0];
  auto const here = x.template head<n - 1>(), next = x.template tail<n - 1>();
  return sum(100.0 * square(next - square(here)) + square(1.0 - here));
};

template <class Rule, class X, class... More>
constexpr bool goes_along_diagonals =
    etch::detail::diagonals_of_derivative<Rule, etch::detail::pattern_of_derivative<Rule, X, More...>, X,
                                          More...>::exist;

template <bool AlongDiagonals = true, class F, class X, class... More>
void check_hessian(F const& f, X const& x, More const&... more) {
  CHECK(goes_along_diagonals<etch::detail::hessian_rule<F>, X, More...> == AlongDiagonals);
  auto p = sparse_hessian(f, x, more...);
  auto const dense = jacfwd(grad(f))(x, more...);
  auto const [value, gradient] = value_and_grad(f)(x, more...);
  for (int call = 0; call < 2; ++call) CHECK(sparse_checks::distance(p(x, more...), dense) < 1e-13);
  CHECK(p.value() == doctest::Approx(value).epsilon(1e-14));
  for (std::size_t i = 0; i < gradient.size(); ++i)
    CHECK(p.gradient().data()[i] == doctest::Approx(gradient.data()[i]).epsilon(1e-13));
  int entries = 0;
  for (double each : dense) entries += each != 0;
  CHECK(p.facts.nonzeros >= entries);
}
template <bool AlongDiagonals = true, class F, class X, class... More>
void check_jacobian(F const& f, X const& x, More const&... more) {
  CHECK(goes_along_diagonals<etch::detail::jacobian_rule<F>, X, More...> == AlongDiagonals);
  auto p = sparse_jacobian(f, x, more...);
  CHECK(sparse_checks::distance(p(x, more...), jacfwd(f)(x, more...)) < 1e-13);
  auto values = compile<wrt<>>(f, x, more...);
  auto const& y = values(x, more...);
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(p.value().data()[i] == doctest::Approx(y.data()[i]));
}
template <int... Dims>
tensor<double, Dims...> filled() {
  tensor<double, Dims...> x;
  fill(x);
  return x;
}

}  // namespace along_diagonals

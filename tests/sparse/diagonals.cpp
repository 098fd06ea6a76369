// Matrices of derivatives of functions of neighbours, along their diagonals: against columns taken one by one.
#include <etch/sparse/diagonals.hpp>

#include "sparse_checks.hpp"

using namespace etch;
using sparse_checks::fill;

namespace {

constexpr auto chain = []<class X>(X const& x) {
  constexpr int n = X::extent[0];
  auto const here = x.template head<n - 1>(), next = x.template tail<n - 1>();
  return sum(100.0 * square(next - square(here)) + square(1.0 - here));
};
constexpr auto curvature = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 2;
  return sum(square(exp(x.template head<n>()) - 2.0 * x.template segment<n>(1) + cos(x.template tail<n>())));
};
constexpr auto far_apart = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 5;
  return sum(cwise_product(square(x.template head<n>()), x.template tail<n>())) + sum(square(x));
};
constexpr auto no_main_diagonal = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 3;
  return dot(x.template head<n>(), x.template tail<n>());
};
constexpr auto with_constants = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 1;
  return sum(square(x)) + sum(exp(x)) + 3.0 * dot(x.template head<n>(), x.template tail<n>()) +
         sum(cwise_product(x.template head<n>(), cube(x.template tail<n>())));
};
/// Of some entries only; the matrix has empty columns.
constexpr auto in_the_middle = []<class X>(X const& x) {
  return sum(cwise_product(exp(x.template segment<6>(4)), x.template segment<6>(5)));
};
/// Four diagonals, and one more than an op has.
constexpr auto of_four = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 3;
  return sum(exp(x.template head<n>() + 0.5 * x.template segment<n>(1) + 0.25 * x.template segment<n>(2) +
                 0.125 * x.template tail<n>()));
};
constexpr auto of_five = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 4;
  return sum(exp(x.template head<n>() + 0.5 * x.template segment<n>(1) + 0.25 * x.template segment<n>(2) +
                 0.125 * x.template segment<n>(3) + x.template tail<n>()));
};
constexpr auto grid = []<class X>(X const& x) {
  constexpr int m = X::extent[0], n = X::extent[1];
  return sum(square(square(slice<0, 1, m - 1>(x)) - slice<0, 0, m - 1>(x))) +
         sum(exp(slice<1, 1, n - 1>(x) - 0.5 * slice<1, 0, n - 1>(x)));
};
constexpr auto weighted = [](auto const& x, auto const& w) {
  constexpr int n = std::remove_cvref_t<decltype(x)>::extent[0];
  return sum(cwise_product(w, sin(x.template tail<n - 1>() - x.template head<n - 1>())));
};

constexpr auto differences = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 1;
  return square(x.template tail<n>()) - exp(x.template head<n>());
};
constexpr auto upwards = []<class X>(X const& x) {  // more rows than columns
  return concat<0>(square(x), zeros<2>() + 0.0 * x.template head<2>()) +
         concat<0>(zeros<2>() + 0.0 * x.template head<2>(), sin(x));
};
constexpr auto heat = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 2;
  auto const inside = x.template segment<n>(1);
  return concat<0>(x.template head<1>(),
                   inside + 0.1 * (x.template head<n>() - 2.0 * inside + x.template tail<n>()) + square(inside),
                   x.template tail<1>());
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

}  // namespace

TEST_CASE("Hessians of chains") {
  check_hessian(chain, filled<40>());
  check_hessian(chain, filled<9>());
  check_hessian(curvature, filled<30>());
  check_hessian(far_apart, filled<25>());
  check_hessian(no_main_diagonal, filled<25>());
  check_hessian(in_the_middle, filled<25>());
  check_hessian(of_four, filled<30>());
  check_hessian(with_constants, filled<20>());
  check_hessian([](auto const& x) { return sum(square(x)) + sum(exp(x)); }, filled<12>());
  check_hessian([](auto const& x) { return 2.0 * sum(square(x)); }, filled<12>());
  check_hessian(weighted, filled<20>(), filled<19>());
}
TEST_CASE("Hessians of grids") {
  check_hessian(grid, filled<5, 6>());
  check_hessian(grid, filled<7, 4>());
}
TEST_CASE("other Hessians are found by colours") {
  check_hessian<false>(of_five, filled<30>());
  check_hessian<false>([](auto const& x) { return square(sum(x)); }, filled<12>());
}
TEST_CASE("Jacobians") {
  check_jacobian(differences, filled<30>());
  check_jacobian(upwards, filled<14>());
  check_jacobian(heat, filled<30>());
  check_jacobian([](auto const& x) { return 3.0 * x + exp(x); }, filled<12>());
}
TEST_CASE("what is not a number stays where it is") {
  auto x = filled<30>();
  auto p = sparse_hessian(chain, x);
  x(11) = std::nan("");
  auto const& h = p(x);
  for (int j = 0; j < 30; ++j)
    for (int i = std::max(0, j - 1); i < std::min(30, j + 2); ++i)
      CHECK(std::isnan(h.coeff(i, j)) == (std::min(i, j) == 11 || (i == j && i == 10)));
  x(11) = 0.5;
  CHECK(sparse_checks::distance(p(x), jacfwd(grad(chain))(x)) < 1e-13);
}

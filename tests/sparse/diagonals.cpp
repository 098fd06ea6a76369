// Sparse Hessians of grids and sparse Jacobians, along their diagonals; what has too many goes by colours.
#include "along_diagonals.hpp"

using namespace along_diagonals;

namespace {

/// One diagonal more than an op has.
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

}  // namespace

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

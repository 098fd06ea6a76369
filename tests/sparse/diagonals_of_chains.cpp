// Sparse Hessians of chains, along their diagonals.
#include "along_diagonals.hpp"

using namespace along_diagonals;

namespace {

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
/// Four diagonals, as many as an op has.
constexpr auto of_four = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 3;
  return sum(exp(x.template head<n>() + 0.5 * x.template segment<n>(1) + 0.25 * x.template segment<n>(2) +
                 0.125 * x.template tail<n>()));
};
constexpr auto weighted = [](auto const& x, auto const& w) {
  constexpr int n = std::remove_cvref_t<decltype(x)>::extent[0];
  return sum(cwise_product(w, sin(x.template tail<n - 1>() - x.template head<n - 1>())));
};

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

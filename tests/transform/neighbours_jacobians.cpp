// Jacobians of functions of neighbours.
#include "transform/neighbours.hpp"

using namespace etch;
using namespace neighbours;

TEST_CASE("Jacobians by shape are those by columns and by rows") {
  auto const check = [](auto f, auto const& x) {
    auto const by_shape = jacobian(f)(x), by_columns = jacfwd(f)(x), by_rows = jacrev(f)(x);
    REQUIRE(by_shape.size() == by_columns.size());
    for (std::size_t i = 0; i < by_shape.size(); ++i) {
      CHECK(by_shape[i] == doctest::Approx(by_columns[i]));
      CHECK(by_shape[i] == doctest::Approx(by_rows[i]));
    }
  };
  auto const differences = []<class X>(X const& x) {
    constexpr int n = X::extent[0];
    auto const here = x.template head<n - 1>(), next = x.template tail<n - 1>();
    return concat<0>(10 * (next - square(here)), 1 - here);
  };
  auto const x = same::filled_with<tensor<double, 19>>(7);
  auto const short_x = same::filled_with<tensor<double, 7>>(8);
  check(differences, x), check(differences, short_x);
  CHECK(is_along_diagonals(jacobian(differences), x));
  check([](auto v) { return cwise_product(sin(v), v); }, x),
      check([](auto v) { return cwise_product(sin(v), v); }, short_x);
  check([](auto v) { return v.template tail<4>(); }, short_x);
  auto const far = [](auto v) { return cwise_product(slice<0, 0, 6, 3>(v), exp(slice<0, 2, 6, 3>(v))); };
  check(far, x);
  check([](auto v) { return square(permute<1, 0>(reshape<3, 6>(v.template head<18>()))); }, x);
  check(
      [](auto v) {  // by columns, of a function that captures traced values
        auto const w = outer(linspace<9>(0.1, 0.9), v.template head<2>());
        return flatten(jacobian([&](auto u) { return sin(w * u); })(v.template tail<2>()));
      },
      short_x);
  check([](auto v) { return transpose(square(reshape<3, 6>(v.template head<18>()))); }, x);
}

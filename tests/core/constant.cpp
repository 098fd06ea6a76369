#include <etch/core/constant.hpp>

#include <doctest/doctest.h>

using namespace etch;

using pair = constant_expr<undetermined, false, 2>;

static_assert(constant_handle<pair> && static_handle<pair> && !constant_handle<expr<float, 2>> &&
              std::is_trivially_copyable_v<pair>);
static_assert(pair::untyped && !constant_expr<float, false, 2>::untyped && pair::owner == nullptr && pair::rows() == 2);
static_assert(
    std::is_same_v<decltype(make_constant<double, make_shape(2, 3), true>({})), constant_expr<double, true, 2, 3>>);
static_assert(std::is_same_v<decltype(make_constant<double, shape{}, true>({})), constant_expr<double, false>>,
              "a scalar is no array");
static_assert(std::is_same_v<decltype(pair().array().matrix()), pair> && decltype(pair().array())::elementwise_product);

// A value declared with its type may begin as a constant, of any type unless the constant has one.
static_assert(expr<float, 2>(pair(-1, 3)).immediate == 3 && expr<double, 2>(pair(-1, 3)).id == -1);
static_assert(expr<double, 2, 2>(constant_expr<undetermined, false, 2, 2>(identity_id, 3)).id == identity_id);
static_assert(!std::is_convertible_v<constant_expr<float, false, 2>, expr<double, 2>> &&
              std::is_convertible_v<constant_expr<float, false, 2>, expr<float, 2>>);
static_assert(!std::is_convertible_v<pair, expr<double, 3>> && !std::is_convertible_v<pair, double>);
static_assert(double(constant_expr<undetermined, false>(-1, 3)) == 3.0 && int(constant_expr<float, false>(-1, 3)) == 3);

TEST_CASE("a constant whose entries differ fits no declared type") {
  constant_expr<undetermined, false, 2> c;
  c.id = recipe_id;
  CHECK_THROWS_WITH_AS(static_cast<void>(expr<double, 2>(c)), doctest::Contains("declare it with auto"), exception);
}

#include <etch/core/symbol.hpp>

#include <etch/op/table.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;

// The same member declaration is storage in one world and a handle in the other.
static_assert(same<param<float, 3, 4>, tensor<float, 3, 4>> && same<param<double>, tensor<double>> &&
              same<param<int, 5>, tensor<int, 5>>);
static_assert(same<param<symbol<float>, 3, 4>, expr<float, 3, 4>> && same<param<symbol<double>>, expr<double>> &&
              same<param<symbol<int>, 2, 3, 4, 5>, expr<int, 2, 3, 4, 5>>);

// A symbol is a traced scalar itself.
static_assert(static_handle<symbol<float>> && std::is_base_of_v<expr<float>, symbol<float>> &&
              symbol<float>::extent.rank == 0);
static_assert(std::is_convertible_v<expr<float>, symbol<float>> &&
              !std::is_convertible_v<expr<double>, symbol<float>> &&
              !std::is_convertible_v<expr<float, 1>, symbol<float>>);
static_assert(sizeof(symbol<double>) == sizeof(expr<double>));

static_assert([] {
  graph g;
  symbol<double> s = expr<double>(&g, input(g, element::f64, make_shape(), 0).id);
  expr<double, 3> const x(&g, input(g, element::f64, make_shape(3), 1).id);
  auto const y = s * x + s;
  static_assert(same<decltype(y), expr<double, 3> const>);
  s = s * 2;  // what it computes is a symbol's value again
  s += 1;
  return y.owner == &g && is<op::add>(term{&g, s.id}) && is<op::mul>(term{&g, s.id}.operand(0)) &&
         term{&g, s.id}.operand(0).operand(0).id == 0;
}());

// Without a graph it is a constant, as every handle is.
static_assert(symbol<float>().immediate == 0 && symbol<float>(3).immediate == 3 && symbol<float>(3).owner == nullptr);

TEST_CASE("a symbol joins the graph of the tensor it scales") {
  graph g;
  expr<float, 2> const x(&g, input(g, element::f32, make_shape(2), 0).id);
  auto const y = symbol<float>(4) * x;
  REQUIRE(y.owner == &g);
  CHECK(is_constant(term{&g, y.id}.operand(0), 4));
}

}  // namespace

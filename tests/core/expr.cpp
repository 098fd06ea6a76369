#include <etch/core/expr.hpp>

#include <etch/op/table.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

// The type carries element type and shape, nothing else: handles of any shape are the same few words.
// A scalar knows its place as well.
static_assert(sizeof(expr<float, 2>) == sizeof(expr<double, 7, 6, 5, 4>) &&
              sizeof(array_expr<float, 9>) == sizeof(expr<float, 2>));
static_assert(sizeof(expr<float, 2>) == 3 * sizeof(void*) && sizeof(expr<float>) == 6 * sizeof(void*));
static_assert(std::is_trivially_copyable_v<expr<float, 3, 4>> && std::is_trivially_copyable_v<array_expr<float, 3, 4>>);
static_assert(expr<float, 3, 4>::extent == make_shape(3, 4) && expr<float>::extent.rank == 0);
static_assert(static_handle<expr<float, 3>> && static_handle<array_expr<int, 2, 2>> && handle<term> &&
              !static_handle<term> && !static_handle<float>);

// Scalars become handles of rank 0 by themselves, of higher rank only when asked.
static_assert(std::is_convertible_v<double, expr<float>> && !std::is_convertible_v<double, expr<float, 3>> &&
              std::is_constructible_v<expr<float, 3>, int>);
static_assert(!std::is_convertible_v<expr<float, 3>, expr<float, 4>> &&
              !std::is_convertible_v<expr<float>, expr<double>>);

static_assert(std::is_same_v<expr_type<float, make_shape(2, 5), false>::type, expr<float, 2, 5>>);
static_assert(std::is_same_v<expr_type<int, make_shape(), false>::type, expr<int>>);
static_assert(std::is_same_v<expr_type<double, make_shape(2, 5), true>::type, array_expr<double, 2, 5>>);

/// A traced input of the graph.
template <class T, int... Dims>
constexpr expr<T, Dims...> symbol_in(graph& g, int position) {
  return {&g, input(g, element_of<T>, make_shape(Dims...), position).id};
}

// The types of results follow from the types of operands.
template <class X>
X make() {
  return {};
}
template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;
static_assert(same<decltype(make<expr<float, 4, 3>>() * make<expr<float, 3>>()), expr<float, 4>>);
static_assert(same<decltype(make<expr<float, 4, 3>>() * make<expr<float, 3, 5>>()), expr<float, 4, 5>>);
static_assert(same<decltype(make<expr<float, 4, 1>>() + make<expr<float, 1, 5>>()), expr<float, 4, 5>>);
static_assert(same<decltype(2 * make<expr<float, 4, 3>>()), expr<float, 4, 3>> &&
              same<decltype(make<expr<float>>() * make<expr<float, 4, 3>>()), expr<float, 4, 3>>);
static_assert(
    same<decltype(make<expr<float, 4, 3>>().array() * make<expr<float, 4, 3>>().array()), array_expr<float, 4, 3>>);
static_assert(
    same<decltype((make<expr<float, 4, 3>>().array() + 1).matrix() * make<expr<float, 3>>()), expr<float, 4>>);
static_assert(same<decltype(tanh(make<expr<double, 6>>())), expr<double, 6>> &&
              same<decltype(sum(make<expr<double, 6>>())), expr<double>>);
static_assert(same<decltype(sum<0>(make<expr<double, 6, 2>>())), expr<double, 1, 2>> &&
              same<decltype(transpose(make<expr<double, 6>>())), expr<double, 1, 6>>);

// A scalar is no array, so that it scales matrices without making their products element-wise.
static_assert(same<expr_type<double, make_shape(), true>::type, expr<double>> &&
              same<decltype(make<expr<double>>().array()), expr<double>> &&
              same<decltype(sum(make<array_expr<double, 3, 3>>())), expr<double>>);
static_assert(
    same<decltype(make<expr<double, 3, 3>>() / sum(make<array_expr<double, 3, 3>>()) * make<expr<double, 3, 2>>()),
         expr<double, 3, 2>>);

// An array becomes a matrix where one is stored.
static_assert([] {
  graph g;
  auto const x = symbol_in<float, 3>(g, 0);
  expr<float, 3> h;
  h = x.array() * x.array();
  return h.owner == &g && is<op::mul>(term{&g, h.id});
}());

// No truth value comes of a handle by itself, nor a number.
static_assert(!std::is_convertible_v<expr<float>, bool> && !std::is_convertible_v<expr<double>, double> &&
              !std::is_convertible_v<expr<float>, int>);

// Without a graph a handle is a constant, zero by default, and constants compute with constants.
static_assert([] {
  expr<float> const zero, two = 2, three = 3;
  auto const six = two * three, half = three / two - 1;
  return zero.owner == nullptr && zero.immediate == 0 && six.owner == nullptr && six.immediate == 6 &&
         half.immediate == 0.5;
}());

// Constants join the graph they meet, on either side, as one scalar node whatever their shape.
static_assert([] {
  graph g;
  auto const x = symbol_in<float, 3>(g, 0);
  expr<float> const two = 2;
  auto const left = two * x, right = x / two;
  return left.owner == &g && right.owner == &g && is_constant(term{&g, g.operands(left.id)[0]}, 2) &&
         g.operands(left.id)[0] == g.operands(right.id)[1] && g.size() == 4;
}());
static_assert([] {
  graph g;
  auto const m = symbol_in<float, 2, 2>(g, 0);
  auto const y = m + expr<float, 2, 2>(5);
  static_assert(same<decltype(y), expr<float, 2, 2> const>);
  return y.owner == &g && g[y.id].extent == make_shape(2, 2);
}());

// A constant enters a graph rounded to its element type.
static_assert([] {
  graph g;
  auto const x = symbol_in<float>(g, 0);
  auto const d = symbol_in<double>(g, 1);
  return value_of(g[g.operands((x + 0.1).id)[1]].attributes) == static_cast<double>(0.1f) &&
         value_of(g[g.operands((d + 0.1).id)[1]].attributes) == 0.1;
}());

// Equal expressions are one node, wherever they are written.
static_assert([] {
  graph g;
  auto const x = symbol_in<float, 3>(g, 0), y = symbol_in<float, 3>(g, 1);
  auto const a = tanh(x * 2 + y), b = tanh(x * 2 + y), c = tanh(y + x * 2);
  return a.id == b.id && a.id != c.id;
}());

// A sum may start from nothing; the handle's type never changes, so loops just reassign it.
static_assert([] {
  graph g;
  auto const w = symbol_in<float, 3, 3>(g, 0);
  auto const b = symbol_in<float, 3>(g, 1);
  expr<float, 3> h;
  int before = 0;
  for (int t = 0; t < 16; ++t) {
    h = t == 0 ? b : tanh(w * h + b);
    if (t == 0) before = g.size();
  }
  expr<float> s = 0;
  for (int i = 0; i < 4; ++i) s += sum(h) * i;
  return before == 2 && is<op::add>(term{&g, s.id}) && h.owner == &g && g[h.id].extent == make_shape(3);
}());
static_assert([] {
  graph g;
  auto const x = symbol_in<double, 2>(g, 0);
  auto y = x;
  for (int i = 0; i < 300; ++i) y = sin(y);
  int depth = 0;
  for (term t{&g, y.id}; t.id != x.id; t = t.operand(0)) ++depth;
  return depth == 300 && g.size() == 301;
}());

// Copies are handles of the same node, and compound assignment moves only its left side.
static_assert([] {
  graph g;
  auto x = symbol_in<double, 2>(g, 0);
  auto const before = x;
  x -= 1;
  x /= 2;
  x *= 3;
  return before.id == 0 && is<op::mul>(term{&g, x.id}) && is<op::div>(term{&g, x.id}.operand(0)) &&
         term{&g, x.id}.operand(0).operand(0).operand(0).id == before.id;
}());

TEST_CASE("an expr holds a constant only if all its entries are equal") {
  expr<float, 2, 2> const a(1), b(2);
  CHECK_THROWS_WITH_AS(static_cast<void>(a * b), doctest::Contains("only constants as operands"), exception);
  static_assert(sum(expr<float, 2, 2>(3)).immediate == 12);
}

TEST_CASE("handles of different graphs do not meet") {
  graph g, h;
  auto const x = symbol_in<float, 2>(g, 0), y = symbol_in<float, 2>(h, 0);
  CHECK_THROWS_WITH_AS(static_cast<void>(x + y), doctest::Contains("different graphs"), exception);
}

}  // namespace

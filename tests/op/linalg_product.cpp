#include <etch/op/linalg/product.hpp>

#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

consteval shape product_of(shape const& a, shape const& b) { return op::matmul::infer(0, {a, b}); }

/// A vector or row, repeated to a square.
constexpr auto repeated(auto x) { return x + expr<double, 2, 2>(0); }

/// The largest number of multiply-adds among the products in a graph.
std::int64_t largest_product(graph const& g) {
  std::int64_t most = 0;
  for (int id = 0; id < g.size(); ++id)
    if (g[id].op == opcode_of<op::matmul>) most = std::max(most, g[id].extent.size() * g[g.operands(id)[0]].extent[1]);
  return most;
}

}  // namespace

static_assert(product_of(make_shape(3, 4), make_shape(4, 5)) == make_shape(3, 5));
static_assert(product_of(make_shape(3, 4), make_shape(4)) == make_shape(3), "a matrix times a vector is a vector");
static_assert(product_of(make_shape(1, 4), make_shape(4)) == make_shape(1));
static_assert(product_of(make_shape(3), make_shape(1, 4)) == make_shape(3, 4), "a column times a row");
static_assert(product_of(make_shape(), make_shape()) == make_shape(1));
static_assert(product_of(make_shape(1, 1), make_shape(1, 5)) == make_shape(1, 5));
static_assert(op::transpose::infer(0, {make_shape(3)}) == make_shape(1, 3));
static_assert(op::transpose::infer(0, {make_shape(3, 4)}) == make_shape(4, 3));
static_assert(std::is_same_v<decltype(transpose(expr<float, 3>()) * expr<float, 3>()), expr<float, 1>>);
static_assert(std::is_same_v<decltype(expr<float, 3>() * transpose(expr<float, 3>())), expr<float, 3, 3>>);
static_assert(op::transpose::project(0, {2, {1, 3, 12, 12}}, make_shape(3, 4), make_shape(4, 3)) ==
              layout{2, {3, 1, 12, 12}});

TEST_CASE("a product with a repeated row or column is a product with a vector") {
  graph g;
  g.simplifying = true;
  int next = 0;
  auto const leaf = [&](shape const& s) { return input(g, element::f64, s, next++); };
  term const a = leaf(make_shape(8, 9)), b = leaf(make_shape(9, 7)), scalar = leaf(make_shape());
  std::vector<term> results;
  for (shape const& from : {make_shape(9), make_shape(9, 1), make_shape(1, 7), make_shape(1, 1), make_shape()})
    results.push_back(matmul(a, fit(leaf(from), make_shape(9, 7))));
  for (shape const& from : {make_shape(8), make_shape(8, 1), make_shape(1, 9), make_shape(1), make_shape()})
    results.push_back(matmul(fit(leaf(from), make_shape(8, 9)), b));
  for (term x : results) CHECK(x.extent() == make_shape(8, 7));
  CHECK(largest_product(g) <= 8 * 9);
  CHECK(matmul(a, fit(scalar, make_shape(9))).extent() == make_shape(8));
}

TEST_CASE("products with repeated rows, columns and scalars have the right entries") {
  // Every operand repeats a vector whose entries are told apart; the answers are sums done by hand.
  tensor<double, 2, 2> const m{1, 2, 3, 4};  // [1 3; 2 4]
  tensor<double, 2> const column{10, 20};
  tensor<double, 1, 2> const row{100, 200};
  auto f = compile<wrt<>>([](auto a, auto c, auto r) { return a * repeated(c) + repeated(r) * a; }, m, column, row);
  // a C: rows [1*10+3*20, 2*10+4*20] = [70, 100] in both columns. R a: [100*1+200*2,
  // 100*3+200*4] = [500, 1100] in both rows.
  CHECK(f(m, column, row) == tensor<double, 2, 2>{570, 600, 1170, 1200});
  auto h = compile<wrt<>>([](auto a, auto c, auto r) { return a * repeated(r) + repeated(c) * a; }, m, column, row);
  // a R: row sums [4, 6] times [100 200]. C a: [10 20] down times column sums [3, 7].
  CHECK(h(m, column, row) == tensor<double, 2, 2>{400 + 30, 600 + 60, 800 + 70, 1200 + 140});
}

TEST_CASE("transposes cancel, and turn a product around") {
  graph g;
  g.simplifying = true;
  term const a = input(g, element::f64, make_shape(3, 4), 0), b = input(g, element::f64, make_shape(4, 5), 1),
             v = input(g, element::f64, make_shape(3), 2);
  CHECK(transpose(transpose(a)) == a);
  term const turned = transpose(matmul(a, b));
  CHECK(is<op::matmul>(turned));
  CHECK(turned.extent() == make_shape(5, 3));
  CHECK(turned.operand(0) == transpose(b));
  CHECK(turned.operand(1) == transpose(a));
  CHECK(transpose(transpose(v)).extent() == make_shape(3, 1));
  CHECK(is<op::reshape>(transpose(input(g, element::f64, make_shape(1, 1), 3) + 0)) == false);
  CHECK(transpose(fit(v, make_shape(3, 2))).extent() == make_shape(2, 3));
  CHECK(is<op::broadcast>(transpose(fit(v, make_shape(3, 2)))));
}

TEST_CASE("gradients of products of vectors, by hand") {
  tensor<double, 3> const u{1, 2, 3};
  tensor<double, 3> const w{4, 5, 6};
  auto const dot = value_and_grad<wrt<0, 1>>([](auto a, auto b) { return sum(transpose(a) * b); })(u, w);
  CHECK(dot.value == 32);
  CHECK(std::get<0>(dot.grad) == w);
  CHECK(std::get<1>(dot.grad) == u);
  // sum(u wᵀ) = sum(u) sum(w).
  auto const outer = value_and_grad<wrt<0, 1>>([](auto a, auto b) { return sum(a * transpose(b)); })(u, w);
  CHECK(outer.value == 6 * 15);
  CHECK(std::get<0>(outer.grad) == tensor<double, 3>{15, 15, 15});
  CHECK(std::get<1>(outer.grad) == tensor<double, 3>{6, 6, 6});
}

TEST_CASE("batches of matrices are multiplied one by one, and broadcast") {
  tensor<double, 2, 3, 2> a;
  tensor<double, 3, 2, 2> b;
  tensor<double, 3, 2> c;
  for (std::size_t i = 0; i < 12; ++i) a[i] = static_cast<double>(i % 5), b[i] = static_cast<double>(i % 7) - 2;
  for (std::size_t i = 0; i < 6; ++i) c[i] = static_cast<double>(i);
  auto both = compile<wrt<>>([](auto x, auto y) { return matmul(x, y); }, a, b);
  auto shared = compile<wrt<>>([](auto x, auto y) { return matmul(x, y); }, a, c);
  auto const& products = both(a, b);
  auto const& with_shared = shared(a, c);
  for (int batch = 0; batch < 2; ++batch)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        double each = 0, other = 0;
        for (int k = 0; k < 3; ++k) each += a(i, k, batch) * b(k, j, batch), other += a(i, k, batch) * c(k, j);
        CHECK(products(i, j, batch) == each);
        CHECK(with_shared(i, j, batch) == other);
      }
}

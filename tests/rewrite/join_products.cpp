#include <etch/rewrite/join_products.hpp>

#include <etch/compile/program.hpp>
#include <etch/op/elementwise.hpp>
#include <etch/rewrite/prune.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using namespace etch;
using at_run_time::numbers;

namespace {

constexpr int rows = 67, columns = 41;

/// A graph of products of `rows` x k by k x `columns`, and numbers for its inputs.
struct products {
  graph g;
  std::vector<numbers> inputs;

  term leaf(int m, int n, element type = element::f64) {
    numbers values(static_cast<std::size_t>(m * n));
    for (double& each : values) each = is_floating(type) ? std::sin(++count_) : ++count_ % 5;
    inputs.push_back(values);
    return input(g, type, make_shape(m, n), static_cast<int>(inputs.size()) - 1);
  }
  term product(int k) {
    term const a = leaf(rows, k);
    return matmul(a, transpose(leaf(columns, k)));
  }
  /// The sum of `count` terms that `each` makes.
  term sum(int count, auto each) {
    term s = each();
    for (int i = 1; i < count; ++i) s = s + each();
    return s;
  }

 private:
  int count_ = 0;
};

/// The columns that the products of `g` with extents `of` are over, in the order of nodes; of element-wise products 0.
std::vector<int> columns_of_products(graph_view g, shape const& of = make_shape(rows, columns)) {
  std::vector<int> found;
  for (int id = 0; id < g.size(); ++id) {
    if (!same_extents(g[id].extent, of)) continue;
    if (g[id].op == opcode_of<op::matmul>) found.push_back(g[g.operands(id)[0]].extent[1]);
    if (g[id].op == opcode_of<op::mul>) found.push_back(0);
  }
  return found;
}

/// `columns_of_products` of what `build` asks for, after joining; the values must be those before.
std::vector<int> joined(std::function<void(products&)> const& build, shape const& of = make_shape(rows, columns)) {
  products p;
  build(p);
  graph const before = at_run_time::prune(p.g), after = at_run_time::prune(at_run_time::join_products(before));
  CHECK(at_run_time::find_fault(after) == nullptr);
  CHECK(random_graphs::distance(random_graphs::values_of(before, p.inputs), random_graphs::values_of(after, p.inputs),
                                1) < 1e-13);
  return columns_of_products(after, of);
}

using found = std::vector<int>;

}  // namespace

TEST_CASE("outer products become one product where a loop would have to add up twenty") {
  auto const sum_of = [](int count) {
    return [=](products& p) { p.g.outputs = {p.sum(count, [&] { return p.product(1); }).id}; };
  };
  CHECK(joined(sum_of(19)) == found(19, 1));
  CHECK(joined(sum_of(20)) == found{20});
  // As many at a time as have the sum's 2,747 entries: 26 of 67 + 41.
  CHECK(joined(sum_of(52)) == found{26, 26});
  CHECK(joined(sum_of(53)) == found{26, 26, 1});
  CHECK(joined([](products& p) {  // element by element, in either order
          p.g.outputs = {p.sum(10, [&] {
                            term const a = p.leaf(rows, 1), b = p.leaf(1, columns), c = p.leaf(1, columns);
                            return a * b + c * p.leaf(rows, 1);
                          }).id};
        }) == found{20});
  CHECK(joined(
            [](products& p) {  // 28 x 41: twenty columns and rows have more entries than the sum
              auto const each = [&] { return matmul(p.leaf(28, 1), transpose(p.leaf(columns, 1))); };
              p.g.outputs = {p.sum(30, each).id};
            },
            make_shape(28, columns)) == found(30, 1));
}

TEST_CASE("two products of several columns become one") {
  auto const build = [](int k, int l) {
    return [=](products& p) { p.g.outputs = {(p.product(k) + p.product(l)).id}; };
  };
  CHECK(joined(build(2, 2)) == found{4});
  CHECK(joined(build(2, 1)) == found{2, 1});
  CHECK(joined(build(2, 6)) == found{8});
  CHECK(joined(build(2, 7)) == found{2, 7});  // factors of 756 entries are more than a fourth of 2,747
  auto const of_128 = [](int k) {
    return [=](products& p) {
      p.g.outputs = {p.sum(2, [&] {
                        term const a = p.leaf(128, k);
                        return matmul(a, p.leaf(k, 128));
                      }).id};
    };
  };
  CHECK(joined(of_128(8), make_shape(128, 128)) == found{16});
  CHECK(joined(of_128(9), make_shape(128, 128)) == found{9, 9});  // which do enough in one pass over the sum
}

TEST_CASE("what else is added stays, and what is read elsewhere") {
  CHECK(joined([](products& p) {  // other addends: before, between and behind, of a smaller shape, negative
          term s = p.leaf(rows, columns) + p.product(2);
          s = s + p.leaf(rows, 1) + p.product(2);
          p.g.outputs = {(s - p.product(2) + p.leaf(1, columns)).id};
        }) == found{4, 2});
  CHECK(joined([](products& p) {  // a product that is read twice
          term const twice = p.product(2);
          p.g.outputs = {(twice + p.product(2) + p.product(2)).id, (twice * twice).id};
        }) == found{2, 4, 0});
  CHECK(joined([](products& p) {  // a sum that is an output, and is added to
          term const s = p.product(2) + p.product(2);
          p.g.outputs = {s.id, (s + p.product(2) + p.product(2)).id, p.product(2).id};
        }) == found{4, 4, 2});
  CHECK(joined([](products& p) {  // a sum of sums; the same factor in two products
          term const a = p.leaf(rows, 2), b = p.leaf(columns, 2), c = p.leaf(columns, 2);
          p.g.outputs = {((matmul(a, transpose(b)) + p.product(2)) + (p.product(2) + matmul(a, transpose(c)))).id};
        }) == found{8});
  CHECK(joined([](products& p) {  // integers
          auto const each = [&] {
            term const a = p.leaf(rows, 1, element::i32);
            return a * p.leaf(1, columns, element::i32);
          };
          p.g.outputs = {p.sum(20, each).id};
        }) == found(20, 0));
}

TEST_CASE("a factor that is not stored beside its neighbours is copied there") {
  CHECK(joined([](products& p) {
          term const a = p.leaf(rows, 6), b = p.leaf(2, columns);
          term s = matmul(slice(a, region(1, 1), 2), b);
          s = s + matmul(slice(a, region(1, 0), 2), exp(b));
          p.g.outputs = {(s + matmul(sin(slice(a, region(1, 4), 2)), b)).id};
        }) == found{6});
}

TEST_CASE("sums in the body of a loop are joined too, but not over points") {
  auto const in_loop = [](bool points) {
    graph g;
    loop_body l;
    l.count = 3;
    l.points = points;
    l.in = {points ? loop_input::captured : loop_input::carry, loop_input::captured, loop_input::slice};
    l.out = {points ? loop_output::stack : loop_output::carry};
    term const s = input(l.body, element::f64, make_shape(rows, columns), 0),
               a = input(l.body, element::f64, make_shape(rows, 2), 1),
               b = input(l.body, element::f64, make_shape(columns, 2), 2);
    l.body.outputs = {(s + matmul(a, transpose(b)) + matmul(sin(a), transpose(cos(b)))).id};
    int const operands[] = {input(g, element::f64, make_shape(rows, columns), 0).id,
                            input(g, element::f64, make_shape(rows, 2), 1).id,
                            input(g, element::f64, make_shape(columns, 2, 3), 2).id};
    g.outputs = {result_of(g, l, insert_loop(g, l, operands), 0).id};
    std::vector<numbers> inputs{numbers(rows * columns), numbers(rows * 2), numbers(columns * 6)};
    int n = 0;
    for (numbers& each : inputs)
      for (double& e : each) e = std::sin(++n);
    graph const after = at_run_time::join_products(g);
    CHECK(at_run_time::find_fault(after) == nullptr);
    CHECK(random_graphs::distance(random_graphs::values_of(g, inputs), random_graphs::values_of(after, inputs), 1) <
          1e-13);
    for (int id = 0; id < after.size(); ++id)
      if (facts_of(after[id]).is_loop) return columns_of_products(at_run_time::prune(loop_at(after, id).body));
    return found{};
  };
  CHECK(in_loop(false) == found{4});
  CHECK(in_loop(true) == found{2, 2});
}

namespace {

constexpr int width = 17;  // 4 * (17 + 17) * 2 entries are fewer than its square
constexpr auto recurrent = [](auto w, auto h, auto b) {
  for (int step = 0; step < 4; ++step) h = tanh(w * h + b);
  return sum(square(h));
};
using weight = tensor<double, width, width>;
using states = tensor<double, width, 2>;
using bias = tensor<double, width>;
using recurrent_program = decltype(compile<wrt<0, 1, 2>>(recurrent, weight{}, states{}, bias{}));

constexpr int products_over(int k) {
  graph_view const g = recurrent_program::executable::graph;
  int count = 0;
  for (int id = 0; id < g.size(); ++id)
    count += g[id].op == opcode_of<op::matmul> && same_extents(g[id].extent, make_shape(width, width)) &&
             g[g.operands(id)[0]].extent[1] == k;
  return count;
}
static_assert(products_over(8) == 1 && products_over(2) == 0, "four steps of a batch of two");

}  // namespace

TEST_CASE("a compiled program computes factors side by side, and adds to what there is") {
  recurrent_program step;
  weight w;
  states h;
  bias b;
  int n = 0;
  for (double& each : w) each = std::sin(++n) / 4;
  for (double& each : h) each = std::sin(++n);
  for (double& each : b) each = std::sin(++n) / 2;
  step(w, h, b);
  weight const gradient = step.grad<0>();
  for (std::size_t i = 0; i < w.size(); i += 5) {
    double const here = w.data()[i];
    auto const around = [&](double by) {
      w.data()[i] = here + by;
      double const above = step(w, h, b);
      w.data()[i] = here - by;
      double const below = step(w, h, b);
      w.data()[i] = here;
      return above - below;
    };
    constexpr double by = 2e-3;
    double const difference = (45 * around(by) - 9 * around(2 * by) + around(3 * by)) / (60 * by);
    CHECK(gradient.data()[i] == doctest::Approx(difference).epsilon(1e-9));
  }
  weight sum_w{};
  states sum_h{};
  bias sum_b{};
  for (int i = 0; i < 2; ++i) step(w, h, b, add_to(sum_w, sum_h, sum_b));
  for (std::size_t i = 0; i < w.size(); ++i)
    CHECK(sum_w.data()[i] == doctest::Approx(2 * gradient.data()[i]).epsilon(1e-13));
}

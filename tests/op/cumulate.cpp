#include <etch/op/cumulate.hpp>

#include <etch/etch.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

TEST_CASE("running sums of one to many entries, and their gradients, by hand") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x, w;
    for (int i = 0; i < N; ++i) x(i) = static_cast<T>(i % 5 - 2), w(i) = static_cast<T>(i % 3 + 1);
    auto const [value, g] = value_and_grad([](auto a, auto b) { return sum(cwise_product(cumsum<0>(a), b)); })(x, w);
    T so_far = 0, expected = 0, from_here = 0;
    for (int i = 0; i < N; ++i) so_far += x(i), expected += so_far * w(i);
    CHECK(value == expected);
    for (int i = N - 1; i >= 0; --i) {
      from_here += w(i);
      CHECK(g(i) == from_here);
    }
  });
}

TEST_CASE("a NaN or an infinity reaches what comes after it, and nothing before") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x;
    x.fill(1);
    x(N / 2) = infinity<T>;
    auto program = compile<wrt<>>([](auto a) { return cumsum<0>(a); }, x);
    for (int i = 0; i < N; ++i) CHECK(program(x)(i) == (i < N / 2 ? static_cast<T>(i + 1) : infinity<T>));
    x(N / 2) = not_a_number<T>;
    program(x);
    for (int i = 0; i < N; ++i) CHECK(std::isnan(program.value()(i)) == (i >= N / 2));
  });
}

TEST_CASE("sums run along the axis named, through views and into joins") {
  tensor<double, 2, 3> const x{1, 2, 3, 4, 5, 6};
  auto program = compile<wrt<>>(
      [](auto a) { return concat<0>(cumsum<1>(a), cumsum<0>(a), reverse<1>(cumsum<1>(reverse<1>(a)))); }, x);
  CHECK(program(x) == tensor<double, 6, 3>{1, 2, 1, 3, 9, 12, 4, 6, 3, 7, 8, 10, 9, 12, 5, 11, 5, 6});
  static_assert(value_and_grad([](auto a) { return sum(cumsum<0>(a)); })(tensor<double, 3>{1, 2, 3}).value ==
                1 + 3 + 6);
  static_assert(value_and_grad([](auto a) { return sum(cumsum<0>(a)); })(tensor<double, 3>{1, 2, 3}).grad ==
                tensor<double, 3>{3, 2, 1});
}

TEST_CASE_TEMPLATE("where an entry holds a number in each lane, each lane has its own sums", T, float, double) {
  using V = lanes<T>;
  constexpr int rows = 5, columns = 3, entries = rows * columns;
  for (int axis : {0, 1}) {
    V x[entries], y[entries];
    for (int i = 0; i < entries; ++i) x[i] = V::count_up() * V(static_cast<T>(i % 4)) + V(static_cast<T>(i));
    shape const extent{2, {rows, columns, 1, 1}};
    strides step{};
    step.entry[0] = 1, step.entry[1] = rows;
    op::cumsum::run_in_lanes(static_cast<attribute>(axis), block<V>{y, extent, step}, block<V const>{x, extent, step});
    for (int lane = 0; lane < V::width; ++lane)
      for (int i = 0; i < entries; ++i) {
        T expected = 0;
        for (int k = axis == 0 ? i / rows * rows : i % rows; k <= i; k += axis == 0 ? 1 : rows) expected += x[k][lane];
        CHECK(y[i][lane] == expected);
      }
  }
}

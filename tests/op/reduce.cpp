#include <etch/op/reduce.hpp>

#include <etch/op/softmax.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

namespace {
using etch::op::reduction;
}

static_assert(reduction::infer(1, {make_shape(3, 4)}) == make_shape(1, 4));
static_assert(reduction::infer(2, {make_shape(3, 4)}) == make_shape(3, 1));
static_assert(reduction::infer(1 | 4, {make_shape(3, 4, 5)}) == make_shape(1, 4, 1));
static_assert(reduction::infer(reduction::whole, {make_shape(3, 4, 5)}) == make_shape());
static_assert(reduction::entries(2, make_shape(3, 4)) == 4);
static_assert(reduction::entries(1 | 2, make_shape(3, 4, 5)) == 12);
static_assert(reduction::entries(reduction::whole, make_shape(3, 4, 5)) == 60);
static_assert(std::is_same_v<decltype(sum<0>(expr<float, 3, 4>())), expr<float, 1, 4>>);
static_assert(std::is_same_v<decltype(mean(expr<float, 3, 4>())), expr<float>>);
static_assert(std::is_same_v<decltype(max<1, 2>(expr<float, 3, 4, 5>())), expr<float, 3, 1, 1>>);

TEST_CASE("repeated entries are counted, whatever the rank of what repeats") {
  graph g;
  g.simplifying = true;
  term const scalar = input(g, element::f64, make_shape(), 0), column = input(g, element::f64, make_shape(3), 1),
             row = input(g, element::f64, make_shape(1, 4), 2);
  shape const full = make_shape(3, 4);
  auto const no_reduction = [&](term x) { return !is<op::sum>(x) && !is<op::max>(x) && !is<op::min>(x); };
  term const along_rows = emit<op::sum>(2, fit(column, full));
  CHECK(along_rows.extent() == make_shape(3, 1));
  CHECK(no_reduction(along_rows));
  CHECK(emit<op::sum>(1, fit(scalar, full)).extent() == make_shape(1, 4));
  CHECK(emit<op::sum>(1 | 2, fit(scalar, full)).extent() == make_shape(1, 1));
  CHECK(emit<op::sum>(op::reduction::whole, fit(scalar, full)).extent() == make_shape());
  CHECK(emit<op::max>(2, fit(column, full)).extent() == make_shape(3, 1));
  CHECK(no_reduction(emit<op::max>(2, fit(column, full))));
  CHECK(no_reduction(emit<op::min>(2, fit(column, full))));
  term const smallest = emit<op::min>(1, fit(column, full)).operand(0);  // of the column alone, repeated afterwards
  CHECK(is<op::min>(smallest));
  CHECK(smallest.extent() == make_shape(1, 1));
  term const total = emit<op::sum>(op::reduction::whole, fit(row, full));  // 3 * sum(row)
  CHECK(is<op::mul>(total));
  CHECK(is_constant(total.operand(1), 3));
  CHECK(emit<op::sum>(1, row) == row);
}

TEST_CASE("a bias gets the sum of what it was added to") {
  tensor<double, 3, 4> const m;
  tensor<double, 3> const column;
  tensor<double, 1, 4> const row;
  auto const g =
      grad<wrt<0, 1, 2, 3>>([](auto a, auto b, auto c, auto d) { return sum(a + b + c + d); })(m, column, row, 0.0);
  check_repeated(std::get<0>(g), std::vector<double>{1});
  check_repeated(std::get<1>(g), std::vector<double>{4});
  check_repeated(std::get<2>(g), std::vector<double>{3});
  CHECK(std::get<3>(g) == 12);
}

TEST_CASE("ties share the gradient of max evenly, NaN takes it all") {
  in_all_sizes([]<class T, int N>() {
    // Columns of N + 3 entries: a tie of three, one NaN, all -inf, one largest entry.
    tensor<T, N + 3, 4> x;
    x.fill(-1);
    x(0, 0) = x(1, 0) = x(N + 2, 0) = 2;
    x(N, 1) = not_a_number<T>;
    for (int i = 0; i < N + 3; ++i) x(i, 2) = -infinity<T>;
    x(N + 1, 3) = 5;
    auto const g = grad([](auto a) { return sum(max<0>(a)); })(x);
    for (int i = 0; i < N + 3; ++i) {
      CAPTURE(i);
      CHECK(static_cast<double>(g(i, 0)) == doctest::Approx(i == 0 || i == 1 || i == N + 2 ? 1.0 / 3 : 0.0));
      CHECK(std::isnan(g(i, 1)));
      CHECK(static_cast<double>(g(i, 2)) == doctest::Approx(1.0 / (N + 3)));
      CHECK(g(i, 3) == (i == N + 1 ? 1 : 0));
    }
  });
}

TEST_CASE("NaN wins wherever it stands") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x;
    auto largest = compile<wrt<>>([](auto a) { return max(a); }, x);
    for (std::size_t i = 0; i < N; ++i) {
      x = repeated<T, N>({-3, -2, -5});
      x[i] = not_a_number<T>;
      CHECK(std::isnan(largest(x)));
      x[i] = 7;
      CHECK(largest(x) == 7);
      x.fill(-infinity<T>);
      CHECK(largest(x) == -infinity<T>);
    }
  });
}

TEST_CASE("ties share the gradient of min evenly, NaN takes it all") {
  in_all_sizes([]<class T, int N>() {
    // Columns of N + 3 entries: a tie of two, one NaN, all inf, one smallest entry.
    tensor<T, N + 3, 4> x;
    x.fill(1);
    x(0, 0) = x(N + 2, 0) = -2;
    x(N, 1) = not_a_number<T>;
    for (int i = 0; i < N + 3; ++i) x(i, 2) = infinity<T>;
    x(N + 1, 3) = -infinity<T>;
    auto const g = grad([](auto a) { return sum(min<0>(a)); })(x);
    for (int i = 0; i < N + 3; ++i) {
      CAPTURE(i);
      CHECK(g(i, 0) == (i == 0 || i == N + 2 ? T(0.5) : 0));
      CHECK(std::isnan(g(i, 1)));
      CHECK(static_cast<double>(g(i, 2)) == doctest::Approx(1.0 / (N + 3)));
      CHECK(g(i, 3) == (i == N + 1 ? 1 : 0));
    }
  });
}

TEST_CASE("the smallest entry wherever it stands, and NaN before it") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x;
    auto smallest = compile<wrt<>>([](auto a) { return min(a); }, x);
    for (std::size_t i = 0; i < N; ++i) {
      x = repeated<T, N>({-3, 2, 5});
      x[i] = -7;
      CHECK(smallest(x) == -7);
      x[i] = not_a_number<T>;
      CHECK(std::isnan(smallest(x)));
      x.fill(infinity<T>);
      CHECK(smallest(x) == infinity<T>);
    }
  });
}

TEST_CASE("sums and means along any axes") {
  tensor<double, 2, 3, 2> const x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  auto middle = compile<wrt<>>([](auto a) { return sum<1>(a); }, x);
  CHECK(middle(x) == tensor<double, 2, 1, 2>{9, 12, 27, 30});
  auto outer = compile<wrt<>>([](auto a) { return mean<0, 2>(a); }, x);
  CHECK(outer(x) == tensor<double, 1, 3, 1>{4.5, 6.5, 8.5});
  auto nested = compile<wrt<>>([](auto a) { return max<2>(sum<0>(a)); }, x);
  CHECK(nested(x) == tensor<double, 1, 3, 1>{15, 19, 23});
  auto inner = compile<wrt<>>([](auto a) { return min<0, 2>(-a); }, x);
  CHECK(inner(x) == tensor<double, 1, 3, 1>{-8, -10, -12});
}

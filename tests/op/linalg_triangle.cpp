#include <etch/op/linalg/triangle.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace etch;

namespace {

/// Whether a triangle of a matrix of ones has its ones exactly where `inside(column - row)` says.
template <int M, int N>
bool is_where(auto triangle, auto inside) {
  auto program = compile<wrt<>>([](auto x) { return decltype(triangle){}(x); }, tensor<double, M, N>{});
  tensor<double, M, N> x;
  x.fill(1);
  tensor<double, M, N> const y = program(x);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j)
      if (y(i, j) != (inside(j - i) ? 1 : 0)) return false;
  return true;
}

}  // namespace

TEST_CASE("triangles reach as far as their diagonal, in wide and in tall matrices") {
  CHECK(is_where<3, 5>([](auto x) { return tril(x); }, [](int d) { return d <= 0; }));
  CHECK(is_where<5, 3>([](auto x) { return tril<1>(x); }, [](int d) { return d <= 1; }));
  CHECK(is_where<5, 3>([](auto x) { return tril<-2>(x); }, [](int d) { return d <= -2; }));
  CHECK(is_where<3, 5>([](auto x) { return triu(x); }, [](int d) { return d >= 0; }));
  CHECK(is_where<3, 5>([](auto x) { return triu<2>(x); }, [](int d) { return d >= 2; }));
  CHECK(is_where<19, 1>([](auto x) { return triu<-1>(x); }, [](int d) { return d >= -1; }));
}

TEST_CASE("what lies outside a triangle never arrives, whatever it is, nor does its gradient") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  tensor<double, 2, 2> const x{1, 2, nan, 4}, zeros{1, 1, 0, 1};
  auto const lower = value_and_grad([](auto a) { return sum(square(tril(a))); })(x);
  CHECK(lower.value == 1 + 4 + 16);
  CHECK(lower.grad == tensor<double, 2, 2>{2, 4, 0, 8});
  // log'(0) is infinite, and masked behind its rule.
  CHECK(grad([](auto a) { return sum(tril(log(a))); })(zeros) == tensor<double, 2, 2>{1, 1, 0, 1});
}

TEST_CASE("a trace is the sum of the diagonal; its gradient is the identity") {
  auto const [value, g] = value_and_grad([](auto a) { return trace(a); })(tensor<double, 2, 3>{1, 2, 3, 4, 5, 6});
  CHECK(value == 5);
  CHECK(g == tensor<double, 2, 3>{1, 0, 0, 1, 0, 0});
}

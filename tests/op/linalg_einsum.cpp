#include <etch/op/linalg/einsum.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using namespace etch;

namespace {

template <int... Dims>
tensor<double, Dims...> counted(int from) {
  tensor<double, Dims...> x;
  for (double& e : x) e = (from = (from * 37 + 11) % 101) - 50;
  return x;
}

/// The result of a program of `f`.
template <class F, class... X>
auto of(F f, X const&... x) {
  auto program = compile<wrt<>>(f, x...);
  return std::remove_cvref_t<decltype(program(x...))>(program(x...));
}

/// Every entry of the result by nested loops over all letters: `at(i)` gives the product at
/// letter values `i`, `to(i)` its entry.
template <std::size_t Letters>
void each_index(std::array<int, Letters> const& extents, auto f) {
  std::array<int, Letters> i{};
  for (bool more = true; more;) {
    f(i);
    more = false;
    for (std::size_t l = 0; l < Letters && !more; ++l) {
      more = ++i[l] < extents[l];
      if (!more) i[l] = 0;
    }
  }
}

}  // namespace

TEST_CASE("vectors, outer products, scalars, results without an arrow in alphabetical order") {
  tensor<double, 3> const u{1, 2, 3};
  tensor<double, 2> const v{10, 100};
  CHECK(of([](auto x, auto y) { return einsum<"i,j->ij">(x, y); }, u, v) ==
        tensor<double, 3, 2>{10, 20, 30, 100, 200, 300});
  CHECK(of([](auto x, auto y) { return einsum<"b,a">(x, y); }, u, v) ==
        tensor<double, 2, 3>{10, 100, 20, 200, 30, 300});
  CHECK(of([](auto x, auto y) { return einsum<"i,j->">(x, y); }, u, v) == 660);
  CHECK(of([](auto s, auto x) { return einsum<",i->i">(s, x); }, 2.0, u) == tensor<double, 3>{2, 4, 6});
  CHECK(of([](auto s, auto x) { return einsum<",">(s, x); }, 2.0, 3.0) == 6);
  CHECK(of([](auto x) { return einsum<"i,ij->j">(x, identity<3>() * 2); }, u) == tensor<double, 3>{2, 4, 6});
}

TEST_CASE(
    "axes with one letter run together, in operands of every rank, and what lies beside the diagonal never arrives") {
  auto const box = counted<3, 2, 3>(1);
  tensor<double, 2> sums;
  tensor<double, 3, 2> diagonals;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) sums(j) += box(i, j, i), diagonals(i, j) = box(i, j, i);
  CHECK(of([](auto x) { return einsum<"iji->j">(x); }, box) == sums);
  CHECK(of([](auto x) { return einsum<"iji->ij">(x); }, box) == diagonals);
  auto const four = counted<2, 2, 2, 2>(3);
  CHECK(of([](auto x) { return einsum<"iiii->">(x); }, four) == four(0, 0, 0, 0) + four(1, 1, 1, 1));
  CHECK(of([](auto x) { return einsum<"iijj->ij">(x); }, four) ==
        tensor<double, 2, 2>{four(0, 0, 0, 0), four(1, 1, 0, 0), four(0, 0, 1, 1), four(1, 1, 1, 1)});
  double const nan = std::numeric_limits<double>::quiet_NaN();
  tensor<double, 2, 1, 2> const stray{1, nan, nan, 4};
  auto const [value, g] = value_and_grad([](auto x) { return sum(square(einsum<"iji->ij">(x))); })(stray);
  CHECK(value == 17);
  CHECK(g == tensor<double, 2, 1, 2>{2, 0, 0, 8});
}

TEST_CASE("contractions of tensors against loops, each entry exactly") {
  auto const a = counted<2, 3, 5>(1);
  auto const b = counted<5, 7, 2>(2);
  tensor<double, 7, 3> two;  // over i and k
  each_index<4>({2, 3, 5, 7}, [&](auto const& n) { two(n[3], n[1]) += a(n[0], n[1], n[2]) * b(n[2], n[3], n[0]); });
  CHECK(of([](auto x, auto y) { return einsum<"ijk,kli->lj">(x, y); }, a, b) == two);
  tensor<double, 2, 7, 3> batched;  // i counts products of matrices
  each_index<4>({2, 3, 5, 7},
                [&](auto const& n) { batched(n[0], n[3], n[1]) += a(n[0], n[1], n[2]) * b(n[2], n[3], n[0]); });
  CHECK(of([](auto x, auto y) { return einsum<"ijk,kli->ilj">(x, y); }, a, b) == batched);
  auto const c = counted<3, 2>(4);
  tensor<double, 7, 5> lone;  // j in a and c, i in all three, what only one has is added up first
  each_index<4>({2, 3, 5, 7},
                [&](auto const& n) { lone(n[3], n[2]) += a(n[0], n[1], n[2]) * b(n[2], n[3], n[0]) * c(n[1], n[0]); });
  CHECK(of([](auto x, auto y, auto z) { return einsum<"ijk,kli,ji->lk">(x, y, z); }, a, b, c) == lone);
  auto const m = counted<2, 3, 2, 3>(5);
  tensor<double, 3, 2> both;
  each_index<4>({2, 3, 2, 3}, [&](auto const& n) { both(n[3], n[0]) += m(n[0], n[1], n[2], n[3]) * c(n[1], n[2]); });
  CHECK(of([](auto x, auto y) { return einsum<"ijkl,jk->li">(x, y); }, m, c) == both);
}

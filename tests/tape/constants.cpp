// Constants and numbers on a tape: as variables, in statements of scalars, and as results of
// what is checkpointed or applied.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

TEST_CASE_TEMPLATE("constants are variables that no derivative flows to", T, float, double) {
  tape<T> t;
  auto const x = t.watch(tensor<T, 3>{1, 2, 3});
  auto const s = t.watch(T(2));
  var<T, 3> h = zeros<3>();
  var<T> total = sum(ones<3>());
  h = h + x;
  total += sum(full<2>(0.5)) * s;
  for (int i = 0; i < 2; ++i) h = (identity<3>() * 2.0 + identity<3>()) * h - ones<3>() / 2;
  CHECK(value(total) == T(5));
  CHECK(value(sum(ones<3>())) == 3);
  CHECK(t.backward(sum(h) + total * dot(x, stack<0>(1.0, 2.0, 0.0))) == T(54 - 6 + 25));
  CHECK(t.grad(x) == tensor<T, 3>{14, 19, 9});
  CHECK(t.grad(s) == 5);
}

TEST_CASE_TEMPLATE("numbers beside scalars of a tape", T, float, double) {
  tape<T> t;
  auto const s = t.watch(T(2)), u = t.watch(T(3));
  auto const y = sum(stack<0>(1.0, s, 0.5, u * s) + concat<0>(s, ones<2>(), 4));
  CHECK(value(y) == T(1 + 2 + 0.5 + 6 + 2 + 2 + 4));
  t.backward(y);
  CHECK(t.grad(s) == 5);
  CHECK(t.grad(u) == 2);
}

TEST_CASE_TEMPLATE("what is checkpointed on a tape may return numbers and constants", T, float, double) {
  tape<T> t;
  auto const x = t.watch(tensor<T, 3>{1, 2, 3});
  auto const number = t.checkpoint([](auto) { return 1.5; }, x);
  auto const [v, one, ring, matrix] =
      t.checkpoint([](auto w) { return std::tuple(2 * w, 1, ones<3>(), identity<3>() + 1.0); }, x);
  CHECK(t.backward(sum(matrix * cwise_product(v, ring)) * one * number) == T(72));
  CHECK(t.grad(x) == tensor<T, 3>{12, 12, 12});
}

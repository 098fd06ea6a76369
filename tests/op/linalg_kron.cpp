#include <etch/op/linalg/kron.hpp>

#include "op/everywhere.hpp"

using namespace everywhere;

TEST_CASE("every entry of the first times all of the second, in blocks") {
  tensor<double, 2, 2> const a{1, 2, 3, 4};
  tensor<double, 1, 3> const b{1, 10, 100};
  auto program = compile<wrt<>>([](auto x, auto y) { return kron(x, y); }, a, b);
  CHECK(program(a, b) == tensor<double, 2, 6>{1, 2, 10, 20, 100, 200, 3, 4, 30, 40, 300, 400});
  tensor<double, 5, 3> left;
  tensor<double, 2, 7> right;
  for (std::size_t i = 0; i < 15; ++i) left[i] = static_cast<double>(i) - 7;
  for (std::size_t i = 0; i < 14; ++i) right[i] = static_cast<double>(i * i);
  auto wide = compile<wrt<>>([](auto x, auto y) { return kron(x, y); }, left, right);
  auto const& y = wide(left, right);
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 21; ++j) CHECK(y(i, j) == left(i / 2, j / 7) * right(i % 2, j % 7));
}

TEST_CASE("vectors are columns, numbers are factors, and identity() makes blocks on the diagonal") {
  tensor<double, 2> const u{1, 2};
  tensor<double, 3> const v{1, 10, 100};
  auto vectors = compile<wrt<>>([](auto x, auto y) { return kron(x, y); }, u, v);
  CHECK(vectors(u, v) == tensor<double, 6>{1, 10, 100, 2, 20, 200});
  auto scaled = compile<wrt<>>([](auto x) { return kron(x(1), x); }, u);
  CHECK(scaled(u) == tensor<double, 2>{2, 4});
  auto blocks = compile<wrt<>>([](auto x) { return kron(identity<2>(), x); }, u);
  CHECK(blocks(u) == tensor<double, 4, 2>{1, 2, 0, 0, 0, 0, 1, 2});
}

TEST_CASE("in a program, on a tape and in constant evaluation, to second order") {
  check([] { return std::tuple{sample<2, 3>(1), sample<3, 2>(2)}; },
        [](auto a, auto b) { return sum(sin(kron(a, b))) + sum(exp(kron(b, a) * a(0, 0))); });
}

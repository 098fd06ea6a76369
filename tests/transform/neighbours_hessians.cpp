// Hessians of chains, stencils and structs along diagonals are those of products with the Hessian.
#include "transform/neighbours.hpp"

using namespace etch;
using namespace neighbours;

namespace {

template <class T>
struct chain {
  param<T, 7> position;
  param<T, 6> spring;
  ETCH_MEMBERS(chain, position, spring)
};
constexpr auto stretched = [](auto const& c) {
  auto const length = c.position.template tail<6>() - c.position.template head<6>();
  return sum(cwise_product(c.spring, square(length))) + sum(exp(c.spring));
};

template <int N, class F>
void check_chain(F const& f) {
  CAPTURE(N);
  auto const x = same::filled_with<tensor<double, N>>(N);
  CHECK(wrong_entries(f, x) == 0);
}

}  // namespace

TEST_CASE("Hessians of chains of any length") {
  check_chain<3>(valleys), check_chain<6>(valleys), check_chain<17>(valleys), check_chain<33>(valleys);
  check_chain<4>(second_differences), check_chain<9>(second_differences), check_chain<18>(second_differences);
  CHECK(is_along_diagonals(hessian(valleys), tensor<double, 6>{}));
  CHECK(is_along_diagonals(hessian(second_differences), tensor<double, 17>{}));
}

TEST_CASE("Hessians of stencils, of strided neighbours, of several arguments") {
  auto const grid = same::filled_with<tensor<double, 5, 7>>(2);
  CHECK(wrong_entries(membrane, grid) == 0);
  CHECK(is_along_diagonals(hessian(membrane), grid));
  auto const line = same::filled_with<tensor<double, 16>>(3);
  CHECK(wrong_entries(every_other, line) == 0);
  CHECK(is_along_diagonals(hessian(every_other), line));

  chain<double> c;
  for (int i = 0; i < 7; ++i) c.position[static_cast<std::size_t>(i)] = std::sin(1.0 + i * i);
  for (int i = 0; i < 6; ++i) c.spring[static_cast<std::size_t>(i)] = 0.3 * i - 1;
  auto const h = hessian(stretched)(c);
  for (int i = 0; i < 13; ++i)
    for (int j = 0; j < 13; ++j) {
      double expected = 0;
      for (int k = 0; k < 6; ++k) {
        double const s = c.spring[static_cast<std::size_t>(k)],
                     d = c.position[static_cast<std::size_t>(k + 1)] - c.position[static_cast<std::size_t>(k)];
        double const di = i == k + 1 ? 1 : i == k ? -1 : 0, dj = j == k + 1 ? 1 : j == k ? -1 : 0;
        expected += 2 * s * di * dj + 2 * d * (di * (j == 7 + k) + dj * (i == 7 + k));
        if (i == 7 + k && j == i) expected += std::exp(s);
      }
      CHECK(h(i, j) == doctest::Approx(expected));
    }
}

TEST_CASE("value and gradient beside it") {
  auto const x = same::filled_with<tensor<double, 21>>(4);
  auto const all = value_grad_hessian(valleys)(x);
  auto const both = value_and_grad(valleys)(x);
  CHECK(all.value == doctest::Approx(both.value));
  for (std::size_t i = 0; i < 21; ++i) CHECK(all.grad[i] == doctest::Approx(both.grad[i]));
}

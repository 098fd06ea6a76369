// The choice between kernels, and products.
#include "dispatch.hpp"

#if ETCH_DISPATCHES

using namespace each_set;

namespace {

constexpr auto network = [](auto w, auto b, auto v, auto x) { return sum(square(v * tanh(w * x + b))); };
constexpr auto inner = [](auto a, auto b) { return sum(exp(transpose(a) * b)); };
template <class T, int Rows, int Columns, int Terms>
void products() {
  same_for_all_sets<T>(network, tensor<T, Rows, Terms>{}, tensor<T, Rows>{}, tensor<T, 5, Rows>{},
                       tensor<T, Terms, Columns>{});
}

/// Factors of matrices in blocks (op/linalg/level_3.hpp).
constexpr auto factors = [](auto a, auto b) {
  return sum(square(triangular_solve(cholesky(a * transpose(a) + etch::identity<40>() * 40), b)));
};

}  // namespace

TEST_CASE("a program runs the kernels that are allowed") {
  with_each_set([](vectors set) { CHECK(run::with_best_vectors([](auto best) { return vectors{best}; }) == set); });
  CHECK(register_bytes == 64);
}

TEST_CASE("products of every set have the same gradients") {
  products<float, 32, 128, 64>();
  products<double, 33, 17, 65>();
  products<float, 7, 3, 129>();
  products<double, 1, 40, 9>();
  same_for_all_sets<float>(inner, tensor<float, 70, 6>{}, tensor<float, 70, 11>{});
  same_for_all_sets<double>(inner, tensor<double, 70, 37>{}, tensor<double, 70>{});
}

TEST_CASE("factors of large matrices of every set have the same gradients") {
  same_for_all_sets<double>(factors, tensor<double, 40, 40>{}, tensor<double, 40, 19>{});
}

#endif

// Tensors on a tape against the compiled program: element-wise ops, reductions, products, in
// sizes beside every register's.
#include "tape/both.hpp"

using namespace tapes;

namespace {

constexpr auto elementwise = [](auto a, auto b) {
  auto const s = sum(sin(a) * 0.5 + cwise_product(exp(-a), b) + cwise_quotient(b, a + 2) - pow(a, b) + hypot(a, b));
  return s + sum(select(a < b, tanh(a), log(b))) + sum(max(a, b) + min(a, 1) + clamp(b, 0.5, a)) +
         mean(gelu(a) + relu(b - 1) + softplus(a));
};
constexpr auto reductions = [](auto a, auto b) {
  return sum(cwise_product(sum<0>(a), max<0>(b))) + sum(square(mean<1>(b))) + logsumexp(a) +
         sum(cwise_product(softmax<0>(a), b)) + sum(cwise_product(log_softmax<1>(b), a)) + norm(a) + stddev(b) +
         sum(etch::variance<0>(a)) + sum(min<1>(a)) + max(b) + prod(a) + sum(prod<1>(b)) + sum(logsumexp<1>(a));
};
constexpr auto products = [](auto a, auto b) {
  auto const c = a * transpose(b);
  return sum(square(c)) + sum(tanh(transpose(a) * b)) + sum(c * a) + dot(reshape<-1>(a), reshape<-1>(b)) +
         squared_norm(b);
};
constexpr auto broadcasts = [](auto a, auto b) {
  auto const column = sum<1>(a);
  auto const row = sum<0>(b);
  return sum(cwise_product(a, column)) + sum(square(b + row) / 7) + sum(column * row) + sum(a * 2.0 - 1) * sum(b) +
         sum(a) / (1 + sum(square(b)));
};

template <class T, int M, int N>
void check() {
  auto const a = random<tensor<T, M, N>>(1), b = random<tensor<T, M, N>>(2);
  check_both<T, wrt<0, 1>>(64, elementwise, a, b);
  check_both<T, wrt<0, 1>>(256, reductions, a, b);
  check_both<T, wrt<0, 1>>(256, reductions, a, a);  // the same object twice
  check_both<T, wrt<1, 0>>(256, products, a, b);
  if constexpr (M * N > 1) {
    check_both<T, wrt<0>>(64, elementwise, a, b);
    check_both<T, wrt<1>>(64, broadcasts, a, b);
  }
}

}  // namespace

TEST_CASE("element-wise ops, reductions and products on a tape: float") { check<float, 7, 5>(); }
TEST_CASE("element-wise ops, reductions and products on a tape: double, one entry") { check<double, 1, 1>(); }

TEST_CASE("special values on a tape: NaN and infinities in the places of the compiled program") {
  constexpr double huge = 1e308, none = tapes::none<double>, inf = tapes::inf<double>;
  tensor<double, 9> const a{0, -0.0, inf, -inf, none, -1, 1, huge, 2}, b{1, 0, -0.0, inf, 1, none, inf, 2, -inf};
  constexpr auto f = [](auto x, auto y) {
    return sum(cwise_product(sqrt(x), y)) + sum(select(x > 0, log(x), 0)) + sum(max(x, y)) + sum(relu(y));
  };
  check_both<double, wrt<0, 1>>(0, f, a, b);
  constexpr auto g = [](auto x, auto y) {
    return sum(cwise_product(select(x > 0, log(x), 0), y)) + sum(select(y < 0, sqrt(-y), square(x)));
  };
  check_both<double, wrt<0, 1>>(4, g, tensor<double, 4>{0, 1, -1, 2}, tensor<double, 4>{1, 0, -1, 3});
  auto const gradient = dynamic::grad<wrt<0>>(g)(tensor<double, 4>{0, 1, -1, 2}, tensor<double, 4>{1, 0, -1, 3});
  CHECK(gradient == tensor<double, 4>{0, 2, 0, 5.5});
}

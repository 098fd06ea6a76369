#include <etch/op/softmax.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

namespace {

void in_two_sizes(auto f) {
  f.template operator()<float, 5>();
  f.template operator()<double, 33>();
}

}  // namespace

static_assert(op::logsumexp::infer(1, {make_shape(3, 4)}) == make_shape(1, 4));
static_assert(op::softmax::infer(1, {make_shape(3, 4)}) == make_shape(3, 4));
static_assert(std::is_same_v<decltype(logsumexp(expr<float, 3, 4>())), expr<float>>);
static_assert(std::is_same_v<decltype(log_softmax<1>(expr<float, 3, 4>())), expr<float, 3, 4>>);

TEST_CASE("one entry far above the others takes everything") {
  in_two_sizes([]<class T, int N>() {
    for (T const gap : {T(800), T(10000)}) {
      tensor<T, N + 1, 2> x;
      x.fill(-gap);
      x(N, 0) = x(0, 1) = gap;
      auto const [value, g] = value_and_grad([](auto a) { return sum(logsumexp<0>(a)); })(x);
      CHECK(value == 2 * gap);
      for (int i = 0; i <= N; ++i) {
        CHECK(g(i, 0) == (i == N ? 1 : 0));
        CHECK(g(i, 1) == (i == 0 ? 1 : 0));
      }
      auto both = compile<wrt<>>([](auto a) { return softmax<0>(a) + log_softmax<0>(a); }, x);
      CHECK(both(x)(N, 0) == 1 + 0);
      CHECK(both(x)(0, 0) == 0 - 2 * gap);
    }
  });
}

TEST_CASE("logsumexp of nothing but -inf is -inf, with gradient 0") {
  in_two_sizes([]<class T, int N>() {
    tensor<T, N, 2> x;
    x.fill(-infinity<T>);
    for (int i = 0; i < N; ++i) x(i, 1) = 1;
    auto values = compile<wrt<>>([](auto a) { return logsumexp<0>(a); }, x);
    CHECK(values(x)(0, 0) == -infinity<T>);
    CHECK(static_cast<double>(values(x)(0, 1)) == doctest::Approx(1 + std::log(static_cast<double>(N))));
    auto const [value, g] = value_and_grad([](auto a) { return sum(logsumexp<0>(a)); })(x);
    CHECK(value == -infinity<T>);
    for (int i = 0; i < N; ++i) {
      CHECK(g(i, 0) == 0);
      CHECK(static_cast<double>(g(i, 1)) == doctest::Approx(1.0 / N));
    }
  });
}

TEST_CASE("the sum of log_softmax, whose gradient arrives as one repeated number") {
  tensor<double, 3, 2> const x{1, 2, 3, 0, 0, 0};
  auto const g = grad([](auto a) { return sum(log_softmax<0>(a)); })(x);
  double const total = std::exp(1.0) + std::exp(2.0) + std::exp(3.0);
  for (int i = 0; i < 3; ++i) {
    CHECK(g(i, 0) == doctest::Approx(1 - 3 * std::exp(i + 1.0) / total));
    CHECK(g(i, 1) == doctest::Approx(0));
  }
}

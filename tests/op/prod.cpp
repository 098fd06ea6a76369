#include <etch/op/prod.hpp>

#include <etch/etch.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

TEST_CASE("products with no, one and two zeros have the right gradients, without a division") {
  in_all_sizes([]<class T, int N>() {
    for (int zeros = 0; zeros <= 2 && zeros <= N; ++zeros) {
      tensor<T, N> x;
      for (int i = 0; i < N; ++i) x(i) = i % 2 ? T(0.5) : T(2);  // powers of two: every product is exact
      if (zeros > 0) x(N / 2) = 0;
      if (zeros > 1) x(N - 1) = 0;
      CAPTURE(zeros);
      CAPTURE(N);
      auto const [value, g] = value_and_grad([](auto a) { return prod(a); })(x);
      T all = 1;
      for (int i = 0; i < N; ++i) all *= x(i);
      CHECK(value == all);
      for (int i = 0; i < N; ++i) {
        T others = 1;
        for (int j = 0; j < N; ++j) others *= j == i ? T(1) : x(j);
        CHECK(g(i) == others);
      }
    }
  });
}

TEST_CASE("every entry of any number takes part once") {
  auto const check = []<int... N>(std::integer_sequence<int, N...>) {
    auto const one = []<int M>(std::integral_constant<int, M>) {
      tensor<double, M> x;
      for (int i = 0; i < M; ++i) x(i) = i % 3 == 0 ? 2 : i % 3 == 1 ? 0.5 : -1;
      auto const [value, g] = value_and_grad([](auto a) { return prod(a); })(x);
      double all = 1;
      for (double e : x) all *= e;
      CAPTURE(M);
      CHECK(value == all);
      for (int i = 0; i < M; ++i) CHECK(g(i) == all / x(i));
    };
    (one(std::integral_constant<int, N>{}), ...);
  };
  check(std::integer_sequence<int, 9, 13, 15, 16, 17, 23, 31, 47, 100>{});
}

TEST_CASE("a product's gradient costs as much as the product: a tree, not a square") {
  auto const flops = []<int N>(std::integral_constant<int, N>) {
    auto step = compile<wrt<0>>([](auto a) { return prod(a); }, tensor<double, N>{});
    return decltype(step)::facts.flops;
  };
  std::int64_t const small = flops(std::integral_constant<int, 64>{}),
                     large = flops(std::integral_constant<int, 256>{});
  CHECK(large <= 5 * small);
  CHECK(large <= 4 * 256);
}

TEST_CASE("products along axes keep them with extent 1") {
  tensor<double, 2, 3> const x{1, 2, 3, 4, 5, 6};
  auto both = compile<wrt<>>([](auto a) { return prod<0>(a) + prod<1>(a) + prod<0, 1>(a); }, x);
  CHECK(both(x) ==
        tensor<double, 2, 3>{2 + 15 + 720, 2 + 48 + 720, 12 + 15 + 720, 12 + 48 + 720, 30 + 15 + 720, 30 + 48 + 720});
  CHECK(value_and_grad([](auto a) { return prod(transpose(a)); })(x).value == 720);
}

TEST_CASE("NaN and infinity times zero are NaN in the product") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x;
    x.fill(1);
    x(N / 2) = not_a_number<T>;
    CHECK(std::isnan(value_and_grad([](auto a) { return prod(a); })(x).value));
    if (N == 1) return;
    x(N / 2) = 0, x(0) = infinity<T>;
    auto const [value, g] = value_and_grad([](auto a) { return prod(a); })(x);
    CHECK(std::isnan(value));
    CHECK(g(N / 2) == infinity<T>);
    CHECK(g(0) == 0);
  });
}

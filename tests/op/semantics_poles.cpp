// The promises at poles and far out.
#include "op/semantics.hpp"

using namespace etch;
using namespace semantics;

TEST_CASE("sqrt'(0), 1/x at 0 and log'(0) are the infinite limit") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b, auto c) { return sum(sqrt(a)) + sum(1 / b) + sum(log(c)); };
    check_slopes<T, N>(f, slopes<T>{{0, 4, 1}, {inf<T>, T(0.25), T(0.5)}},
                       slopes<T>{{0, T(-0.0), 2}, {-inf<T>, -inf<T>, T(-0.25)}},
                       slopes<T>{{0, T(-0.0), 2}, {inf<T>, inf<T>, T(0.5)}});
  });
}

TEST_CASE("log'(-1) is NaN") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b, auto c) { return sum(log(a)) + sum(log2(b) + log10(b)) + sum(log1p(c)); };
    check_slopes<T, N>(f, slopes<T>{{-1, 2, -inf<T>, none<T>}, {none<T>, T(0.5), none<T>, none<T>}},
                       slopes<T>{{-1, inf<T>}, {none<T>, 0}}, slopes<T>{{-2, 1}, {none<T>, T(0.5)}});
  });
}

TEST_CASE("select(x > 0, log(x), 0) at 0 has slope 0: the branch not taken is masked behind its rule") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto guarded = [](auto a, auto b) {
      return sum(select(a > 0, log(a), 0)) + sum(select(b <= 0, 1, 1 / sqrt(b)));
    };
    check_slopes<T, N>(guarded, slopes<T>{{0, 4, -1, none<T>, T(-0.0)}, {0, T(0.25), 0, 0, 0}},
                       slopes<T>{{0, 4, -1, 1}, {0, T(-0.0625), 0, T(-0.5)}});
  });
  // The same of the second derivative: -1 / x² where it is taken, else 0.
  for (element const type : {element::f32, element::f64}) {
    auto const guarded = [](term x) { return select(less_than(0, x), log(x), 0); };
    CHECK(derivatives(type, 0, 3, guarded) == std::vector<double>{0, 0, 0, 0});
    CHECK(derivatives(type, 1, 3, guarded) == std::vector<double>{0, 1, -1, 2});
  }
}

TEST_CASE("softplus, log_sigmoid, softmax and logsumexp far out are finite and right") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b, auto w) {
      return sum(cwise_product(softplus(a), w)) + 3 * sum(cwise_product(log_sigmoid(b), w));
    };
    check_slopes<T, N>(f, slopes<T>{{800, -800, 0}, {1, 0, T(0.5)}}, slopes<T>{{-800, 800, -800}, {3, 0, 3}},
                       slopes<T>{{1, 1, 1}, {800 - 2400, 0, T(0.69314718055994530942) - 2400}});
    for (T const far : {T(1e4), T(-1e4)}) {
      tensor<T, N> x;
      x.fill(far);
      auto const all = value_and_grad([](auto a) { return logsumexp(a); })(x);
      CHECK(static_cast<double>(all.value) == doctest::Approx(static_cast<double>(far) + std::log(N)));
      auto share = compile<wrt<0>>([](auto a) { return sum(cwise_product(softmax(a), a)); }, x);
      CHECK(static_cast<double>(share(x)) == doctest::Approx(static_cast<double>(far)));
      for (std::size_t i = 0; i < N; ++i) {
        CHECK(static_cast<double>(all.grad[i]) == doctest::Approx(1.0 / N));
        CHECK(static_cast<double>(share.template grad<0>()[i]) ==
              doctest::Approx(1.0 / N).epsilon(1e-4 + (sizeof(T) == 4 ? 1e4 * 1e-6 : 0)));
      }
    }
  });
}

TEST_CASE("logsumexp of nothing but -inf is -inf, with gradient 0") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x;
    x.fill(-inf<T>);
    auto const [value, g] = value_and_grad([](auto a) { return logsumexp(a); })(x);
    CHECK(value == -inf<T>);
    CHECK(g == tensor<T, N>{});
  });
}

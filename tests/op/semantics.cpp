// The promises at kinks, ties and repeated zeros.
#include "op/semantics.hpp"

#include <etch/op/prod.hpp>

using namespace etch;
using namespace semantics;

TEST_CASE("relu'(0), relu'(-0), abs'(0), and the derivatives of steps are 0") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b, auto c) {
      return sum(relu(a)) + sum(abs(b)) +
             sum(cwise_product(sign(c) + floor(c) + ceil(c) + round(c), stop_gradient(c))) + sum(c) * 0;
    };
    check_slopes<T, N>(f, slopes<T>{{0, T(-0.0), 2, -2}, {0, 0, 1, 0}}, slopes<T>{{0, T(-0.0), 3, -3}, {0, 0, 1, -1}},
                       slopes<T>{{0, T(-0.0), 1, T(0.5), T(-1.5)}, {0, 0, 0, 0, 0}});
  });
}

TEST_CASE("relu'(NaN) is NaN") {
  in_all_sizes([]<class T, int N>() {
    check_slopes<T, N>([](auto a) { return sum(relu(a)); },
                       slopes<T>{{none<T>, 1, -1, 0, 2, -2, 3}, {none<T>, 1, 0, 0, 1, 0, 1}});
  });
}

TEST_CASE("leaky_relu'(0) is the slope, relu6' is 0 at 0 and 6, a Huber loss has slope 1 at its delta") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b, auto c) {
      auto const huber = select(abs(c) <= 1, square(c) / 2, abs(c) - 0.5);
      return sum(leaky_relu(a, 0.25)) + sum(relu6(b)) + sum(huber);
    };
    check_slopes<T, N>(f, slopes<T>{{0, T(-0.0), -1, 1}, {T(0.25), T(0.25), T(0.25), 1}},
                       slopes<T>{{0, 6, T(-0.0), 3, 7, -1}, {0, 0, 0, 1, 0, 0}},
                       slopes<T>{{1, -1, 0, 2, -2, T(0.5)}, {1, -1, 0, 1, -1, T(0.5)}});
  });
}

TEST_CASE("clamp has slope 1 at a bound") {
  in_all_sizes([]<class T, int N>() {
    check_slopes<T, N>([](auto a) { return sum(clamp(a, -1, 2)); }, slopes<T>{{-1, 2, 0, 3, -3}, {1, 1, 1, 0, 0}});
  });
}

TEST_CASE("max(a, a) and min(a, a): half each") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto a, auto b) { return sum(max(a, b)) + 3 * sum(min(a, b)); };
    std::vector<T> const a{1, 0, T(-0.0), inf<T>, -2}, half{2, 2, 2, 2, 2}, b{1, T(-0.0), 0, inf<T>, -2};
    check_slopes<T, N>(f, slopes<T>{a, half}, slopes<T>{b, half});
  });
}

TEST_CASE("ties over an axis share the gradient evenly; argmax names the first") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N + 1, 2> x;  // two equal entries at the ends of a column, and a column of equal entries
    x.fill(1);
    x(0, 0) = x(N, 0) = 3;
    auto const g = grad([](auto a) { return sum(max<0>(a)) - sum(min<0>(-a)); })(x);
    auto where = compile<wrt<>>([](auto a) { return argmax<0>(a); }, x);
    for (int i = 0; i <= N; ++i) {
      CHECK(g(i, 0) == (i == 0 || i == N ? 1 : 0));
      CHECK(static_cast<double>(g(i, 1)) == doctest::Approx(2.0 / (N + 1)));
    }
    CHECK(where(x) == tensor<T, 1, 2>{0, 0});
    x(N, 1) = 2;
    CHECK(where(x) == tensor<T, 1, 2>{0, N});
  });
}

TEST_CASE("max(1, NaN) and max(NaN, 1) are NaN, and so are their gradients") {
  in_all_sizes([]<class T, int N>() {
    // The third operand is a weight: its gradient is the value.
    constexpr auto f = [](auto a, auto b, auto w) {
      return sum(cwise_product(max(a, b), w)) + sum(cwise_product(min(a, b), w));
    };
    check_slopes<T, N>(
        f,
        slopes<T>{{1, none<T>, none<T>, 1, 2, -inf<T>, none<T>}, {none<T>, none<T>, none<T>, 1, 1, none<T>, none<T>}},
        slopes<T>{{none<T>, 1, none<T>, 3, 1, none<T>, inf<T>}, {none<T>, none<T>, none<T>, 1, 1, none<T>, none<T>}},
        slopes<T>{{1, 1, 1, 1, 1, 1, 1}, {none<T>, none<T>, none<T>, 4, 3, none<T>, none<T>}});
  });
}

TEST_CASE("the product of entries with one zero, and with two") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N + 1> x;
    auto product = compile<wrt<0>>([](auto a) { return prod(a); }, x);
    x.fill(1);
    x[0] = 3;
    x[N] = 0;
    CHECK(product(x) == 0);
    for (std::size_t i = 0; i <= N; ++i) CHECK(product.template grad<0>()[i] == (i == N ? 3 : 0));
    x[0] = 0;
    CHECK(product(x) == 0);
    for (std::size_t i = 0; i <= N; ++i) CHECK(product.template grad<0>()[i] == 0);
  });
}

TEST_CASE("the standard deviation of equal entries is 0, with gradient 0") {
  in_all_sizes([]<class T, int N>() {
    tensor<T, N> x;
    x.fill(T(0.1));
    auto const [value, g] = value_and_grad([](auto a) { return stddev(a); })(x);
    CHECK(value == 0);
    CHECK(g == tensor<T, N>{});
  });
}

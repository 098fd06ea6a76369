#include <etch/op/image/pool.hpp>

#include <etch/etch.hpp>

#include "laws/agree.hpp"
#include "laws/differences.hpp"

using namespace etch;
using namespace laws;

namespace {

static_assert(windows(attribute(windows({2, 3}, {255, 1}))).size == fixed<int, 2>{2, 3});
static_assert(windows(attribute(windows({2, 3}, {255, 1}))).stride == fixed<int, 2>{255, 1});

/// Value and gradient of sum(w * max_pool(x)) against plain loops: the first largest entry
/// of each window, width fastest.
template <class T, int W, int H, int C, int N, int Size, int Stride>
void check(bool with_ties) {
  constexpr int P = (W - Size) / Stride + 1, Q = (H - Size) / Stride + 1;
  tensor<T, W, H, C, N> x, expected;
  tensor<T, P, Q, C, N> w, y;
  randomise(x, -1, 1, 1), randomise(w, -1, 1, 2);
  if (with_ties)
    for (T& e : x) e = std::round(2 * e);
  for (int n = 0; n < N; ++n)
    for (int c = 0; c < C; ++c)
      for (int q = 0; q < Q; ++q)
        for (int p = 0; p < P; ++p) {
          int u = p * Stride, v = q * Stride;
          for (int j = q * Stride; j < q * Stride + Size; ++j)
            for (int i = p * Stride; i < p * Stride + Size; ++i)
              if (x(i, j, c, n) > x(u, v, c, n)) u = i, v = j;
          y(p, q, c, n) = x(u, v, c, n);
          expected(u, v, c, n) += w(p, q, c, n);
        }
  auto forward = compile<wrt<>>([](auto a) { return max_pool<Size, Stride>(a); }, x);
  forward(x);
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(forward.value()[i] == y[i]);
  auto const g = grad([](auto a, auto b) { return sum(cwise_product(b, max_pool<Size, Stride>(a))); })(x, w);
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(distance(static_cast<double>(g[i]), static_cast<double>(expected[i])) < 1e-6);
}

constexpr auto whole = [](auto x) { return sum(max_pool<2>(x)); };
constexpr auto after_relu = [](auto x, auto w) { return sum(cwise_product(w, max_pool<2>(relu(x)))); };

}  // namespace

TEST_CASE_TEMPLATE("pooling picks the first largest entry of each window", T, float, double) {
  for (bool with_ties : {false, true}) {
    check<T, 6, 4, 3, 17, 2, 2>(with_ties);
    check<T, 7, 5, 2, 5, 2, 2>(with_ties);  // the rest is dropped
    check<T, 7, 8, 1, 3, 3, 3>(with_ties);
    check<T, 7, 5, 2, 16, 3, 2>(with_ties);  // windows meet
    check<T, 6, 7, 1, 2, 3, 1>(with_ties);
    check<T, 8, 5, 1, 1, 2, 3>(with_ties);  // gaps between windows
    check<T, 3, 3, 2, 4, 1, 1>(with_ties);
    check<T, 3, 3, 1, 1, 3, 1>(with_ties);  // one window
  }
}

TEST_CASE("an image without a batch keeps its rank") {
  tensor<double, 4, 2, 3> x;
  randomise(x, -1, 1, 1);
  auto program = compile<wrt<>>([](auto a) { return max_pool<2>(a); }, x);
  tensor<double, 2, 1, 3> const& y = program(x);
  CHECK(y(1, 0, 2) == std::max({x(2, 0, 2), x(3, 0, 2), x(2, 1, 2), x(3, 1, 2)}));
}

TEST_CASE("a NaN wins its window, whose gradients are NaN; other windows know nothing of it") {
  for (int where = 0; where < 4; ++where) {
    tensor<float, 4, 2> x{1, 2, 3, 4, 5, 6, 7, 8};
    x(where & 1, where >> 1) = std::numeric_limits<float>::quiet_NaN();
    auto step = compile<wrt<0>>(whole, x);
    CHECK(std::isnan(step(x)));
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 4; ++i) {
        if (i < 2) CHECK(std::isnan(step.grad<0>()(i, j)));
        else CHECK(step.grad<0>()(i, j) == (i == 3 && j == 1 ? 1 : 0));
      }
  }
}

TEST_CASE("infinities are entries like others") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  tensor<float, 2, 2> x{-inf, -inf, inf, inf};
  auto step = compile<wrt<0>>(whole, x);
  CHECK(step(x) == inf);
  CHECK(step.grad<0>()(0, 0) == 0);
  CHECK(step.grad<0>()(0, 1) == 1);
  CHECK(step.grad<0>()(1, 1) == 0);
  x.fill(-inf);
  CHECK(step(x) == -inf);
  CHECK(step.grad<0>()(0, 0) == 1);
}

TEST_CASE("relu is applied to what was pooled, with the same gradients") {
  tensor<double, 6, 4, 2, 5> x;
  tensor<double, 3, 2, 2, 5> w;
  randomise(x, -1, 1, 1), randomise(w, -1, 1, 2);
  for (double& e : x) e = std::round(e);  // ties, at 0 too
  auto const g = grad(after_relu)(x, w);
  tensor<double, 6, 4, 2, 5> positive;
  for (std::size_t i = 0; i < x.size(); ++i) positive[i] = std::max(x[i], 0.0);
  auto const by_hand = grad([](auto a, auto b) { return sum(cwise_product(b, max_pool<2>(a))); })(positive, w);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(g[i] == (x[i] > 0 ? by_hand[i] : 0));
  graph_view const pooled = decltype(compile(after_relu, x, w))::executable::graph;
  for (node const& n : pooled.nodes)
    if (n.op == opcode_of<op::relu>) CHECK(n.extent == make_shape(5, 3, 2, 2));
}

TEST_CASE("pooling agrees with finite differences, at first and second order") {
  subject of = subject_of<op::max_pool>();
  check_derivatives(of, {make_shape(2, 5, 4, 2)}, windows({2, 2}, {2, 2}));
  check_derivatives(of, {make_shape(1, 5, 4, 1)}, windows({3, 2}, {1, 1})),
      check_float(of, {make_shape(1, 5, 4, 1)}, windows({3, 2}, {1, 1}));
}

TEST_CASE("compiled pooling is the plain evaluation of its graph") {
  tensor<float, 7, 6, 2, 19> x;
  tensor<float, 5, 4, 1, 7> y;
  randomise(x, -1, 1, 1), randomise(y, -1, 1, 2);
  check_agreement<wrt<0>>(1e-5, [](auto a) { return sum(square(max_pool<2>(tanh(a)))); }, x);
  check_agreement<wrt<0>>(1e-5, [](auto a) { return sum(square(max_pool<3, 1>(tanh(a)))); }, y);
}

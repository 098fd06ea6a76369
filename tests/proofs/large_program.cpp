// A loss of more than 300 operations of the whole vocabulary, with its gradient. compilers.sh
// compiles it with default flags.
#include <etch/etch.hpp>

#include <cmath>
#include <cstdio>

constexpr auto loss = [](auto x, auto y, auto m, auto index) {
  using namespace etch;
  auto h = x;
  auto total = sum(y);
  for (int t = 0; t < 6; ++t) {
    auto const u = sigmoid(h) + 0.5, v = softplus(y) + 0.1 * (t + 1);
    h = tanh(h + y * (t + 1));
    total += sum(exp(-square(h)) + cwise_product(log(u), sqrt(v)) + cwise_product(sin(h), cos(y)) + atan2(u, v) +
                 hypot(h, v));
    total += sum(select(h > y, erf(h), gelu(y)) + max(h, y) - min(h, 0.25) + clamp(h, -0.5, 0.5) + pow(u, 1.5) +
                 log1p(u) + expm1(v));
    total += norm(h) + logsumexp(h) + variance(y) + mean(asinh(h)) + sum(silu(h) + leaky_relu(y) + cbrt(v) + lgamma(v));
    auto const [a, b] = split<0, 2>(h);
    h = h + concat<0>(b, a) + reverse(y) * 0.01;
    total += sum(cumsum(h)) + prod(u) + dot(a, b);
  }
  auto const k = transpose(m) * m + identity<4>();
  total += logdet(k) + sum(solve(k, slice<0, 0, 4>(h))) + trace(cholesky(k)) + sum(gather<0>(h, index)) + sum(tril(m));
  return total;
};

int main() {
  etch::tensor<double, 8> x, y;
  etch::tensor<double, 4, 4> m;
  etch::tensor<int, 3> index{1, 7, 1};
  for (std::size_t i = 0; i < 8; ++i)
    x[i] = 0.1 * static_cast<double>(i) - 0.28, y[i] = 0.53 - 0.1 * static_cast<double>(i);
  for (std::size_t i = 0; i < 16; ++i) m[i] = 0.05 * static_cast<double>(i);
  auto step = etch::compile<etch::wrt<0, 1, 2>>(loss, x, y, m, index);
  double const value = step(x, y, m, index);
  // A directional difference through all arguments at once.
  double slope = 0;
  auto const moved = [&](double by) {
    auto p = x, q = y;
    auto n = m;
    for (double& e : p) e += by;
    for (double& e : q) e -= by;
    for (double& e : n) e += by;
    return step(p, q, n, index);
  };
  double const h = 1e-5, difference = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
  step(x, y, m, index);
  for (double e : step.grad<0>()) slope += e;
  for (double e : step.grad<1>()) slope -= e;
  for (double e : step.grad<2>()) slope += e;
  bool const agrees = std::isfinite(value) && std::abs(slope - difference) <= 1e-7 * std::abs(difference);
  std::printf("%d nodes, slope %.12g, difference %.12g\n%s\n", decltype(step)::facts.nodes, slope, difference,
              agrees ? "1 passed, 0 failed" : "0 passed, 1 failed");
  return agrees ? 0 : 1;
}

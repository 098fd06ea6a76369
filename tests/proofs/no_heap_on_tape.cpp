// A tape that has grown allocates nothing: scalars, tensors, structs, compiled programs as entries,
// positions, and dynamic::value_and_grad.
#include <etch/etch.hpp>
#include <etch/tape/dynamic.hpp>

#include "../../examples/heap_count.hpp"

#include <cstddef>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

using namespace etch;

template <class T>
struct mlp {
  nn::dense<T, 20, 16> hidden;
  nn::dense<T, 16, 5> output;
  ETCH_MEMBERS(mlp, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};

constexpr auto digits_loss = [](auto const& model, auto x, auto y) { return nn::softmax_cross_entropy(model(x), y); };
constexpr auto cell = [](auto w, auto h) { return tanh(w * h); };
constexpr auto reductions = [](auto x, auto w) {
  auto const y = transpose(x) * w;
  return norm(y) + logsumexp(y) + max(y) + sum(sqrt(square(sum<1>(y)) + 1)) + stddev(w) +
         sum(cwise_product(softmax<0>(y), w)) + prod(y + 2.0);
};
constexpr auto algebra = [](auto x, auto w) {
  return logdet(w * transpose(w) + identity<7>()) + sum(solve(x + 10 * identity<7>(), w));
};

constexpr auto parts = [](auto x, auto w) {
  return sum(square(concat<0>(x, w, x))) + sum(tanh(stack<2>(x, w))) + sum(square(pad<0, 1, 2>(x))) +
         sum(slice<1, 2, 3>(w)) * x(1, 1);
};
constexpr auto images = [](auto x, auto w) {
  auto const filter = reshape<3, 3, 1, 1>(slice<0, 0, 3>(slice<1, 0, 3>(w)));
  auto const seen = relu(conv2d(reshape<7, 7, 1, 1>(x), filter));
  return sum(square(seen)) + sum(max_pool<2>(slice<0, 0, 4>(slice<1, 0, 4>(seen))));
};
constexpr auto loops = [](auto x, auto w) {
  auto const last = scan([](auto h, auto column) { return tanh(h + column); }, slice<1, 0, 1>(w), x);
  auto const summed = sum_map([](auto column) { return sum(exp(column)); }, w);
  return sum(square(last)) + summed + sum(repeat<5>([&](auto h) { return w * h * 0.1; }, x));
};

/// A function of the user's.
struct doubled {
  template <class T>
  static void forward(std::span<T const> x, std::span<T> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i];
  }
  template <class T>
  static void backward(std::span<T const> u, std::span<T const>, std::span<T const>, std::span<T> gx) {
    for (std::size_t i = 0; i < u.size(); ++i) gx[i] = 2 * u[i];
  }
};

int passed = 0, failed = 0;

/// Runs `work` three times to warm up, then counts.
void expect_none(char const* what, auto work) {
  for (int i = 0; i < 3; ++i) work();
  long const before = heap::count();
  for (int i = 0; i < 5; ++i) work();
  long const made = heap::count() - before;
  if (made != 0) std::printf("%s: %ld allocations\n", what, made);
  ++(made == 0 ? passed : failed);
}

}  // namespace

int main() {
  if (char const* reason = heap::why_not_counted()) {
    std::printf("skipped: heap allocations are %s\n", reason);
    return 77;
  }
  tape<double> t;
  tape<float> f;
  std::vector<var<double>> held(1000);
  tensor<double, 7, 7> a, b;
  for (std::size_t i = 0; i < 49; ++i)
    a[i] = 0.01 * static_cast<double>(i), b[i] = 0.3 - 0.02 * static_cast<double>(i * i % 17);
  auto const model = std::make_unique<mlp<float>>();
  nn::init::glorot_uniform(*model, 1);
  auto const x = std::make_unique<tensor<float, 20, 8>>();
  x->fill(0.5f);
  tensor<int, 8> labels{0, 1, 2, 3, 4, 0, 1, 2};
  volatile double sink = 0;

  expect_none("scalars", [&] {
    t.reset();
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = t.watch(static_cast<double>(i));
    var<double> s = 0;
    for (int round = 0; round < 100; ++round)
      for (auto const& each : held) s = sin(s) + each * each;
    t.backward(s, retain);
    sink = sink + t.grad(held[0]);
    t.backward(s);
  });
  expect_none("positions", [&] {
    t.reset();
    var<double> s = t.watch(1.0);
    for (int i = 0; i < 500; ++i) {
      s = s * 1.01;
      auto const here = t.mark();
      sink = sink + t.backward(exp(-s) * s);
      t.rewind(here);
    }
  });
  expect_none("tensors", [&] {
    t.reset();
    auto const u = t.watch(a), w = t.watch(b);
    var<double, 7, 7> h = u;
    for (int i = 0; i < 20; ++i) h = tanh(w * h) + select(h > 0, log(h), 0) + transpose(u);
    sink = sink + t.backward(sum(square(h)) * h(0, 0)) + value(h)(1, 1);
    sink = sink + t.grad(u)(0, 0);
  });
  expect_none("structs and labels", [&] {
    f.reset();
    auto const m = f.watch(*model);
    sink = sink + f.backward(digits_loss(m, f.constant(*x), f.constant(labels)));
    sink = sink + f.grad(m).output.bias[0];
  });
  expect_none("apply", [&] {
    t.reset();
    auto const w = t.watch(b);
    auto h = t.watch(a);
    for (int i = 0; i < 50; ++i) h = t.apply(cell, w, h);
    sink = sink + t.backward(sum(h));
    sink = sink + t.grad(w)(0, 0);
  });
  expect_none("kernels", [&] {
    t.reset();
    auto const u = t.watch(a);
    var<double, 7, 7> h = u;
    for (int i = 0; i < 20; ++i) h = kernel<doubled>(transpose(h) * 0.5);
    sink = sink + t.backward(sum(h)) + t.grad(u)(0, 0);
  });
  expect_none("apply of a struct", [&] {
    f.reset();
    auto const m = f.watch(*model);
    for (int i = 0; i < 3; ++i) sink = sink + value(var<float>(f.apply(digits_loss, m, *x, labels)));
    sink = sink + f.backward(f.apply(digits_loss, m, *x, labels));
  });
  auto const expect_none_in = [&](char const* what, auto loss) {
    auto both = dynamic::value_and_grad<wrt<0, 1>>(loss);
    expect_none(what, [&] { sink = sink + both(a, b).value; });
  };
  expect_none_in("dynamic::value_and_grad of reductions", reductions);
  expect_none_in("dynamic::value_and_grad of linear algebra", algebra);
  expect_none_in("dynamic::value_and_grad of parts", parts);
  expect_none_in("dynamic::value_and_grad of images", images);
  expect_none_in("dynamic::value_and_grad of loops", loops);
  auto of_model = dynamic::value_and_grad(digits_loss);
  expect_none("dynamic::value_and_grad of a struct", [&] { sink = sink + of_model(*model, *x, labels).value; });

  std::vector<std::byte> buffer(100'000);
  expect_none("a new tape in the user's buffer", [&] {
    tape<double> small{std::span<std::byte>(buffer)};
    auto const v = small.watch(2.0);
    var<double> s = v;
    for (int i = 0; i < 1000; ++i) s = s * 0.5 + v;
    sink = sink + small.backward(s);
  });
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

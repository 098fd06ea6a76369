// Workers share a batch of which so many entries count as a call says: each has an equal part of those, and numbers are
// those of the program that runs alone.
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

#include "compile/parallel_agree.hpp"
#include "compile/threads.hpp"

#include <doctest/doctest.h>

namespace {

using namespace etch;
using namespace parallel_numbers;

TEST_CASE("a mean over the samples that count, at every number of them") {
  network<double> model;
  tensor<double, 6, upto<13>> x;
  tensor<int, upto<13>> y;
  fill(model), fill(x), fill(y);
  constexpr auto loss = [](auto m, auto a, auto b) {
    return nn::softmax_cross_entropy(m(a), b) + 0.25 * sum(square(m.output.weight));
  };
  auto step = compile(loss, model, x, y);
  auto const compare = [&](auto shared) {
    for (int n = 1; n <= 13; ++n) {
      CAPTURE(n);
      x.resize(n), y.resize(n);
      CHECK(shared(model, x, y) == doctest::Approx(step(model, x, y)).epsilon(1e-13));
      CHECK(distance(step.template grad<0>(), shared.template grad<0>()) < 1e-12);
    }
  };
  compare(parallel<1>(step));
  compare(parallel<2>(step));
  compare(parallel<5, test_workers::threads>(step));
}

constexpr auto several = [](auto w, auto x) {
  auto const y = tanh(w * x);
  return std::tuple{sum(square(y)), y, sum<1>(y), sum(square(w)), x.count(), mean(y)};
};

TEST_CASE("results with an entry for each that counts, and sums of none") {
  tensor<double, 4, 3> w;
  tensor<double, 3, upto<10>> x;
  fill(w), fill(x);
  auto step = compile(several, w, x);
  auto shared = parallel<3>(step);
  static_assert(shared.facts.entries == 10 && shared.facts.bound == 10);
  static_assert(shared.facts.flops_of_each == step.facts.flops_of_each);
  for (int n = 0; n <= 10; ++n) {
    CAPTURE(n);
    x.resize(n);
    CHECK(shared(w, x) == doctest::Approx(step(w, x)).epsilon(1e-14));
    agree(step.result<1>(), shared.result<1>(), 1e-15);
    agree(step.result<2>(), shared.result<2>(), 1e-14);
    CHECK(shared.result<3>() == step.result<3>());
    CHECK(shared.result<4>() == n);
    if (n > 0) CHECK(shared.result<5>() == doctest::Approx(step.result<5>()).epsilon(1e-13));
    else CHECK(shared.result<5>() != shared.result<5>());
    agree(step.grad<0>(), shared.grad<0>(), 1e-14);
  }
}

TEST_CASE("an argument that is differentiated and split") {
  tensor<float, 4, 3> w;
  tensor<float, 3, upto<11>> x;
  tensor<float, 4, upto<11>> y;
  fill(w), fill(x), fill(y);
  constexpr auto loss = [](auto u, auto v, auto z) { return mean(square(tanh(u * v) - z)); };
  auto step = compile<wrt<1, 0>>(loss, w, x, y);
  auto shared = parallel<2, over<1, 2>>(step);
  for (int n : {11, 10, 3, 2, 1}) {
    CAPTURE(n);
    x.resize(n), y.resize(n);
    CHECK(shared(w, x, y) == doctest::Approx(step(w, x, y)).epsilon(1e-5));
    agree(step.grad<0>(), shared.grad<0>(), 1e-6);
    agree(step.grad<1>(), shared.grad<1>(), 1e-6);
  }
  // Targets are told how many count.
  tensor<float, 3, upto<11>> to;
  x.resize(4), y.resize(4);
  tensor<float, 4, 3> of_w;
  shared(w, x, y, into(to, of_w));
  CHECK(to.count() == 4);
  agree(to, shared.grad<1>(), 0);
}

TEST_CASE("what counts beside a batch of fixed size is the same for all workers") {
  tensor<double, 3, 7> x;
  tensor<double, 3, upto<100>> z;
  fill(x), fill(z);
  auto step =
      compile([](auto w, auto c, auto v) { return mean(square(w * v)) + mean(exp(-square(w * c))); }, 0.5, z, x);
  auto shared = parallel<2, test_workers::threads>(step);
  static_assert(shared.facts.bound == 100 && shared.facts.flops_of_each == 2 * step.facts.flops_of_each);
  for (int n : {100, 8, 3, 1}) {
    CAPTURE(n);
    z.resize(n);
    CHECK(shared(0.5, z, x) == doctest::Approx(step(0.5, z, x)).epsilon(1e-14));
    CHECK(shared.grad<0>() == doctest::Approx(step.grad<0>()).epsilon(1e-13));
  }
}

// A worker knows how many of its own entries count: nothing may go through all of them.
template <class F, class... A>
constexpr detail::sharing_fault fault_of(F f, A const&... x) {
  return detail::sharing_of<2, detail::parallel_options<>, decltype(compile(f, x...))>::fault;
}
using columns = tensor<double, 4, upto<8>>;
using detail::sharing_fault;
static_assert(fault_of([](auto w, auto x) { return sum(square(w * x)); }, 0.5, columns{}) == sharing_fault::none);
static_assert(fault_of(
                  [](auto w, auto b, auto y) {
                    return sum_map([&](auto p) { return sum(exp(-sum<0>(square(w * y - p)))); }, std::get<0>(b));
                  },
                  0.5, std::tuple<columns>{}, columns{}) == sharing_fault::counts_apart,
              "part of an argument counts that is not split");
static_assert(fault_of([](auto w, auto x) { return sum(broadcast<upto<8>>(sum(square(w * x)))); }, 0.5, columns{}) ==
                  sharing_fault::loss,
              "a sum of workers, once for each entry that counts");
static_assert(fault_of(
                  [](auto w, auto x) {
                    return sum(square(w * x)) + repeat<3>([](auto c) { return sum(broadcast<upto<8>>(c)); }, w);
                  },
                  0.5, columns{}) == sharing_fault::loss,
              "a value of all workers, within a loop");
static_assert(fault_of([](auto w,
                          auto x) { return sum_map([&](auto p) { return sum(broadcast<upto<8>>(w)) * sum(p); }, x); },
                       0.5, columns{}) == sharing_fault::loss,
              "the same in a loop over points");

}  // namespace

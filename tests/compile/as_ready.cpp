// A gradient that is ready during a call is final, and nobody looks at it any more: it may be read and overwritten.
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

#include "compile/parallel_numbers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace {

using namespace etch;
using namespace parallel_numbers;

/// Takes each leaf of `targets` away as soon as it is ready, and leaves something else in its place.
class taker {
 public:
  std::vector<int> order;
  std::vector<std::vector<double>> taken;

  explicit taker(auto&... targets) { (add(targets), ...); }
  void operator()(int k) {
    order.push_back(k);
    leaves_.at(static_cast<std::size_t>(k))(taken[static_cast<std::size_t>(k)]);
  }

 private:
  struct leaf {
    void* entries;
    std::size_t size;
    bool is_wide;
    void operator()(std::vector<double>& to) const {
      for (std::size_t i = 0; i < size; ++i) {
        if (is_wide) to.push_back(static_cast<double*>(entries)[i]), static_cast<double*>(entries)[i] = 1e30;
        else
          to.push_back(static_cast<double>(static_cast<float*>(entries)[i])), static_cast<float*>(entries)[i] = 1e30f;
      }
    }
  };
  std::vector<leaf> leaves_;

  template <class G>
  void add(G& target) {
    argument<G>::visit(target, [&]<class T>(T* entries, std::size_t n) {
      if constexpr (std::is_floating_point_v<T>) leaves_.push_back({entries, n, sizeof(T) == 8}), taken.emplace_back();
    });
  }
};

template <class... G>
std::vector<std::vector<double>> leaves_of(G const&... of) {
  std::vector<std::vector<double>> all;
  (argument<G>::visit(of,
                      [&]<class T>(T const* entries, std::size_t n) {
                        if constexpr (std::is_floating_point_v<T>) all.emplace_back(entries, entries + n);
                      }),
   ...);
  return all;
}

/// Compares gradients that are taken away with those of a plain call. Returns the order in which they come.
template <class Wrt, class F, class... A>
std::vector<int> check_ready(F f, A const&... x) {
  return [&]<int... I>(wrt<I...>) {
    auto step = std::make_unique<decltype(compile<Wrt>(f, x...))>();
    double const value = (*step)(x...);
    auto targets = std::tuple{step->template grad<I>()...};
    return std::apply(
        [&](auto&... each) {
          auto const expected = leaves_of(each...);
          taker take(each...);
          CHECK((*step)(x..., into(each...).as_ready(take)) == value);
          CHECK(take.taken == expected);
          std::vector<int> sorted = take.order;
          std::sort(sorted.begin(), sorted.end());
          for (std::size_t k = 0; k < expected.size(); ++k) CHECK(sorted.at(k) == static_cast<int>(k));
          CHECK(sorted.size() == expected.size());
          return take.order;
        },
        targets);
  }(Wrt{});
}

template <class T>
struct deep {
  nn::dense<T, 12, 20> first;
  nn::dense<T, 20, 20> second;
  nn::dense<T, 20, 7> third;
  ETCH_MEMBERS(deep, first, second, third)
  constexpr auto operator()(auto x) const { return third(tanh(second(tanh(first(x))))); }
};

TEST_CASE("the last layer's gradients are ready first") {
  deep<double> model;
  tensor<double, 12, 16> x;
  tensor<int, 16> y;
  fill(model, 0.3), fill(x), fill(y);
  std::vector<int> const order = check_ready<wrt<0>>(
      [](auto m, auto a, auto b) { return nn::softmax_cross_entropy(m(a), b) + 0.01 * sum(square(m.second.weight)); },
      model, x, y);
  REQUIRE(order.size() == 6);
  auto const at = [&](int k) { return std::find(order.begin(), order.end(), k) - order.begin(); };
  CHECK(at(4) < at(2));  // weights: the third's before the second's before the first's
  CHECK(at(2) < at(0));
}

TEST_CASE("gradients that are the same value, depend on nothing, or are read by others") {
  tensor<double, 5> a, b;
  tensor<double, 5, 5> m;
  fill(a), fill(b), fill(m);
  check_ready<wrt<0, 1>>([](auto u, auto v) { return sum(square(u + v)); }, a, b);  // equal
  check_ready<wrt<1, 0>>([](auto u, auto v) { return sum(u + 2 * v); }, a, b);      // constant
  check_ready<wrt<0, 1, 2>>([](auto u, auto v, auto w) { return sum(cwise_product(w * u, v)); }, a, b, m);
  check_ready<wrt<0, 1>>([](auto u, auto v, auto w) { return sum(square(tanh(u + w * v))); }, a, b, m);
  check_ready<wrt<0, 2>>([](auto u, auto v, auto w) { return sum(exp(w * (w * u))) + sum(v); }, a, b, m);
  check_ready<wrt<0>>([](auto x) { return x * x; }, 3.0);
}

TEST_CASE("loops, points, numbers of two widths, and what counts") {
  tensor<double, 6, 6> w;
  tensor<double, 6> h;
  tensor<double, 6, 9> xs;
  fill(w, 0.3), fill(h), fill(xs);
  check_ready<wrt<0, 1, 2>>(
      [](auto u, auto start, auto all) {
        auto const last = scan([&](auto c, auto x) { return tanh(u * c + x); }, start, all);
        return sum(square(last)) + sum_map([&](auto x) { return exp(-sum(square(x - start))); }, all);
      },
      w, h, xs);
  tensor<float, 6, 6> narrow;
  fill(narrow);
  check_ready<wrt<0, 1>>([](auto u, auto v) { return sum(square(u * cast<double>(v))); }, w, narrow);
  tensor<double, 6, upto<8>> counted;
  fill(counted);
  counted.resize(5);
  check_ready<wrt<0>>([](auto u, auto x) { return mean(square(u * x)); }, w, counted);
}

TEST_CASE("gradients of members, told to a temporary") {
  deep<double> model;
  tensor<double, 12, 5> x;
  fill(model, 0.3), fill(x);
  auto step =
      compile<wrt_members<0, "third.weight", "first">>([](auto m, auto a) { return mean(square(m(a))); }, model, x);
  double const value = step(model, x);
  auto weight = step.grad<"third.weight">();
  auto first = step.grad<"first">();
  auto const expected = leaves_of(weight, first);
  int calls = 0;
  CHECK(step(model, x, into(weight, first).as_ready([&](int k) { calls += 1 << k; })) == value);
  CHECK(calls == 0b111);
  CHECK(leaves_of(weight, first) == expected);
}

TEST_CASE("targets that are arguments, sums, and programs of other kinds") {
  tensor<double, 5, 4> w;
  tensor<double, 4, 6> x;
  fill(w), fill(x);
  constexpr auto loss = [](auto u, auto v) { return mean(square(tanh(u * v))); };
  auto step = compile(loss, w, x);
  double const value = step(w, x);
  auto const expected = leaves_of(step.grad<0>());

  tensor<double, 5, 4> both = w;
  taker of_both(both);
  CHECK(step(both, x, into(both).as_ready(of_both)) == value);
  CHECK(of_both.taken == expected);

  tensor<double, 5, 4> sums;
  sums.fill(2);
  taker of_sums(sums);
  step(w, x, add_to(sums).as_ready(of_sums));
  for (std::size_t i = 0; i < sums.size(); ++i)
    CHECK(of_sums.taken[0][i] == doctest::Approx(2 + expected[0][i]).epsilon(1e-15));

  tensor<double, 5, 4> to;
  auto shared = parallel<2>(compile(loss, w, x));
  taker of_shared(to);
  shared(w, x, into(to).as_ready(of_shared));
  CHECK(of_shared.taken == leaves_of(shared.grad<0>()));

  auto checked = compile<wrt<0>, check_finite>(loss, w, x);
  taker of_checked(to);
  CHECK(checked(w, x, into(to).as_ready(of_checked)) == value);
  CHECK(of_checked.taken == expected);
  CHECK(checked.status() == status::ok);
}

}  // namespace

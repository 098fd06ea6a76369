#include <etch/op/softmax.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

namespace {

template <class T>
constexpr double epsilon = sizeof(T) == 4 ? 1e-6 : 1e-13;

}  // namespace

TEST_CASE("far from 0 the exponential family is finite and right") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto x, auto w) {
      return logsumexp(x) + sum(cwise_product(w, softmax(x))) + sum(cwise_product(w, log_softmax(x)));
    };
    for (T const level : {T(-10000), T(-800), T(0), T(800), T(10000)}) {
      CAPTURE(level);
      tensor<T, N> x, w;
      x.fill(level);
      w[N - 1] = 1;
      // All equal: logsumexp = level + log N, softmax = 1/N, log_softmax = -log N.
      auto const [value, gradients] = value_and_grad<wrt<0, 1>>(f)(x, w);
      double const n = N;
      CHECK(static_cast<double>(value) == doctest::Approx(static_cast<double>(level) + 1 / n).epsilon(epsilon<T>));
      for (std::size_t i = 0; i < N; ++i) {
        double const hit = i == N - 1 ? 1 : 0;
        CHECK(static_cast<double>(std::get<0>(gradients)[i]) ==
              doctest::Approx(1 / n + (hit - 1 / n) / n + hit - 1 / n).epsilon(20 * epsilon<T>));
        CHECK(static_cast<double>(std::get<1>(gradients)[i]) ==
              doctest::Approx(1 / n - std::log(n)).epsilon(20 * epsilon<T>));
      }
    }
  });
}

#include "laws/counts.hpp"

namespace {

using namespace laws;

TEST_CASE("products count their rows, columns, terms and matrices") {
  check_counts<wrt<0, 1, 2>, 0, 1, 7, 8, 12, 13>(
      laws::near,
      [](auto w, auto x, auto y) {
        auto const z = tanh(w * x);                     // columns
        auto const gram = z * transpose(y);             // terms
        auto const back = transpose(x) * transpose(w);  // rows
        return sum(square(z - y)) + sum(square(gram)) + sum(sin(back)) + sum(square(transpose(y) * gram));
      },
      tensor<double, 3, 5>{}, columns{}, rows{});
  check_counts<wrt<0, 1>, 0, 1, 4, 5>(
      laws::near, [](auto a, auto b) { return sum(tanh(a * b)) + sum(square(transpose(b) * b)); },
      tensor<double, 4, 3, upto<5>>{}, tensor<double, 3, 2, upto<5>>{});
}

TEST_CASE("pairs of samples are gone through as points beside all of them") {
  check_counts<wrt<0, 1>, 0, 1, 3, 12, 13>(
      laws::near,
      [](auto scale, auto x) {
        auto const near_each = etch::map([&](auto p) { return logsumexp(scale * (transpose(p) * x)); }, x);
        return sum(square(near_each)) + etch::sum_map([&](auto p) { return sum(exp(-square(x - p))); }, x);
      },
      tensor<double>{}, columns{});
}

TEST_CASE("products whose last rows are computed apart count their rows, columns and terms") {
  check_counts<wrt<0, 1>, 0, 1, 40, 65, 67>(
      laws::near, [](auto w, auto x) { return sum(tanh(w * x)) + sum(sin(transpose(x) * transpose(w))); },
      tensor<double, 67, 70>{}, tensor<double, 70, upto<67>>{});
  check_counts<wrt<0, 1>, 0, 1, 64, 67>(
      laws::near, [](auto w, auto x) { return sum(tanh(w * x)); }, tensor<double, 33, 70>{},
      tensor<double, 70, upto<67>>{});
  check_counts<wrt<0, 1>, 0, 2, 66, 67>(
      laws::near, [](auto x, auto y) { return sum(sin(x * transpose(y))); }, tensor<double, 33, upto<67>>{},
      tensor<double, 34, upto<67>>{});
}

TEST_CASE("what letters and chains of products count") {
  check_counts<wrt<0, 1>, 1, 6, 13>(
      laws::near,
      [](auto w, auto x) {
        auto const y = einsum<"ij,jk->ik">(w, x);
        return mean(exp(y)) + sum(einsum<"jk,jk->k">(x, sin(x))) / y.count() + mean(einsum<"jk,ij->ki">(x, w)) +
               sum(exp(0.1 * (x * transpose(sin(x))) * cos(x)));
      },
      tensor<double, 2, 5>{}, columns{});
}

TEST_CASE("reductions count along every axis, means divide by the count") {
  check_counts<wrt<0, 1>, 1, 2, 7, 8, 12, 13>(
      laws::near,
      [](auto x, auto v) {
        auto const centred_ = (x - mean<1>(x)) / sqrt(variance<1>(x) + 0.5);
        return mean(square(centred_)) + sum(mean<0>(x) * 2) + logsumexp(v) + sum(logsumexp<1>(x)) + sum(max<1>(x)) +
               sum(min<0>(x)) + max(v) + norm(v) + stddev(x) * mean(v) + sum(cwise_product(softmax<0>(x), x)) +
               sum(cwise_product(softmax<1>(x), x)) + dot(v, v) / v.count() + sum(square(sum(x) + v));
      },
      columns{}, each_one{});
  check_counts<wrt<0, 1>, 0, 3, 13>(
      laws::near,
      [](auto x, auto v) { return sum(square(sum<1>(x))) + sum(v) * 3.0 + sum(square(sum<0>(x))) + sum(exp(v)); },
      columns{}, each_one{});
}

TEST_CASE("points count in map and sum_map") {
  check_counts<wrt<0, 1>, 0, 1, 3, 4, 8, 12, 13>(
      laws::near,
      [](auto w, auto x) {
        auto const heights = etch::map([&](auto p) { return exp(w * p); }, x);
        return etch::sum_map([&](auto p) { return sum(square(tanh(w * p))); }, x) + sum(sin(heights)) +
               sum(etch::map([](auto p) { return p(0) * p(1); }, x)) * mean(heights);
      },
      tensor<double, 3, 5>{}, columns{});
}

}  // namespace

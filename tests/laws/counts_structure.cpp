#include "laws/counts.hpp"

namespace {

using namespace laws;

TEST_CASE("images count in convolutions and pools") {
  check_counts<wrt<0, 1>, 0, 1, 7, 8, 9, 11>(
      laws::near,
      [](auto kernel, auto image) {
        auto const y = max_pool<2>(tanh(conv2d(image, kernel)));
        return sum(square(reshape<8, -1>(y)));
      },
      tensor<double, 3, 3, 1, 2>{}, tensor<double, 6, 6, 1, upto<11>>{});
}

TEST_CASE("loops carry values of which so many entries count") {
  check_counts<wrt<0, 1, 2>, 0, 1, 6, 12, 13>(
      laws::near,
      [](auto w, auto x, auto y) {
        auto const h = etch::repeat<3>([&](auto c) { return tanh(w * c + x); }, x);
        auto const series = permute<0, 2, 1>(reshape<1, 5, -1>(x));  // [1, count, 5]: five steps
        auto const last = etch::scan([](auto c, auto s) { return c * 0.5 + sin(s); }, slice<0, 0, 1>(y), series);
        return sum(square(h)) + sum(last);
      },
      tensor<double, 5, 5>{}, columns{}, rows{});
}

TEST_CASE("loops keep values of four axes, wherever the one that counts is") {
  check_counts<wrt<0>, 0, 1, 3>(
      laws::near,
      [](auto x) {
        auto const waves = [](auto const& from) {
          return sum(square(etch::repeat<3>([](auto h) { return sin(h); }, from)));
        };
        return waves(x) + waves(permute<3, 0, 1, 2>(x)) + waves(permute<0, 3, 1, 2>(x)) + waves(permute<0, 1, 3, 2>(x));
      },
      tensor<double, 2, 1, 3, upto<3>>{});
}

TEST_CASE("samples count in cross-entropies over time") {
  check_counts<wrt<0, 1>, 1, 2, 3>(
      laws::near,
      [](auto logits, auto target, auto labels) {
        return nn::softmax_cross_entropy(logits, target) + nn::softmax_cross_entropy(logits * 2, labels);
      },
      tensor<double, 5, 4, upto<3>>{}, tensor<double, 5, 4, upto<3>>{}, tensor<int, 4, upto<3>>{});
}

TEST_CASE("parts, sums so far, orders and picked entries") {
  check_counts<wrt<0, 1>, 0, 1, 2, 9, 13>(
      laws::near,
      [](auto x, auto table) {
        auto const whole = concat<0>(slice<0, 1, 2>(x), sin(x));
        auto const so_far = cumsum<1>(x);
        return sum(square(whole)) + sum(square(so_far)) + sum(triangular_solve(identity<5>() + tril(table * 0.1), x)) +
               sum(reverse<0>(x)) * 0.5;
      },
      columns{}, tensor<double, 5, 5>{});
  check_counts<wrt<0, 1>, 1, 5, 13>(
      laws::near,
      [](auto x, auto v) {
        return sum(select(v > 0.5, v, square(v))) + sum(select(reshape<1, -1>(v) > 0.6, x, 0)) +
               sum(cwise_product(sort(v), square(v))) + sum(square(stack<0>(v, sin(v)))) + sum(exp(stack<1>(v, v)));
      },
      columns{}, each_one{});
}

}  // namespace

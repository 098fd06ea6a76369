// Programs on a tape against the compiled program: loops, maps, layers and losses, structs, tuples,
// Eigen's matrices and eigen_methods.
#include "tape/both.hpp"

using namespace tapes;

namespace {

constexpr auto loops = [](auto w, auto xs) {
  auto const r = scan(
      [&](auto carry, auto x) {
        auto const next = tanh(w * carry + x);
        return step{next, cwise_product(next, x)};
      },
      zeros<3>(), xs);
  auto const powers = repeat<4>([&](auto m) { return m * w * 0.5; }, w);
  auto const again = checkpoint([](auto a, auto b) { return sum(sin(a * b)); });
  return sum(r.carry) + sum(square(r.y)) + sum(powers) + again(w, xs);
};
constexpr auto maps = [](auto w, auto xs) {
  auto const each = map([&](auto x) { return x(0) * x(1) + sin(x(2)); }, xs);
  return sum(square(each)) + sum_map([](auto x) { return sum(exp(-square(x))); }, xs) + sum(w);
};

template <class T>
struct net {
  nn::dense<T, 3, 4> first;
  nn::layer_norm<T, 4> norm;
  nn::dense<T, 4, 2> second;
  T scale;
  ETCH_MEMBERS(net, first, norm, second, scale)
  constexpr auto operator()(auto x) const { return second(norm(tanh(first(x)))) * scale; }
};
constexpr auto classify = [](auto const& model, auto const& data) {
  auto const& [x, y] = data;
  return nn::softmax_cross_entropy(model(x), y);
};
constexpr auto of_parts = [](auto const& many, auto const& pair) {
  auto const& [m, s] = pair;
  return sum(many[0] * transpose(many[1])) * s + sum(tanh(m * many[1])) + many[0](1);
};
constexpr auto in_eigens_words = [](auto const& a, auto const& b) {
  auto const c = a * b.transpose();
  return c.array().tanh().sum() + a.cwiseProduct(b).colwise().sum().squaredNorm() + a.col(1).dot(b.col(0)) + b.norm() +
         c.trace();
};

}  // namespace

TEST_CASE("loops and maps on a tape") {
  auto const w = random<tensor<double, 3, 3>>(1);
  auto const xs = random<tensor<double, 3, 5>>(2);
  check_every_mask<double>(128, loops, w, xs);
  check_both<double, wrt<1, 0>>(128, maps, w, xs);
}

TEST_CASE("structs, labels, arrays and tuples on a tape") {
  auto const model = random<net<float>>(1, -1, 1);
  std::tuple const data{random<tensor<float, 3, 6>>(2), tensor<int, 6>{0, 1, 1, 0, 1, 0}};
  check_both<float, wrt<0>>(64, classify, model, data);
  std::array const many{random<tensor<double, 3>>(3), random<tensor<double, 3>>(4)};
  std::tuple const pair{random<tensor<double, 2, 3>>(5), 0.7};
  check_every_mask<double>(64, of_parts, many, pair);
}

TEST_CASE("Eigen's matrices and words on a tape") {
  Eigen::Matrix<double, 3, 4> a, b;
  for (int i = 0; i < 12; ++i) a.data()[i] = 0.1 * i, b.data()[i] = 1 - 0.07 * i * i;
  check_every_mask<double>(64, in_eigens_words, a, b);
}

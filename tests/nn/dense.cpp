#include <etch/nn/dense.hpp>

#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

using layer = nn::dense<double, 3, 2>;

static_assert(layer::inputs == 3 && layer::outputs == 2 && std::is_aggregate_v<layer>);
static_assert(std::is_same_v<decltype(layer::weight), tensor<double, 2, 3>> &&
              std::is_same_v<decltype(layer::bias), tensor<double, 2>>);
static_assert(std::is_same_v<decltype(nn::dense<symbol<float>, 3, 2>::weight), expr<float, 2, 3>>);
static_assert(member_count<layer> == 2 && member_name<layer, 0>() == "weight" && member_name<layer, 1>() == "bias");

constexpr layer some_layer{{1, -2, 3, 0.5, -1, 4}, {10, 20}};

TEST_CASE("a dense layer maps a vector") {
  // W = [1 3 -1; -2 0.5 4]
  tensor<double, 3> const x{2, 4, 6};
  auto const [value, g] = value_and_grad<wrt<0, 1>>([](auto l, auto in, auto w) {
    auto const y = l(in);
    static_assert(std::is_same_v<decltype(y), expr<double, 2> const>);
    return sum(cwise_product(w, y));
  })(some_layer, x, tensor<double, 2>{1, 100});
  CHECK(value == (2 + 12 - 6 + 10) + 100 * (-4 + 2 + 24 + 20));
  CHECK(std::get<0>(g).weight == tensor<double, 2, 3>{2, 200, 4, 400, 6, 600});
  CHECK(std::get<0>(g).bias == tensor<double, 2>{1, 100});
  CHECK(std::get<1>(g) == tensor<double, 3>{-199, 53, 399});
}

using bare = nn::dense<double, 3, 2, nn::no_bias>;
static_assert(member_count<bare> == 1 && bare::inputs == 3 && bare::outputs == 2);

template <class T>
struct bare_below {
  nn::dense<T, 3, 2, nn::no_bias> first;
  nn::dense<T, 2, 2> second;
  ETCH_MEMBERS(bare_below, first, second)
};

TEST_CASE("a dense layer without a bias is a product") {
  tensor<double, 3> const x{2, 4, 6};
  auto const g = grad([](auto m, auto in) { return sum(m.second(m.first(in))); })(
      bare_below<double>{{{1, -2, 3, 0.5, -1, 4}}, {{1, 10, 2, 20}, {}}}, x);
  // second: [1 2; 10 20], so each row of the first weight's gradient is x times the sum of a column.
  CHECK(g.first.weight == tensor<double, 2, 3>{22, 44, 44, 88, 66, 132});
}

TEST_CASE("a dense layer maps every column of a batch, and its gradient sums over them") {
  tensor<double, 3, 2> const x{2, 4, 6, -1, 0, 1};
  tensor<double, 2, 2> const w{1, 100, 1000, -10};
  auto const [value, g] = value_and_grad<wrt<0, 1>>([](auto l, auto in, auto v) {
    auto const y = l(in);
    static_assert(std::is_same_v<decltype(y), expr<double, 2, 2> const>);
    return sum(cwise_product(v, y));
  })(some_layer, x, w);
  double const y[2][2] = {{18, 42}, {8, 26}};  // by sample
  CHECK(value == y[0][0] + 100 * y[0][1] + 1000 * y[1][0] - 10 * y[1][1]);
  for (int o = 0; o < 2; ++o) {
    CHECK(std::get<0>(g).bias(o) == w(o, 0) + w(o, 1));
    for (int i = 0; i < 3; ++i) CHECK(std::get<0>(g).weight(o, i) == w(o, 0) * x(i, 0) + w(o, 1) * x(i, 1));
  }
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < 3; ++i)
      CHECK(std::get<1>(g)(i, s) == some_layer.weight(0, i) * w(0, s) + some_layer.weight(1, i) * w(1, s));
}

}  // namespace

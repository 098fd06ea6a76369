#include <etch/core/named_view.hpp>

#include <etch/compile/gradient.hpp>
#include <etch/compile/program.hpp>
#include <etch/tape/dynamic.hpp>

#include <boost/hana.hpp>
#include <doctest/doctest.h>

namespace {

using namespace etch;
namespace hana = boost::hana;

template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;
template <class A>
using traced = typename argument<A>::traced;

// ---- structs over the element tag: traced as themselves ----

template <class T, int In, int Out>
struct affine {
  param<T, Out, In> weight;
  param<T, Out> bias;
  ETCH_MEMBERS(affine, weight, bias)
  constexpr auto operator()(auto x) const { return weight * x + bias; }
};

template <class T>
struct model {
  affine<T, 3, 2> first;
  T scale;
  std::array<param<T, 2>, 2> shifts;
  std::tuple<param<T>, affine<T, 1, 1>> rest;
  static constexpr int repeats = 3;  // no data member: a constant of the program
  ETCH_MEMBERS(model, first, scale, shifts, rest)
};

template <class T, class Inner>
struct wrapper {
  Inner inner;
  param<T, 2> own;
  ETCH_MEMBERS(wrapper, inner, own)
};

template <class T>
struct tag_ignored {
  tensor<double, 2> fixed;  // does not follow the tag
  ETCH_MEMBERS(tag_ignored, fixed)
};

static_assert(same<traced<affine<float, 3, 2>>, affine<symbol<float>, 3, 2>> &&
              same<typename argument<affine<float, 3, 2>>::gradient, affine<float, 3, 2>>);
static_assert(same<traced<model<double>>, model<symbol<double>>> && argument<model<float>>::rebindable);
static_assert(same<decltype(traced<model<float>>::first.weight), expr<float, 2, 3>> &&
              same<decltype(traced<model<float>>::scale), symbol<float>>);
static_assert(same<decltype(traced<model<float>>::shifts), std::array<expr<float, 2>, 2>>);
static_assert(same<traced<wrapper<float, affine<float, 2, 2>>>, wrapper<symbol<float>, affine<symbol<float>, 2, 2>>>);
static_assert(same<traced<tag_ignored<float>>, named_view<tag_ignored<float>>> &&
              !argument<tag_ignored<float>>::rebindable);
static_assert(pass::leaf_count<model<float>>() == 8);

/// A model whose entries are 1, 2, 3, ... in the order of its leaves, times `factor`.
template <class M>
constexpr M counting(double factor = 1) {
  M m{};
  double next = 1;
  argument<M>::visit(m, [&]<class T>(T* data, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<T>(factor * next++);
  });
  return m;
}

TEST_CASE("a nested model of every kind of member has its gradient in its own type") {
  auto const m = counting<model<double>>();
  // first.weight 1..6 (columns 1 2 | 3 4 | 5 6), first.bias 7 8, scale 9, shifts 10 11 | 12 13,
  // rest 14, 15 (weight), 16 (bias)
  tensor<double, 3> const x{1, -1, 2};
  tensor<double, 2> const w{1, 10};
  auto const loss = [](auto p, auto in, auto v) {
    auto h = p.first(in);                                        // [15, 18]
    for (int i = 0; i < p.repeats; ++i) h += p.shifts[0];        // [45, 51]
    auto const y = p.scale * h - cwise_product(p.shifts[1], h);  // [-135, -204]
    auto const& [offset, last] = p.rest;
    return sum(cwise_product(v, y)) + offset * offset * sum(last.weight) - p.scale * sum(last.bias);
  };
  auto const [value, g] = value_and_grad(loss)(m, x, w);
  static_assert(same<std::remove_const_t<decltype(g)>, model<double>>);
  CHECK(value == (-135 - 2040) + 14 * 14 * 15 - 9 * 16);
  // dy/dh = scale - shifts[1] = [-3, -4]; with v: [-3, -40].
  CHECK(g.first.bias == tensor<double, 2>{-3, -40});
  CHECK(g.first.weight == tensor<double, 2, 3>{-3, -40, 3, 40, -6, -80});
  CHECK(g.shifts[0] == tensor<double, 2>{-9, -120});
  CHECK(g.shifts[1] == tensor<double, 2>{-45, -510});
  CHECK(g.scale == 45 + 510 - 16);
  CHECK(static_cast<double>(std::get<0>(g.rest)) == 2 * 14 * 15);
  CHECK(std::get<1>(g.rest).weight(0, 0) == 14 * 14);
  CHECK(std::get<1>(g.rest).bias(0) == -9);
}

TEST_CASE("a member that does not influence the loss has gradient zero") {
  auto const m = counting<wrapper<float, affine<float, 2, 2>>>();
  auto const g = grad([](auto p) { return sum(p.inner.bias) * 2; })(m);
  CHECK(g.inner.bias == tensor<float, 2>{2, 2});
  CHECK(g.inner.weight == tensor<float, 2, 2>{});
  CHECK(g.own == tensor<float, 2>{});
}

// ---- other Hana structs: traced as views by the same names ----

using row_major = Eigen::Matrix<float, 2, 3, Eigen::RowMajor>;

struct inner_part {
  BOOST_HANA_DEFINE_STRUCT(inner_part, (row_major, matrix), (double, factor));
};
struct outer_part {
  inner_part deep;
  Eigen::Vector3f vector;
  tensor<int, 2> labels;
  int count;
  affine<float, 3, 2> layer;
  ETCH_MEMBERS(outer_part, deep, vector, labels, count, layer)
};

constexpr auto deep_name = BOOST_HANA_STRING("deep");
constexpr auto vector_name = BOOST_HANA_STRING("vector");
constexpr auto labels_name = BOOST_HANA_STRING("labels");
constexpr auto count_name = BOOST_HANA_STRING("count");
constexpr auto layer_name = BOOST_HANA_STRING("layer");
constexpr auto matrix_name = BOOST_HANA_STRING("matrix");
constexpr auto factor_name = BOOST_HANA_STRING("factor");

static_assert(same<traced<inner_part>, named_view<inner_part>> &&
              same<typename argument<inner_part>::gradient, inner_part> && !argument<outer_part>::rebindable);
static_assert(reflected<named_view<inner_part>> && member_count<named_view<outer_part>> == 5 &&
              member_name<named_view<outer_part>, 2>() == "labels");
static_assert(same<decltype(std::declval<named_view<inner_part>>()[matrix_name]), expr<float, 2, 3>> &&
              same<decltype(std::declval<named_view<inner_part>>()[factor_name]), expr<double>>);
static_assert(same<decltype(std::declval<named_view<outer_part>>()[deep_name]), named_view<inner_part>>);
static_assert(same<decltype(std::declval<named_view<outer_part>>()[layer_name]), affine<symbol<float>, 3, 2>>);
static_assert(same<std::remove_cvref_t<decltype(hana::at_key(std::declval<named_view<outer_part>&>(), labels_name))>,
                   expr<int, 2>>);

constexpr auto record_loss = [](auto r) {
  auto const deep = r[deep_name];
  auto const product = hana::at_key(deep, matrix_name) * r[vector_name];  // A v, rank 1
  auto const out = r[layer_name](r[vector_name]);                         // W v + b
  auto const chosen = cwise_product(product, cast<float>(r[labels_name]));
  return sum(chosen) * cast<float>(deep[factor_name]) + sum(out) * cast<float>(r[count_name]);
};

outer_part make_outer_part() {
  outer_part p{};
  p.deep.matrix << 1, 2, 3, 4, 5, 6;
  p.deep.factor = 2;
  p.vector << 1, -1, 2;
  p.labels = {1, 10};
  p.count = 3;
  p.layer.weight = {1, 2, 3, 4, 5, 6};  // columns
  p.layer.bias = {0.5f, -0.5f};
  return p;
}

TEST_CASE("a struct that follows no tag is a record of its members' names, and its gradient is that struct") {
  auto const [value, g] = value_and_grad(record_loss)(make_outer_part());
  static_assert(same<std::remove_const_t<decltype(g)>, outer_part>);
  // A v = [5, 11]; chosen sums to 115; W v + b = [1-3+10+.5, 2-4+12-.5] = [8.5, 9.5].
  CHECK(value == 2 * 115 + 3 * 18);
  row_major matrix;
  matrix << 2, -2, 4, 20, -20, 40;
  CHECK(g.deep.matrix == matrix);
  CHECK(g.deep.factor == 115);
  // A' [2, 20] + 3 * (column sums of W)
  CHECK(g.vector == Eigen::Vector3f(2 * 1 + 20 * 4 + 3 * 3, 2 * 2 + 20 * 5 + 3 * 7, 2 * 3 + 20 * 6 + 3 * 11));
  CHECK(g.layer.weight == tensor<float, 2, 3>{3, 3, -3, -3, 6, 6});
  CHECK(g.layer.bias == tensor<float, 2>{3, 3});
}

TEST_CASE("integer leaves of a struct have gradient zero") {
  auto const g = grad(record_loss)(make_outer_part());
  CHECK(g.labels == tensor<int, 2>{});
  CHECK(g.count == 0);
}

// ---- members by name, where ETCH_MEMBERS lists them ----

template <class T>
struct tagged {
  param<T, 2> slope;
  int count;
  ETCH_MEMBERS(tagged, slope, count)
};
using rows = Eigen::Matrix<double, 2, 3, Eigen::RowMajor>;

struct settings_of_a_loss {
  tensor<double, 2> weight;
  double bias;
  int power;
  rows matrix;
  tagged<double> inside;
  std::array<double, 2> pair;
  ETCH_MEMBERS(settings_of_a_loss, weight, bias, power, matrix, inside, pair)
};

constexpr auto loss_by_names = [](auto p) {
  p.bias = p.bias * p.pair[1];  // the view is the loss's own
  return sum(square(p.weight)) * p.bias + sum(p.matrix) * p.power + p.inside.slope(1) * p.inside.count;
};

TEST_CASE("members that ETCH_MEMBERS lists have their names in a struct that follows no tag") {
  settings_of_a_loss p{};
  p.weight = {1, 2};
  p.bias = 3;
  p.power = 4;
  p.matrix << 1, 2, 3, 4, 5, 6;
  p.inside = {{7, 8}, 9};
  p.pair = {10, 11};
  auto step = compile(loss_by_names, p);
  CHECK(step(p) == 5 * 33 + 21 * 4 + 8 * 9);
  settings_of_a_loss const& g = step.grad<0>();
  CHECK(g.weight == tensor<double, 2>{2 * 33, 4 * 33});
  CHECK(g.bias == 5 * 11);
  CHECK(g.power == 0);
  CHECK(g.matrix == rows::Constant(4));
  CHECK(g.inside.slope == tensor<double, 2>{0, 9});
  CHECK(g.pair == std::array{0.0, 15.0});
  auto const [value, taped] = dynamic::value_and_grad(loss_by_names)(p);
  CHECK(value == step.value());
  CHECK(taped.weight == g.weight);
  CHECK(taped.pair == g.pair);
  CHECK(taped.inside.slope == g.inside.slope);
}

// ---- arrays and tuples as arguments ----

TEST_CASE("arrays and tuples of tensors, scalars and structs have gradients of their own type") {
  using argument_type = std::tuple<std::array<tensor<float, 2>, 2>, affine<float, 2, 1>, float>;
  argument_type const a{std::array{tensor<float, 2>{1, 2}, tensor<float, 2>{3, 4}},
                        affine<float, 2, 1>{{5, 6}, tensor<float, 1>{7}}, 8.0f};
  auto const [value, g] = value_and_grad([](auto t) {
    auto const& [pair, layer, s] = t;
    return s * sum(layer(pair[0])) - sum(cwise_product(pair[1], pair[1]));
  })(a);
  static_assert(same<std::remove_const_t<decltype(g)>, argument_type>);
  CHECK(value == 8 * (5 + 12 + 7) - 25);
  CHECK(std::get<0>(g)[0] == tensor<float, 2>{40, 48});
  CHECK(std::get<0>(g)[1] == tensor<float, 2>{-6, -8});
  CHECK(std::get<1>(g).weight == tensor<float, 1, 2>{8, 16});
  CHECK(std::get<1>(g).bias(0) == 8);
  CHECK(std::get<2>(g) == 24);
}

TEST_CASE("several arguments of different kinds are differentiated at their positions") {
  tensor<float, 2> const x{3, 4};
  auto const [value, g] = value_and_grad<wrt<2, 0>>([](auto a, auto v, auto pair) {
    return a * sum(cwise_product(v, pair[0])) + sum(pair[1]);
  })(2.0f, x, std::array{tensor<float, 2>{1, 10}, tensor<float, 2>{0, 5}});
  CHECK(value == 91);
  static_assert(same<std::remove_const_t<decltype(g)>, std::tuple<std::array<tensor<float, 2>, 2>, float>>);
  CHECK(std::get<0>(g)[0] == tensor<float, 2>{6, 8});
  CHECK(std::get<0>(g)[1] == tensor<float, 2>{1, 1});
  CHECK(std::get<1>(g) == 43);
}

}  // namespace

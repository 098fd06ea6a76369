#include <etch/compile/trace.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace etch;

namespace {

template <class T>
struct layer {
  param<T, 2, 3> weight;
  param<T, 2> bias;
  ETCH_MEMBERS(layer, weight, bias)
};

/// The names of a graph's ops in order.
std::string ops_of(graph const& g) {
  std::string names;
  for (int id = 0; id < g.size(); ++id) names += (id ? " " : "") + std::string(facts_of(g[id]).name);
  return names;
}

}  // namespace

static_assert(pass::leaf_count<float>() == 1);
static_assert(pass::leaf_count<tensor<float, 2, 2>>() == 1);
static_assert(pass::leaf_count<layer<float>>() == 2);
static_assert(pass::leaf_count<std::tuple<float, layer<float>, std::array<double, 3>>>() == 6);

TEST_CASE("all leaves come first, in the order of arguments and members") {
  using arguments = std::tuple<layer<float>, int>;
  graph const g =
      pass::trace<decltype([](auto a, auto x) { return sum(std::get<0>(a).weight * x); }), arguments, tensor<float, 3>>(
          {});
  CHECK(ops_of(g) == "input input input input matmul sum");
  for (int i = 0; i < 4; ++i) CHECK(g[i].attributes == static_cast<attribute>(i));
  CHECK(g[0].extent == make_shape(2, 3));
  CHECK(g[1].extent == make_shape(2));
  CHECK(g[2].type == element::i32);
  CHECK(g[3].extent == make_shape(3));
  CHECK(g.outputs == sequence<int>{5});
}

TEST_CASE("a row-major matrix is a transposed leaf, vectors and columns are not") {
  using row_major = Eigen::Matrix<double, 2, 3, Eigen::RowMajor>;
  graph const g = pass::trace<decltype([](auto a) { return a; }), row_major>({});
  CHECK(ops_of(g) == "input transpose");
  CHECK(g[0].extent == make_shape(3, 2));
  CHECK(g[1].extent == make_shape(2, 3));
  CHECK(ops_of(pass::trace<decltype([](auto a) { return a; }), Eigen::Matrix<double, 2, 3>>({})) == "input");
  CHECK(ops_of(pass::trace<decltype([](auto a) { return a; }), Eigen::Matrix<double, 1, 3, Eigen::RowMajor>>({})) ==
        "input");
  CHECK(pass::trace<decltype([](auto a) { return a; }), Eigen::Vector3d>({})[0].extent == make_shape(3));
}

TEST_CASE("a lambda may return a number, or a constant that met nothing") {
  graph const number = pass::trace<decltype([](auto) { return 7; }), tensor<float, 3>>({});
  CHECK(ops_of(number) == "input fill");
  CHECK(number[1].type == element::i32);
  CHECK(value_of(number[1].attributes) == 7);
  graph const constant_result = pass::trace<decltype([](auto) { return expr<float, 2, 2>(0.1); }), float>({});
  CHECK(ops_of(constant_result) == "input fill broadcast");
  CHECK(constant_result[2].extent == make_shape(2, 2));
  CHECK(value_of(constant_result[1].attributes) == static_cast<double>(0.1f));
}

TEST_CASE("tracing is faithful: no identity is applied, equal expressions are one node, repetition unrolls") {
  CHECK(ops_of(pass::trace<decltype([](auto x) { return x * 1 + 0; }), double>({})) == "input fill mul fill add");
  CHECK(ops_of(pass::trace<decltype([](auto x) { return exp(x) * exp(x); }), double>({})) == "input exp mul");
  auto const chain = pass::trace<decltype([](auto x) {
                                   for (int i = 0; i < 4; ++i) x = tanh(x);
                                   return x;
                                 }),
                                 double>({});
  CHECK(ops_of(chain) == "input tanh tanh tanh tanh");
}

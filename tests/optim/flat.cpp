#include <etch/etch.hpp>
#include <etch/optim/flat.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

template <class T>
struct layer {
  param<T, 2, 2> weight;
  T bias;
  ETCH_MEMBERS(layer, weight, bias)
};
struct mixed {
  tensor<float, 2> narrow;
  tensor<int, 3> labels;
  std::array<layer<double>, 2> many;
  bool flag;
  double last;
  ETCH_MEMBERS(mixed, narrow, labels, many, flag, last)
};
using row_major = Eigen::Matrix<double, 2, 3, Eigen::RowMajor>;

static_assert(optim::flat_size<double> == 1);
static_assert(optim::flat_size<int> == 0);
static_assert(optim::flat_size<tensor<float, 3, 4>> == 12);
static_assert(optim::flat_size<row_major> == 6);
static_assert(optim::flat_size<std::tuple<Eigen::Vector3d, float, tensor<int, 7>>> == 4);
static_assert(optim::flat_size<mixed> == 2 + 2 * 5 + 1);

TEST_CASE("a model becomes its floating-point entries in their order, integers excepted") {
  mixed const m{{1, 2}, {50, 60, 70}, {{{{3, 4, 5, 6}, 7}, {{8, 9, 10, 11}, 12}}}, true, 13};
  std::array<double, 13> flat{};
  optim::flatten(m, flat);
  for (std::size_t i = 0; i < 13; ++i) CHECK(flat[i] == static_cast<double>(i + 1));
}

TEST_CASE("numbers come back to where they were, rounded to float there, and integers stay") {
  mixed m{{}, {50, 60, 70}, {}, true, 0};
  std::array<double, 13> flat{0.1, 0.2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0.3};
  optim::unflatten(std::span<double const, 13>(flat), m);
  CHECK(m.narrow == tensor<float, 2>{0.1f, 0.2f});
  CHECK(m.labels == tensor<int, 3>{50, 60, 70});
  CHECK(m.many[1].weight(1, 0) == 9);
  CHECK(m.many[1].bias == 12);
  CHECK(m.flag);
  CHECK(m.last == 0.3);
  std::array<double, 13> again{};
  optim::flatten(m, again);
  CHECK(again[0] == static_cast<double>(0.1f));
  CHECK(again[12] == 0.3);
}

TEST_CASE("Eigen's matrices keep their order in memory") {
  row_major m;
  m << 1, 2, 3, 4, 5, 6;
  std::array<double, 6> flat{};
  optim::flatten(m, flat);
  CHECK(flat == std::array<double, 6>{1, 2, 3, 4, 5, 6});
}

}  // namespace

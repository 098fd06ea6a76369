#include <etch/core/tensor.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using namespace etch;

// Size, shape, storage.
static_assert(tensor<float, 3, 4>::size() == 12 && tensor<double>::size() == 1 &&
              tensor<int, 2, 3, 4, 5>::size() == 120);
static_assert(tensor<float, 3, 4>::extent == make_shape(3, 4) && tensor<bool>::extent.rank == 0);
static_assert(std::is_trivially_copyable_v<tensor<float, 3, 4>> && std::is_standard_layout_v<tensor<float, 3, 4>>);
static_assert(sizeof(tensor<float, 16>) == 64 && sizeof(tensor<float, 17>) == 128);

// The values that it can be made from.
static_assert(std::is_convertible_v<float, tensor<float>> && std::is_convertible_v<tensor<float>, float>);
static_assert(!std::is_convertible_v<float, tensor<float, 3>> && !std::is_convertible_v<tensor<float, 1>, float>);
static_assert(std::is_constructible_v<tensor<float, 2>, int, double> &&
              !std::is_constructible_v<tensor<float, 2>, float, float, float>);
static_assert(!std::is_constructible_v<tensor<float, 2>, tensor<float, 3>> &&
              !std::is_assignable_v<tensor<float, 2>&, tensor<double, 2>>);

// As many indices as axes, and no others.
static_assert(std::is_invocable_v<tensor<float, 3, 4>&, int, int> && !std::is_invocable_v<tensor<float, 3, 4>&, int> &&
              !std::is_invocable_v<tensor<float, 3, 4>&, double, double>);
static_assert(std::is_same_v<decltype(std::declval<tensor<float, 3> const&>()(0)), float const&>);

// Zero-initialised; missing entries of a list are zero too.
static_assert([] {
  tensor<float, 3, 2> t;
  for (float e : t)
    if (e != 0) return false;
  tensor<int, 4> const listed{7, 8};
  return listed[0] == 7 && listed[1] == 8 && listed[2] == 0 && listed[3] == 0;
}());

// The first index is the fastest, at every rank.
static_assert([] {
  tensor<int, 2, 3, 4, 5> t;
  std::iota(t.begin(), t.end(), 0);
  return t(1, 0, 0, 0) == 1 && t(0, 1, 0, 0) == 2 && t(0, 0, 1, 0) == 6 && t(0, 0, 0, 1) == 24 && t(1, 2, 3, 4) == 119;
}());
static_assert([] {
  tensor<int, 3, 4> m;
  m(2, 1) = 5;
  tensor<int, 2, 2, 2> const cube{0, 1, 2, 3, 4, 5, 6, 7};
  tensor<int, 3> v{1, 2, 3};
  v(1) += 10;
  return m.data()[5] == 5 && m[5] == 5 && cube(1, 0, 1) == 5 && v(1) == 12;
}());

static_assert(std::is_invocable_r_v<double&, tensor<double>&>);

// In constant evaluation an index is checked along its own axis: beyond the first lies another column,
// which is no mistake of the memory.
template <int I, int J>
concept is_entry = requires { typename std::integral_constant<int, tensor<int, 3, 4>{}(I, J)>; };
static_assert(is_entry<2, 3> && !is_entry<3, 0> && !is_entry<0, 4> && !is_entry<-1, 1>);
static_assert(tensor<int, 2, 2>{1, 2, 3, 4}.at(1, 0) == 2);

TEST_CASE("at() is checked where the program runs") {
  tensor<float, 3, 4> t;
  t.at(2, 3) = 7;
  CHECK(t[11] == 7);
  CHECK(std::as_const(t).at(2u, 3L) == 7);
  CHECK_THROWS_WITH(t.at(3, 0), "etch: index out of range: 3 where the axis has 3 entries");
  CHECK_THROWS_WITH(t.at(0, -1), "etch: index out of range: -1 where the axis has 4 entries");
  CHECK_THROWS_AS(std::as_const(t).at(0, 4), etch::exception);
}

// Rank 0 is one entry, and a scalar to the eye.
static_assert([] {
  tensor<double> s = 2.5;
  s[0] += 1;
  double const value = s;
  return value == 3.5 && s.size() == 1 && s[0] == 3.5;
}());

// Copies are independent values.
static_assert([] {
  tensor<int, 2, 2> a{1, 2, 3, 4};
  auto b = a;
  b(0, 1) = 9;
  bool const apart = a(0, 1) == 3 && a != b;
  a = b;
  return apart && a == b;
}());

static_assert([] {
  tensor<double, 5> t;
  t.fill(1.5);
  return std::accumulate(t.begin(), t.end(), 0.0) == 7.5 && t.end() - t.begin() == 5;
}());

bool is_aligned(void const* p) { return reinterpret_cast<std::uintptr_t>(p) % 64 == 0; }

struct mixed {
  char letter = 'a';
  tensor<float, 3> first;
  char other = 'b';
  tensor<double> second;
};

TEST_CASE("entries are aligned to 64 bytes, also inside structs and containers") {
  mixed m;
  CHECK(is_aligned(m.first.data()));
  CHECK(is_aligned(m.second.data()));
  std::vector<mixed> many(3);
  for (mixed const& each : many) CHECK((is_aligned(each.first.data()) && is_aligned(each.second.data())));
  auto const owned = std::make_unique<tensor<float, 5>>();
  CHECK(is_aligned(owned->data()));
}

TEST_CASE("maps of a matrix are the same entries in the same places") {
  tensor<float, 2, 3> t{1, 2, 3, 4, 5, 6};
  auto m = t.matrix();
  static_assert(decltype(m)::RowsAtCompileTime == 2 && decltype(m)::ColsAtCompileTime == 3);
  CHECK(m.data() == t.data());
  CHECK(m(1, 0) == 2);
  CHECK(m(0, 2) == 5);
  m(1, 2) = 60;
  CHECK(t(1, 2) == 60);
  t.array() *= 2;
  CHECK(t(0, 1) == 6);
  CHECK(t.flat().sum() == doctest::Approx(2 * (1 + 2 + 3 + 4 + 5 + 60)));
  static_assert(decltype(t.flat())::RowsAtCompileTime == 6 && decltype(t.flat())::ColsAtCompileTime == 1);
}

TEST_CASE("a row has one row") {
  tensor<float, 1, 4> row{1, 2, 3, 4};
  auto m = row.matrix();
  static_assert(decltype(m)::RowsAtCompileTime == 1 && decltype(m)::ColsAtCompileTime == 4);
  for (int j = 0; j < 4; ++j) CHECK(m(0, j) == row(0, j));
  CHECK((m * m.transpose())(0, 0) == 30);
  row.array() += 1;
  CHECK(row == tensor<float, 1, 4>{2, 3, 4, 5});
}

TEST_CASE("vectors, scalars and tensors of higher rank map with the first axis down") {
  tensor<double, 3> v{1, 2, 3};
  static_assert(decltype(v.matrix())::RowsAtCompileTime == 3 && decltype(v.matrix())::ColsAtCompileTime == 1);
  CHECK(v.matrix()(2, 0) == 3);
  tensor<double> s = 4;
  CHECK(s.matrix()(0, 0) == 4);
  CHECK(s.flat()(0) == 4);
  tensor<int, 2, 3, 2> c;
  std::iota(c.begin(), c.end(), 0);
  static_assert(decltype(c.matrix())::RowsAtCompileTime == 2 && decltype(c.matrix())::ColsAtCompileTime == 6);
  CHECK(c.matrix()(1, 4) == c(1, 1, 1));
  tensor<float, 1, 1> single{7};
  CHECK(single.matrix()(0, 0) == 7);
}

TEST_CASE("maps of a const tensor read only") {
  tensor<float, 2, 2> const t{1, 2, 3, 4};
  static_assert(std::is_same_v<decltype(t.matrix().data()), float const*>);
  static_assert(std::is_same_v<decltype(t.flat().data()), float const*> &&
                std::is_same_v<decltype(t.begin()), float const*>);
  CHECK(t.matrix().trace() == 5);
  CHECK(t.array().maxCoeff() == 4);
}

TEST_CASE("tensors far above Eigen's limit for objects map and compute") {
  using large = tensor<float, 784, 600>;
  static_assert(sizeof(large) > 10 * EIGEN_STACK_ALLOCATION_LIMIT);
  auto const t = std::make_unique<large>();
  CHECK(t->flat().isZero());
  t->fill(0.5f);
  CHECK(t->array().sum() == doctest::Approx(784 * 300));
  (*t)(783, 599) = 2;
  CHECK(t->matrix()(783, 599) == 2);
  auto const copy = std::make_unique<large>(*t);
  CHECK(*copy == *t);
}

TEST_CASE("a scalar tensor compares with a number") {
  // Asked through a template, so that an ambiguity is a failed check rather than a failed build.
  auto const comparable = [](auto const& t, auto value) { return requires { t == value; }; };
  CHECK(comparable(tensor<float>(3.0f), 3.0f));
}

}  // namespace

#include <etch/core/members.hpp>

#include <boost/hana.hpp>
#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using namespace etch;
namespace hana = boost::hana;

struct plain {
  int width = 2;
  double height = 1.5;
  int hidden = 7;  // left out: no member to us
  ETCH_MEMBERS(plain, width, height)
};

template <class T, int N>
struct family {
  T first[N];
  T second;
  ETCH_MEMBERS(family, first, second)
};

template <class T>
struct nested {
  family<T, 2> left, right;
  plain inner;
  ETCH_MEMBERS(nested, left, right, inner)
};

struct single {
  std::string only;
  ETCH_MEMBERS(single, only)
};

struct twenty {
  int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, last;
  ETCH_MEMBERS(twenty, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, last)
};

// Where a common word is taken, the macro's own declarations do not shadow it: a warning, which fails this file where warnings are errors.
namespace among_names {

[[maybe_unused]] constexpr int names = 1, get = 2, apply = 3, accessors = 4;

struct couple {
  int one, other;
  ETCH_MEMBERS(couple, one, other)
};

}  // namespace among_names

struct defined_by_hana {
  BOOST_HANA_DEFINE_STRUCT(defined_by_hana, (int, age), (double, size));
};

struct adapted {
  float x, y;
};

struct unknown {
  int width;
};

}  // namespace

BOOST_HANA_ADAPT_STRUCT(adapted, x, y);

namespace {

static_assert(reflected<plain> && reflected<family<float, 3>> && reflected<nested<double>> && reflected<single> && reflected<twenty>);
static_assert(reflected<defined_by_hana> && reflected<adapted>);
static_assert(!reflected<unknown> && !reflected<int> && !reflected<std::vector<int>>);
static_assert(hana::Struct<plain>::value && hana::Struct<nested<float>>::value);

// Members are those named, in that order, with their names and types.
static_assert(member_count<plain> == 2 && member_count<single> == 1 && member_count<twenty> == 20 && member_count<nested<int>> == 3 &&
              member_count<defined_by_hana> == 2);
static_assert(member_name<plain, 0>() == "width" && member_name<plain, 1>() == "height");
static_assert(member_name<twenty, 0>() == "a0" && member_name<twenty, 10>() == "b0" && member_name<twenty, 19>() == "last");
static_assert(member_name<nested<float>, 2>() == "inner" && member_name<single, 0>() == "only");
static_assert(member_name<defined_by_hana, 1>() == "size" && member_name<adapted, 1>() == "y");
static_assert(std::is_same_v<member_type<plain, 1>, double> && std::is_same_v<member_type<nested<float>, 1>, family<float, 2>> &&
              std::is_same_v<member_type<family<int, 3>, 0>, int[3]>);

// A reference with the value category and constness of the struct.
static_assert(std::is_same_v<decltype(member<0>(std::declval<plain&>())), int&> &&
              std::is_same_v<decltype(member<0>(std::declval<plain const&>())), int const&>);

// Being reflected costs nothing: aggregates stay aggregates, of the same size.
static_assert(std::is_aggregate_v<plain> && std::is_aggregate_v<family<float, 3>> && sizeof(adapted) == sizeof(family<float, 1>));

constexpr int sum_of_twenty() {
  twenty t{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  member<19>(t) = 100;
  int total = 0;
  for_each_member<twenty>([&](auto i) { total = 2 * (total % 1000) + member<i>(t); });
  return total * 1000 + with_members<twenty>([&](auto... i) { return (member<i>(t) + ...); });
}
static_assert(sum_of_twenty() % 1000 == 190 + 100);

TEST_CASE("members are read and written in place") {
  plain p;
  member<0>(p) = 5;
  CHECK(p.width == 5);
  nested<double> n{};
  member<1>(member<1>(n)) = 2.5;
  CHECK(n.right.second == 2.5);
  CHECK(&member<0>(member<2>(n)) == &n.inner.width);
  CHECK(member<1>(defined_by_hana{3, 4.5}) == 4.5);
  CHECK(member<0>(single{"text"}) == "text");
}

TEST_CASE("members are visited in the order of their naming") {
  std::string names;
  for_each_member<nested<float>>([&](auto i) { names += std::string(member_name<nested<float>, i>()) + " "; });
  CHECK(names == "left right inner ");
  auto const listed = with_members<plain>([](auto... i) { return std::vector<std::string>{std::string(member_name<plain, i>())...}; });
  CHECK(listed == std::vector<std::string>{"width", "height"});
}

TEST_CASE("Boost.Hana's own algorithms see the members by name") {
  plain p{3, 4.5, 0};
  CHECK(hana::at_key(p, BOOST_HANA_STRING("height")) == 4.5);
  CHECK(decltype(hana::length(hana::members(p)))::value == 2);
  double total = 0;
  hana::for_each(hana::members(p), [&](auto const& m) { total += m; });
  CHECK(total == 7.5);
  std::string names;
  hana::for_each(hana::keys(nested<float>{}), [&](auto name) { names += name.c_str(); });
  CHECK(names == "leftrightinner");
  CHECK(hana::equal(p, plain{3, 4.5, 99}));  // members left out do not take part
  CHECK(!hana::equal(p, plain{3, 4.25, 0}));
}

}  // namespace

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
  int hidden = 7;  // left out: no member to Hana, and no argument of a loss
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

template <class T>
struct most {
  T m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24,
      m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44, m45, m46, m47,
      m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62, m63, m64, m65, m66, m67, m68, m69, m70,
      m71, m72, m73, m74, m75, m76, m77, m78, m79, m80, m81, m82, m83, m84, m85, m86, m87, m88, m89, m90, m91, m92, m93,
      m94, m95, m96, m97, m98, m99, m100, m101, m102, m103, m104, m105, m106, m107, m108, m109, m110, m111, m112, m113,
      m114, m115, m116, m117, m118, m119, m120, m121, m122, m123, m124, m125, m126, m127;
  ETCH_MEMBERS(most, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
               m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
               m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62, m63,
               m64, m65, m66, m67, m68, m69, m70, m71, m72, m73, m74, m75, m76, m77, m78, m79, m80, m81, m82, m83, m84,
               m85, m86, m87, m88, m89, m90, m91, m92, m93, m94, m95, m96, m97, m98, m99, m100, m101, m102, m103, m104,
               m105, m106, m107, m108, m109, m110, m111, m112, m113, m114, m115, m116, m117, m118, m119, m120, m121,
               m122, m123, m124, m125, m126, m127)
};

#define TWO_NAMES left, right
struct listed_by_a_macro {
  int left, right;
  ETCH_MEMBERS(listed_by_a_macro, TWO_NAMES)
};

// Where a common word is taken, the macro's own declarations do not shadow it: a warning, which fails
// this file where warnings are errors.
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

static_assert(reflected<plain> && reflected<family<float, 3>> && reflected<nested<double>> && reflected<single> &&
              reflected<twenty>);
static_assert(reflected<defined_by_hana> && reflected<adapted>);
static_assert(!reflected<unknown> && !reflected<int> && !reflected<std::vector<int>>);
static_assert(hana::Struct<plain>::value && hana::Struct<nested<float>>::value);

// Members are those named, in that order, with their names and types.
static_assert(member_count<plain> == 2 && member_count<single> == 1 && member_count<twenty> == 20 &&
              member_count<nested<int>> == 3 && member_count<defined_by_hana> == 2);
static_assert(member_name<plain, 0>() == "width" && member_name<plain, 1>() == "height");
static_assert(member_name<twenty, 0>() == "a0" && member_name<twenty, 10>() == "b0" &&
              member_name<twenty, 19>() == "last");
static_assert(member_name<nested<float>, 2>() == "inner" && member_name<single, 0>() == "only");
static_assert(member_name<defined_by_hana, 1>() == "size" && member_name<adapted, 1>() == "y");
static_assert(member_count<most<int>> == 128 && member_name<most<int>, 127>() == "m127" &&
              member_name<most<int>, 99>() == "m99" && sizeof(most<double>) == 128 * sizeof(double));
static_assert(member_count<listed_by_a_macro> == 2 && member_name<listed_by_a_macro, 1>() == "right");
static_assert(std::is_same_v<member_type<plain, 1>, double> &&
              std::is_same_v<member_type<nested<float>, 1>, family<float, 2>> &&
              std::is_same_v<member_type<family<int, 3>, 0>, int[3]>);

// A reference with the value category and constness of the struct.
static_assert(std::is_same_v<decltype(member<0>(std::declval<plain&>())), int&> &&
              std::is_same_v<decltype(member<0>(std::declval<plain const&>())), int const&>);

// Being reflected costs nothing: aggregates stay aggregates, of the same size.
static_assert(std::is_aggregate_v<plain> && std::is_aggregate_v<family<float, 3>> &&
              sizeof(adapted) == sizeof(family<float, 1>));

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

TEST_CASE("as many members as there may be are read in place") {
  most<int> all{};
  int next = 0;
  for_each_member<most<int>>([&](auto i) { member<i>(all) = next++; });
  CHECK(all.m0 == 0);
  CHECK(all.m64 == 64);
  CHECK(all.m127 == 127);
}

TEST_CASE("members are visited in the order of their naming") {
  std::string names;
  for_each_member<nested<float>>([&](auto i) { names += std::string(member_name<nested<float>, i>()) + " "; });
  CHECK(names == "left right inner ");
  auto const listed =
      with_members<plain>([](auto... i) { return std::vector<std::string>{std::string(member_name<plain, i>())...}; });
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

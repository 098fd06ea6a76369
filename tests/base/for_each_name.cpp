#include <etch/base/for_each_name.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

#define TEN(p) p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7, p##8, p##9
#define HUNDRED(p) \
  TEN(p##0), TEN(p##1), TEN(p##2), TEN(p##3), TEN(p##4), TEN(p##5), TEN(p##6), TEN(p##7), TEN(p##8), TEN(p##9)
#define ONE(s, name) s #name
#define TEXT(...) std::string_view("" ETCH_DETAIL_FOR_EACH_NAME(ONE, ",", __VA_ARGS__))

static_assert(TEXT() == "" && TEXT(a) == ",a" && TEXT(a, b) == ",a,b" && TEXT(a, b, c) == ",a,b,c");
static_assert(TEXT(HUNDRED(a)).size() == 400 && TEXT(HUNDRED(a)).ends_with(",a98,a99"));
static_assert(
    TEXT(HUNDRED(a), TEN(b), TEN(c), x1, x2, x3, x4, x5, x6, x7, x8).ends_with(",c8,c9,x1,x2,x3,x4,x5,x6,x7,x8"));
static_assert(!ETCH_DETAIL_TOO_MANY_NAMES(a) &&
              !ETCH_DETAIL_TOO_MANY_NAMES(HUNDRED(a), TEN(b), TEN(c), x1, x2, x3, x4, x5, x6, x7, x8));

// More names than that stay quiet, however many.
static_assert(ETCH_DETAIL_TOO_MANY_NAMES(HUNDRED(a), TEN(b), TEN(c), TEN(d), x) &&
              TEXT(HUNDRED(a), TEN(b), TEN(c), TEN(d), x) == "");
static_assert(ETCH_DETAIL_TOO_MANY_NAMES(HUNDRED(a), HUNDRED(b), HUNDRED(c), HUNDRED(d)) &&
              TEXT(HUNDRED(a), HUNDRED(b), HUNDRED(c), HUNDRED(d)) == "");

TEST_CASE("names are applied in their order") { CHECK(TEXT(first, second, third) == ",first,second,third"); }

}  // namespace

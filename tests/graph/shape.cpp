#include <etch/graph/shape.hpp>

#include <doctest/doctest.h>

using namespace etch;

static_assert(make_shape().size() == 1);
static_assert(make_shape(3, 4).size() == 12);
static_assert(make_shape(3, 4)[2] == 1);
static_assert(same_extents(make_shape(3), make_shape(3, 1)) && !(make_shape(3) == make_shape(3, 1)));
static_assert(broadcast_shape(make_shape(3, 1), make_shape(1, 4)) == make_shape(3, 4));
static_assert(broadcast_shape(make_shape(3), make_shape(3, 4)) == make_shape(3, 4));
static_assert(broadcast_shape(make_shape(), make_shape(2, 2)) == make_shape(2, 2));
static_assert(!broadcasts(make_shape(3), make_shape(4)));
static_assert(contiguous_strides(make_shape(3, 4, 5)) == strides{1, 3, 12, 60});
static_assert(is_contiguous({0, {1, 3, 12, 12}}, make_shape(3, 4)));
static_assert(is_contiguous({7, {1, 99, 3, 0}}, make_shape(3, 1, 2)));
static_assert(!is_contiguous({0, {4, 1, 0, 0}}, make_shape(3, 4)));

// Axes of which a count is known at run time.
static_assert(make_shape(3, upto<5>).size() == 15 && make_shape(3, upto<5>).is_counted(1));
static_assert(make_shape(3, upto<5>).dimension(1) == upto<5> && make_shape(3, upto<5>).dimension(0) == 3);
static_assert(!(make_shape(3, upto<5>) == make_shape(3, 5)) && !same_extents(make_shape(3, upto<5>), make_shape(3, 5)));
static_assert(broadcast_shape(make_shape(3), make_shape(3, upto<5>)) == make_shape(3, upto<5>));
static_assert(broadcast_shape(make_shape(1, upto<5>), make_shape(3, 1)) == make_shape(3, upto<5>));
static_assert(!broadcasts(make_shape(3, upto<5>), make_shape(3, 5)) &&
              !broadcasts(make_shape(3, 5), make_shape(3, upto<5>)));
static_assert(!broadcasts(make_shape(upto<5>), make_shape(1, upto<5>)));
static_assert(counted_as(make_shape(2, 2, 5), make_shape(4, upto<5>)) == make_shape(2, 2, upto<5>));
static_assert(counted_as(make_shape(20), make_shape(4, upto<5>)).counted == 0);
static_assert(counted_as(make_shape(5, 4), make_shape(4, upto<5>)).counted == 0);

TEST_CASE("shapes print as lists of extents") {
  CHECK(to_string(make_shape(3, upto<5>)) == "[3, up to 5]");
  CHECK(to_string(make_shape()) == "[]");
  CHECK(to_string(make_shape(3, 4)) == "[3, 4]");
}

TEST_CASE("shapes that do not broadcast are refused with both shapes") {
  CHECK_THROWS_WITH_AS(broadcast_shape(make_shape(3), make_shape(4)), "etch: shapes do not broadcast: [3] and [4]",
                       exception);
}

#include <etch/op/arrival.hpp>
#include <etch/op/table.hpp>
#include <etch/machine/lanes.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

static_assert(op::arrived::value(-0.0) == 0 && op::arrived::value(0.0) == 1 && op::arrived::value(-1e-310) == 1 &&
              op::arrived::value(-0.0f) == 0 && op::arrived::value(-infinity<double>) == 1 &&
              op::arrived::value(not_a_number<double>) == 1);
static_assert(op::mark_arrival::value(1.0, 2.0) == 2 && op::arrived::value(op::mark_arrival::value(0.0, 2.0)) == 0 &&
              op::arrived::value(op::mark_arrival::value(0.0f, not_a_number<float>)) == 0);
static_assert(op::arrived::value(op::mark_arrival::value(1.0, -0.0)) == 1, "a -0 that arrived is a zero");
static_assert(op::arrived::value(-0.0 + op::mark_arrival::value(0.0, 5.0)) == 0 &&
                  op::arrived::value(0.0 + op::mark_arrival::value(0.0, 5.0)) == 1,
              "nothing and nothing is nothing, nothing and zero is zero");

TEST_CASE_TEMPLATE("lanes tell what arrived as numbers do", T, float, double) {
  using lane = lanes<T>;
  T x[lane::width], m[lane::width], y[lane::width];
  T const some[] = {T(-0.0), T(0), T(1), -infinity<T>, not_a_number<T>};
  for (int i = 0; i < lane::width; ++i) x[i] = some[i % 5], m[i] = T(i % 3 == 0);
  op::arrived::value(lane::load(x)).store(y);
  for (int i = 0; i < lane::width; ++i) CHECK(y[i] == op::arrived::value(x[i]));
  op::mark_arrival::value(lane::load(m), lane::load(x)).store(y);
  for (int i = 0; i < lane::width; ++i) CHECK(op::arrived::value(y[i]) == m[i]);
}

#include "sparse_checks.hpp"

#include <etch/transform/custom.hpp>

using sparse_checks::check_jacobian;
using sparse_checks::fill;

namespace {

template <class T>
struct pose {
  etch::param<T, 3> position;
  etch::param<T> heading;
  ETCH_MEMBERS(pose, position, heading)
};

}  // namespace

TEST_CASE("a diagonal, a band, and a dense row or column") {
  etch::tensor<double, 7> x;
  fill(x);
  check_jacobian([](auto v) { return exp(v) * 2.0; }, 7, 1, x);
  check_jacobian([](auto v) { return v.template tail<6>() - square(v.template head<6>()); }, 12, 2, x);
  check_jacobian([](auto v) { return etch::concat<0>(etch::reshape<1>(sum(square(v))), sin(v)); }, 14, 2,
                 x);                                               // by rows
  check_jacobian([](auto v) { return sum(square(v)); }, 7, 1, x);  // by rows
  check_jacobian([](auto v) { return v * sum(v.template head<2>()); }, 19, 3, x);
  check_jacobian([](auto v) { return v.reverse(); }, 7, 1, x);
}

TEST_CASE("products, reductions and matrices") {
  etch::tensor<double, 3, 4> x;
  etch::tensor<double, 4, 5> m;
  fill(x), fill(m, 0.3);
  check_jacobian([](auto a, auto b) { return a * b; }, 60, 4, x, m);
  check_jacobian([](auto b, auto a) { return a * b; }, 60, 3, m, x);
  check_jacobian([](auto a) { return a * transpose(a); }, 9 * 4 + 6 * 4, 6, x);
  check_jacobian([](auto a) { return etch::sum<0>(square(a)); }, 12, 1, x);  // by rows
  check_jacobian([](auto a) { return transpose(a); }, 12, 1, x);
  check_jacobian([](auto a) { return etch::cumsum<0>(a); }, 144, 12, x);  // taken for dense
}

TEST_CASE("structs, floats, numbers and further arguments") {
  pose<double> p;
  fill(p);
  check_jacobian([](auto q) { return q.position * cos(q.heading); }, 6, 2, p);
  etch::tensor<float, 5> x, w;
  fill(x), fill(w, 0.2f);
  check_jacobian([](auto v, auto u) { return cwise_product(v, square(u)) + u; }, 5, 1, x, w);
  check_jacobian([](auto s) { return s * s; }, 1, 1, 3.0);
  Eigen::Vector3d e(0.3, 0.5, 0.7);
  check_jacobian([](auto v) { return v.cwiseProduct(v); }, 3, 1, e);
}

TEST_CASE("rules of one's own count as they are") {
  etch::tensor<double, 4> x;
  fill(x);
  check_jacobian([](auto v) { return etch::straight_through([](auto a) { return round(a); })(v); }, 4, 1, x);
  check_jacobian([](auto v) { return round(v) * 2.0 + etch::stop_gradient(v); }, 0, 0, x);
  check_jacobian([](auto v) { return select(v > 0.4, v, v.reverse()); }, 8, 2, x);
}

TEST_CASE("the structure stays, and nothing moves") {
  etch::tensor<double, 5> x;
  fill(x);
  auto p = etch::sparse_jacobian([](auto v) { return cwise_product(v, v.reverse()); }, x);
  auto const* const values = p(x).valuePtr();
  x(0) = 0;  // an entry that is 0 now is still stored
  auto const& again = p(x);
  CHECK(again.valuePtr() == values);
  CHECK(again.nonZeros() == 9);
  CHECK(again.coeff(4, 4) == 0);
  CHECK(p.value()(2) == x(2) * x(2));
  CHECK(p.dense()(1, 3) == x(1));
  double sum = 0;
  p.for_each_entry([&](int row, int column, double entry) { sum += row * column * entry; });
  double expected = 0;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) expected += i * j * again.coeff(i, j);
  CHECK(sum == doctest::Approx(expected));
  CHECK(p.row_indices().size() == 9);
  CHECK(p.column_starts()[5] == 9);
}

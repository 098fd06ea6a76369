#include <etch/rewrite/products_of_sums.hpp>

#include <etch/compile/program.hpp>
#include <etch/op/elementwise.hpp>
#include <etch/transform/map.hpp>
#include <etch/transform/scan.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace etch;

namespace {

/// The number of products in the bodies of the program's loops.
consteval int products_in_loops(graph_view g) {
  int count = 0;
  for (int id = 0; id < g.size(); ++id) {
    if (!facts_of(g[id]).is_loop) continue;
    loop_body const l = loop_at(g, id);
    count += products_in_loops(l.body);
    for (node const& n : l.body.nodes) count += facts_of(n).is_product;
  }
  return count;
}
template <class Program>
inline constexpr int products = products_in_loops(Program::executable::graph);

template <class X>
X filled(double scale) {
  X x;
  int n = 0;
  for (auto& each : x) each = scale * ((n += 7) % 19 - 9);
  return x;
}

/// Differences of the value by each entry of argument `I`.
template <std::size_t I>
void check_gradient(auto& program, auto... x) {
  auto all = std::make_tuple(x...);
  auto& at = std::get<I>(all);
  auto const value = [&] { return std::apply(program, all); };
  value();
  auto const gradient = program.template grad<I>();
  for (std::size_t i = 0; i < at.size(); ++i) {
    double const here = at.data()[i], h = 1e-5;
    at.data()[i] = here + h;
    double const above = value();
    at.data()[i] = here - h;
    double const below = value();
    at.data()[i] = here;
    CHECK(gradient.data()[i] == doctest::Approx((above - below) / (2 * h)).epsilon(1e-6));
  }
}

using matrix_type = tensor<double, 5, 4>;
using vector_type = tensor<double, 4>;
template <int N>
using points_type = tensor<double, 4, N>;

constexpr auto distances = [](auto a, auto centre, auto xs) {
  return sum_map([&](auto x) { return log(1.0 + sum(square(a * (x - centre)))); }, xs);
};
constexpr auto in_parts = [](auto a, auto centre, auto xs) {
  return sum_map(
      [&](auto x) {
        auto const away = x - centre;
        return exp(-0.1 * (sum(square(a * away)) + sum(square(slice<0, 1, 2>(a) * (2.0 * away)))));
      },
      xs);
};
constexpr auto driven = [](auto a, auto drift, auto xs) {
  return sum(square(scan([&](auto state, auto x) { return tanh(0.3 * state + a * (x + drift)); }, 0.0 * drift, xs)));
};
constexpr auto linear_in_state = [](auto a, auto drift, auto xs) {
  return sum(square(scan([&](auto state, auto x) { return 0.9 * state + a * (x + drift); }, 0.0 * drift, xs)));
};
constexpr auto recurrent = [](auto a, auto drift, auto xs) {
  return sum(square(scan([&](auto state, auto x) { return tanh(a * (state + drift)) + 0.1 * x; }, 0.0 * drift, xs)));
};
constexpr auto masked = [](auto a, auto centre, auto xs) {
  return sum_map([&](auto x) { return select(x(0) > 0.0, sum(log(square(a * (x - centre)))), sum(x)); }, xs);
};

}  // namespace

TEST_CASE("a product with what is the same at every point is taken of the sum over the points") {
  auto const a = filled<matrix_type>(0.1);
  auto const centre = filled<vector_type>(0.07);
  // The way forward has one product; that back to the centre stands behind the loop, that to the matrix in it.
  static auto by_centre = compile<wrt<1>>(distances, matrix_type{}, vector_type{}, points_type<19>{});
  CHECK(products<std::remove_cvref_t<decltype(by_centre)>> == 1);
  check_gradient<1>(by_centre, a, centre, filled<points_type<19>>(0.2));
  static auto by_both = compile<wrt<0, 1>>(distances, matrix_type{}, vector_type{}, points_type<19>{});
  CHECK(products<std::remove_cvref_t<decltype(by_both)>> == 2);
  check_gradient<0>(by_both, a, centre, filled<points_type<19>>(0.2));
  check_gradient<1>(by_both, a, centre, filled<points_type<19>>(0.2));
  // By the points, too, each point needs its own.
  static auto by_points = compile<wrt<1, 2>>(distances, matrix_type{}, vector_type{}, points_type<19>{});
  CHECK(products<std::remove_cvref_t<decltype(by_points)>> == 2);
  check_gradient<1>(by_points, a, centre, filled<points_type<19>>(0.2));
  check_gradient<2>(by_points, a, centre, filled<points_type<19>>(0.2));
}

TEST_CASE("sums of products, parts and factors go with them") {
  static auto program = compile<wrt<0, 1>>(in_parts, matrix_type{}, vector_type{}, points_type<17>{});
  CHECK(products<std::remove_cvref_t<decltype(program)>> == 4);
  check_gradient<0>(program, filled<matrix_type>(0.1), filled<vector_type>(0.07), filled<points_type<17>>(0.2));
  check_gradient<1>(program, filled<matrix_type>(0.1), filled<vector_type>(0.07), filled<points_type<17>>(0.2));
}

TEST_CASE("what is added up anyway is not added up twice") {
  auto const layer = [](auto w, auto b, auto centre, auto xs) {
    return sum_map([&](auto x) { return sum(tanh(w * (x + centre) + b)); }, xs);
  };
  static auto program = compile<wrt<1, 2>>(layer, matrix_type{}, tensor<double, 5>{}, vector_type{}, points_type<11>{});
  constexpr graph_view g = std::remove_cvref_t<decltype(program)>::executable::graph;
  constexpr int sums = [](graph_view all) {
    for (int id = 0; id < all.size(); ++id)
      if (facts_of(all[id]).is_loop) return static_cast<int>(loop_at(all, id).out.size());
    return 0;
  }(g);
  CHECK(sums == 2);  // the value and the derivative by b
  auto const w = filled<matrix_type>(0.1);
  auto const b = filled<tensor<double, 5>>(0.05);
  check_gradient<1>(program, w, b, filled<vector_type>(0.07), filled<points_type<11>>(0.2));
  check_gradient<2>(program, w, b, filled<vector_type>(0.07), filled<points_type<11>>(0.2));
}

TEST_CASE("points of a number that is known at run time, none too") {
  static auto program = compile<wrt<1>>(distances, matrix_type{}, vector_type{}, tensor<double, 4, upto<20>>{});
  CHECK(products<std::remove_cvref_t<decltype(program)>> == 1);
  auto const a = filled<matrix_type>(0.1);
  auto const centre = filled<vector_type>(0.07);
  auto const all = filled<points_type<20>>(0.2);
  for (int count : {0, 1, 7, 8, 9, 20}) {
    tensor<double, 4, upto<20>> xs;
    xs.resize(count);
    for (int n = 0; n < count; ++n)
      for (int i = 0; i < 4; ++i) xs(i, n) = all(i, n);
    program(a, centre, xs);
    vector_type expected{};
    for (int n = 0; n < count; ++n) {
      double squares = 0, r[5];
      for (int i = 0; i < 5; ++i) {
        r[i] = 0;
        for (int j = 0; j < 4; ++j) r[i] += a(i, j) * (all(j, n) - centre(j));
        squares += r[i] * r[i];
      }
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 5; ++i) expected(j) -= 2 * a(i, j) * r[i] / (1 + squares);
    }
    for (int j = 0; j < 4; ++j) CHECK(program.template grad<1>()(j) == doctest::Approx(expected(j)).epsilon(1e-13));
  }
}

/// A matrix by more parts than a word has bits, whose gradients are joined again, behind a product or without one.
template <bool Product>
struct many_parts {
  constexpr auto operator()(auto a, auto shift, auto xs) const {
    return sum_map(
        [&](auto x) {
          auto const each = [&]<int... I>(std::integer_sequence<int, I...>) {
            return concat<0>(slice<0, I, 1>(shift) * static_cast<double>(I + 1)...);
          }(std::make_integer_sequence<int, 40>{});
          if constexpr (Product) return sum(square(tanh(a * (each + x))));
          else return sum(square(each + x));
        },
        xs);
  }
};
template <bool Product>
void check_many_parts() {
  using shift_type = tensor<double, 40>;
  using wide_type = tensor<double, 2, 40>;
  using series_type = tensor<double, 40, 9>;
  static auto program = compile<wrt<1>>(many_parts<Product>{}, wide_type{}, shift_type{}, series_type{});
  CHECK(products<std::remove_cvref_t<decltype(program)>> == Product);
  check_gradient<1>(program, filled<wide_type>(0.005), filled<shift_type>(0.001), filled<series_type>(0.01));
}

TEST_CASE("values of any number of parts") {
  check_many_parts<false>();
  check_many_parts<true>();
}

TEST_CASE("steps that follow each other add up likewise, unless a product is what they hand on") {
  using square_type = tensor<double, 4, 4>;
  static auto by_drift = compile<wrt<1>>(driven, square_type{}, vector_type{}, points_type<6>{});
  CHECK(products<std::remove_cvref_t<decltype(by_drift)>> == 1);
  check_gradient<1>(by_drift, filled<square_type>(0.1), filled<vector_type>(0.07), filled<points_type<6>>(0.2));
  static auto by_state = compile<wrt<1>>(linear_in_state, square_type{}, vector_type{}, points_type<6>{});
  check_gradient<1>(by_state, filled<square_type>(0.1), filled<vector_type>(0.07), filled<points_type<6>>(0.2));
  static auto handed_on = compile<wrt<1>>(recurrent, square_type{}, vector_type{}, points_type<6>{});
  CHECK(products<std::remove_cvref_t<decltype(handed_on)>> == 2);
  check_gradient<1>(handed_on, filled<square_type>(0.1), filled<vector_type>(0.07), filled<points_type<6>>(0.2));
}

TEST_CASE("what a select did not take does not arrive in the sum") {
  static auto program = compile<wrt<1>>(masked, matrix_type{}, vector_type{}, points_type<9>{});
  auto const a = filled<matrix_type>(0.1);
  auto const centre = filled<vector_type>(0.07);
  auto xs = filled<points_type<9>>(0.2);
  for (int n = 0; n < 9; n += 2) xs(0, n) = -1;  // not taken, where the logarithm is infinite
  for (int i = 1; i < 4; ++i) xs(i, 2) = centre(i), xs(i, 4) = std::numeric_limits<double>::infinity();
  program(a, centre, xs);
  vector_type const with_all = program.template grad<1>();
  for (int n = 0; n < 9; n += 2)
    for (int i = 1; i < 4; ++i) xs(i, n) = 0.5;
  program(a, centre, xs);
  for (int i = 0; i < 4; ++i) CHECK(with_all(i) == doctest::Approx(program.template grad<1>()(i)).epsilon(1e-13));
}

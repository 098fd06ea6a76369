#include <etch/core/argument.hpp>

#include <etch/compile/trace.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace etch;

template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;
template <class A>
using traced = typename argument<A>::traced;
template <class A>
using gradient = typename argument<A>::gradient;

// The types that the lambda sees, and that of the gradient.
static_assert(same<traced<float>, expr<float>> && same<gradient<float>, float> && same<traced<int>, expr<int>> &&
              same<traced<bool>, expr<bool>>);
static_assert(same<traced<tensor<double, 2, 3>>, expr<double, 2, 3>> &&
              same<gradient<tensor<double, 2, 3>>, tensor<double, 2, 3>>);
static_assert(same<traced<tensor<float>>, expr<float>> && same<gradient<tensor<float>>, tensor<float>>);
static_assert(same<traced<std::array<tensor<float, 2>, 3>>, std::array<expr<float, 2>, 3>> &&
              same<gradient<std::array<float, 3>>, std::array<float, 3>>);
using pair_of_kinds = std::tuple<double, std::array<tensor<int, 4>, 2>>;
static_assert(same<traced<pair_of_kinds>, std::tuple<expr<double>, std::array<expr<int, 4>, 2>>> &&
              same<gradient<pair_of_kinds>, pair_of_kinds>);
static_assert(argument<float>::rebindable && argument<tensor<float, 2>>::rebindable &&
              argument<pair_of_kinds>::rebindable);

// Leaves are counted through every nesting.
static_assert(pass::leaf_count<float>() == 1 && pass::leaf_count<tensor<float, 9, 9>>() == 1 &&
              pass::leaf_count<pair_of_kinds>() == 3);
static_assert(pass::leaf_count<std::array<std::tuple<float, double>, 5>>() == 10);

// Leaves become inputs in order: position, element type and shape of each.
static_assert([] {
  graph g;
  int position = 0;
  auto const t = argument<std::tuple<float, std::array<tensor<double, 2>, 2>, tensor<int, 3, 1>>>::trace(
      pass::leaf_maker{&g, &position});
  node const &a = g[std::get<0>(t).id], &b = g[std::get<1>(t)[0].id], &c = g[std::get<1>(t)[1].id],
             &d = g[std::get<2>(t).id];
  return position == 4 && a.attributes == 0 && b.attributes == 1 && c.attributes == 2 && d.attributes == 3 &&
         a.type == element::f32 && b.type == element::f64 && d.type == element::i32 && b.extent == make_shape(2) &&
         d.extent == make_shape(3, 1) && a.extent == make_shape();
}());

/// Number and place of the leaves, as `visit` meets them.
template <class A>
std::vector<std::pair<void const*, std::size_t>> visited(A& a) {
  std::vector<std::pair<void const*, std::size_t>> all;
  argument<std::remove_const_t<A>>::visit(a, [&](auto* data, std::size_t n) { all.emplace_back(data, n); });
  return all;
}

TEST_CASE("leaves are visited in the order they are traced, at the user's own memory") {
  std::tuple<float, std::array<tensor<double, 2>, 2>, tensor<int, 3, 1>> a;
  auto const all = visited(a);
  REQUIRE(all.size() == 4);
  CHECK(all[0] == std::pair<void const*, std::size_t>(&std::get<0>(a), 1));
  CHECK(all[1] == std::pair<void const*, std::size_t>(std::get<1>(a)[0].data(), 2));
  CHECK(all[2] == std::pair<void const*, std::size_t>(std::get<1>(a)[1].data(), 2));
  CHECK(all[3] == std::pair<void const*, std::size_t>(std::get<2>(a).data(), 3));
}

TEST_CASE("a visitor of a const argument reads, of another writes") {
  tensor<float, 2> const fixed{1, 2};
  argument<tensor<float, 2>>::visit(fixed,
                                    [](auto* data, std::size_t) { static_assert(same<decltype(data), float const*>); });
  std::array<double, 3> loose{1, 2, 3};
  argument<std::array<double, 3>>::visit(loose, [](double* data, std::size_t n) {
    REQUIRE(n == 1);
    *data *= 2;
  });
  CHECK(loose == std::array<double, 3>{2, 4, 6});
}

}  // namespace

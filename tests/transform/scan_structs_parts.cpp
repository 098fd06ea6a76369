// Structs with parts of all kinds in scan, and structs as columns of map.
#include "transform/struct_loops.hpp"

using namespace struct_loops;

namespace {

/// Seen by its members alone, some of them in arrays, tuples and other structs.
struct measured {
  commands<double, 4> told;
  std::array<tensor<double, 4>, 2> pair;
  std::tuple<tensor<double, 3, 2, 4>, tensor<float, 4>> more;
  Eigen::Matrix<double, 2, 4> of_eigen;
  ETCH_MEMBERS(measured, told, pair, more, of_eigen)
};

}  // namespace

TEST_CASE("parts of parts") {
  measured m{{filled_with<tensor<double, 2, 4>>(1), filled_with<tensor<double, 4>>(2)},
             {filled_with<tensor<double, 4>>(3), filled_with<tensor<double, 4>>(4)},
             {filled_with<tensor<double, 3, 2, 4>>(5), filled_with<tensor<float, 4>>(6)},
             {}};
  for (int i = 0; i < 8; ++i) m.of_eigen.data()[i] = 0.3 * i - 1;
  tensor<double, 4> const others = filled_with<tensor<double, 4>>(7);
  auto const looped = [](auto all, auto extra) {
    auto const r = scan(
        [&](auto h, auto slices) {
          auto const& [x, e] = slices;
          auto const next =
              tanh(h + x.told.force * x.pair[0] + reshape<2>(sum<0>(std::get<0>(x.more))) + x.of_eigen * e);
          return step{next, std::tuple{x, next, cast<double>(std::get<1>(x.more)) * x.told.turn * x.pair[1]}};
        },
        zeros<2>(), std::tuple{all, extra});
    auto const& [x, hs, products] = r.y;
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(x)>, std::remove_cvref_t<decltype(all)>>);
    return sum(r.carry) + sum(square(hs)) + sum(products) + sum(cube(x.pair[0])) + sum(sin(x.told.force)) +
           sum(square(std::get<0>(x.more)));
  };
  auto const by_hand = [](auto all, auto extra) {
    auto h = 0 * all.of_eigen.col(0);
    auto total = 0 * extra(0);
    auto const& a = std::get<0>(all.more);
    for (int t = 0; t < 4; ++t) {
      auto const columns = [&] {
        if (t == 0) return sum<0>(reshape<3, 2>(slice<2, 0, 1>(a)));
        if (t == 1) return sum<0>(reshape<3, 2>(slice<2, 1, 1>(a)));
        if (t == 2) return sum<0>(reshape<3, 2>(slice<2, 2, 1>(a)));
        return sum<0>(reshape<3, 2>(slice<2, 3, 1>(a)));
      }();
      h = tanh(h + all.told.force.col(t) * all.pair[0](t) + reshape<2>(columns) + all.of_eigen.col(t) * extra(t));
      total = total + sum(square(h)) + cast<double>(std::get<1>(all.more)(t)) * all.told.turn(t) * all.pair[1](t);
    }
    return total + sum(h) + sum(cube(all.pair[0])) + sum(sin(all.told.force)) + sum(square(a));
  };
  auto const expected = value_and_grad<wrt<0, 1>>(by_hand)(m, others),
             found = value_and_grad<wrt<0, 1>>(looped)(m, others);
  CHECK(found.value == doctest::Approx(expected.value));
  auto const& [by_m, by_others] = found.grad;
  auto const& [wanted, wanted_others] = expected.grad;
  CHECK(same::distance(by_others, wanted_others) < 1e-12);
  CHECK(same::distance(by_m.told.force, wanted.told.force) < 1e-12);
  CHECK(same::distance(by_m.told.turn, wanted.told.turn) < 1e-12);
  CHECK(same::distance(by_m.pair[1], wanted.pair[1]) < 1e-12);
  CHECK(same::distance(std::get<0>(by_m.more), std::get<0>(wanted.more)) < 1e-12);
  CHECK(same::distance(std::get<1>(by_m.more), std::get<1>(wanted.more)) < 1e-6);
  CHECK((by_m.of_eigen - wanted.of_eigen).norm() < 1e-12);
}

namespace {

constexpr auto mapped = [](auto told, auto w) {
  auto const each = map([&](auto u) { return sum(sin(u.force * sum(w))) * u.turn; }, told);
  return sum(square(each)) + sum_map([](auto u, auto s) { return sum(cube(u.force)) * s * u.turn; }, told, told.turn);
};
constexpr auto batch = [](auto told, auto w) {
  auto const each = cwise_product(reshape<5>(sum<0>(sin(told.force * sum(w)))), told.turn);
  return sum(square(each)) + sum(cwise_product(reshape<5>(sum<0>(cube(told.force))), square(told.turn)));
};

}  // namespace

TEST_CASE("columns of map and its kin may be structs, too") {
  arguments<double> const a;
  check_everywhere<double>(mapped, batch, a.told, a.w);
  auto const each = vmap([](auto u) { return sum(u.force) * u.turn; })(a.told);
  for (int t = 0; t < 5; ++t)
    CHECK(each(t) == doctest::Approx((a.told.force(0, t) + a.told.force(1, t)) * a.told.turn(t)));
}

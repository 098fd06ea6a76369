#include <etch/manifold/product.hpp>

#include "manifold/differences.hpp"

using namespace elements;
using namespace etch::manifold;

namespace {

template <class T>
struct camera {
  se3<T> pose;
  T focal = 1;
  ETCH_MEMBERS(camera, pose, focal)
};
template <class T>
struct scene {
  std::array<camera<T>, 2> cameras;
  param<T, 3> point;
  ETCH_MEMBERS(scene, cameras, point)
};

constexpr auto projected = [](auto const& s) {
  auto const one = [&](auto const& c) {
    auto const p = act(c.pose, s.point);
    return c.focal * p(0) / p(2) + square(c.focal * p(1) / p(2));
  };
  return one(s.cameras[0]) + 2 * one(s.cameras[1]);
};
constexpr auto chain = [](auto const& poses, auto const& p) {
  auto all = poses[0];
  for (std::size_t i = 1; i < poses.size(); ++i) all = all * poses[i];
  return sum(square(act(all, p)));
};
constexpr auto mixed = [](auto const& all) {
  auto const& [turn, v, x] = all;
  return sum(sin(act(turn, v))) * x;
};

using T6 = tensor<double, 6>;
using T3 = tensor<double, 3>;
static_assert(std::is_same_v<argument<std::array<se3<double>, 4>>::gradient, std::array<T6, 4>>);
static_assert(std::is_same_v<argument<std::tuple<so3<float>, tensor<float, 2>>>::gradient,
                             std::tuple<tensor<float, 3>, tensor<float, 2>>>);
static_assert(std::is_same_v<argument<camera<double>>::gradient, std::tuple<T6, double>>);
static_assert(std::is_same_v<argument<scene<double>>::gradient, std::tuple<std::array<std::tuple<T6, double>, 2>, T3>>);

scene<double> some() {
  scene<double> s;
  s.cameras[0].pose = se3<double>::exp(T6{0.1, 0.2, 3, 0.1, -0.2, 0.3});
  s.cameras[1].pose = se3<double>::exp(T6{-0.3, 0.2, 2, 0.4, 0.2, -0.1});
  s.cameras[1].focal = 1.5;
  s.point = {0.3, -0.4, 0.5};
  return s;
}

}  // namespace

TEST_CASE("an array of poses has an array of gradients") {
  std::array<se3<double>, 3> poses;
  for (std::size_t i = 0; i < 3; ++i) poses[i] = se3<double>::exp(tangents<se3<double>>({0.5, 1.0, 2.5})[i]);
  T3 const p{1, -2, 0.5};
  auto step = compile<wrt<0>>(chain, poses, p);
  step(poses, p);
  std::array<T6, 3> const g = step.grad<0>();
  for (std::size_t k = 0; k < 3; ++k) {
    auto const want = gradient_by_differences(
        [&](se3<double> const& x) {
          auto moved = poses;
          moved[k] = x;
          return step(moved, p);
        },
        poses[k]);
    CHECK(distance(g[k], want) < 1e-8);
    CHECK(distance(g[k], grad(chain)(poses, p)[k]) < 1e-13);
    CHECK(distance(g[k], dynamic::grad(chain)(poses, p)[k]) < 1e-13);
  }
}

TEST_CASE("Hessians and Jacobians of more than 16 entries, in a loop") {
  using S = unit_sphere<double, 10>;
  constexpr auto apart = [](auto const& all, auto const& w) {
    auto const &a = all[0].vector, &b = all[1].vector;
    return dot(cwise_product(a, w), cube(b)) + square(dot(a, b)) + sum(cube(a));
  };
  constexpr auto many = [](auto const& all) { return concat<0>(all[0].vector, sin(all[1].vector)); };
  tensor<double, 10> w, v;
  for (std::size_t i = 0; i < 10; ++i) w[i] = 1.0 + 0.1 * static_cast<double>(i), v[i] = 1 / std::sqrt(10.0);
  std::array<S, 2> const all{S(v), retract(S(v), tensor<double, 9>{0.1, 0.2, -0.3, 0.4})};
  tensor<double, 18, 18> const h = hessian(apart)(all, w);
  auto const gradient_at = [&](int j, double by) {
    std::array<tensor<double, 9>, 2> d{};
    d[static_cast<std::size_t>(j / 9)][static_cast<std::size_t>(j % 9)] = by;
    return retract(all, d);
  };
  auto step = compile<wrt<0>>(apart, all, w);
  for (int j = 0; j < 18; ++j) {
    std::array<tensor<double, 9>, 2> d{};
    d[static_cast<std::size_t>(j / 9)][static_cast<std::size_t>(j % 9)] = 1;
    auto const column = hvp(apart)(all, w, d);
    for (int i = 0; i < 18; ++i)
      CHECK(std::abs(h(i, j) - column[static_cast<std::size_t>(i / 9)][static_cast<std::size_t>(i % 9)]) < 1e-13);
    double const bend = (step(gradient_at(j, 1e-4), w) - 2 * step(all, w) + step(gradient_at(j, -1e-4), w)) * 1e8;
    CHECK(h(j, j) == doctest::Approx(bend).epsilon(1e-5));
  }
  tensor<double, 20, 18> const m = jacobian(many)(all);
  for (int j = 0; j < 18; ++j) {
    auto const above = gradient_at(j, 1e-6), below = gradient_at(j, -1e-6);
    for (std::size_t i = 0; i < 10; ++i) {
      CHECK(std::abs(m(static_cast<int>(i), j) - (above[0].vector[i] - below[0].vector[i]) * 5e5) < 1e-8);
      CHECK(std::abs(m(static_cast<int>(i) + 10, j) -
                     (std::sin(above[1].vector[i]) - std::sin(below[1].vector[i])) * 5e5) < 1e-8);
    }
  }
}

TEST_CASE("a struct of the user's that holds manifolds has a tuple of gradients") {
  auto const s = some();
  auto step = compile<wrt<0>>(projected, s);
  step(s);
  auto const g = step.grad<0>();
  auto const plain = grad(projected)(s), taped = dynamic::grad(projected)(s);
  for (std::size_t k = 0; k < 2; ++k) {
    auto const of_pose = gradient_by_differences(
        [&](se3<double> const& x) {
          auto moved = s;
          moved.cameras[k].pose = x;
          return step(moved);
        },
        s.cameras[k].pose);
    CHECK(distance(std::get<0>(std::get<0>(g)[k]), of_pose) < 1e-9);
    CHECK(distance(std::get<0>(std::get<0>(plain)[k]), of_pose) < 1e-9);
    CHECK(distance(std::get<0>(std::get<0>(taped)[k]), of_pose) < 1e-9);
    CHECK(std::get<1>(std::get<0>(g)[k]) == doctest::Approx(std::get<1>(std::get<0>(taped)[k])));
  }
  CHECK(distance(std::get<1>(g), std::get<1>(plain)) < 1e-14);
  CHECK(distance(std::get<1>(g), std::get<1>(taped)) < 1e-14);
  auto of_member = compile<wrt_members<0, "point">>(projected, s);
  of_member(s);
  CHECK(distance(of_member.grad<"point">(), std::get<1>(g)) < 1e-14);
}

TEST_CASE("tuples of rotations, vectors and numbers") {
  std::tuple<so3<double>, T3, double> const all{so3<double>::exp(T3{0.1, 0.2, 0.3}), T3{1, 2, 3}, 0.5};
  auto const [of_turn, of_vector, of_number] = grad(mixed)(all);
  CHECK(distance(of_turn, gradient_by_differences(
                              [&](so3<double> const& q) {
                                auto const v = act(q, std::get<1>(all));
                                return (std::sin(v(0)) + std::sin(v(1)) + std::sin(v(2))) * 0.5;
                              },
                              std::get<0>(all))) < 1e-10);
  auto const v = act(std::get<0>(all), std::get<1>(all));
  CHECK(of_number == doctest::Approx(std::sin(v(0)) + std::sin(v(1)) + std::sin(v(2))));
  auto const back = act(inverse(std::get<0>(all)), T3{std::cos(v(0)) / 2, std::cos(v(1)) / 2, std::cos(v(2)) / 2});
  CHECK(distance(of_vector, back) < 1e-15);
  tensor<double, 1, 7> const j = jacobian(mixed)(all);
  CHECK(j(0, 2) == doctest::Approx(of_turn(2)));
  CHECK(j(0, 6) == doctest::Approx(of_number));
}

TEST_CASE("steps of products, and back") {
  auto const s = some();
  std::tuple<std::array<std::tuple<T6, double>, 2>, T3> step;
  std::get<0>(std::get<0>(step)[1]) = T6{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  std::get<1>(std::get<0>(step)[0]) = 0.25;
  std::get<1>(step) = T3{1, 2, 3};
  auto const moved = etch::manifold::retract(s, step);
  CHECK(moved.cameras[0].focal == 1.25);
  CHECK(distance_of_elements(moved.cameras[0].pose, s.cameras[0].pose) == 0);
  auto const back = etch::manifold::local(s, moved);
  CHECK(distance(std::get<0>(std::get<0>(back)[1]), std::get<0>(std::get<0>(step)[1])) < 1e-14);
  CHECK(distance(std::get<1>(back), T3{1, 2, 3}) < 1e-15);
  std::array<so2<double>, 2> const turns{so2<double>(0.5), so2<double>(-3.0)};
  auto const later = retract(turns, std::array{tensor<double, 1>(0.25), tensor<double, 1>(-1.0)});
  CHECK(later[0].angle() == doctest::Approx(0.75));
  CHECK(later[1].angle() == doctest::Approx(2 * 3.141592653589793 - 4));
}

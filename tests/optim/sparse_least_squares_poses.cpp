// sparse_least_squares of poses: a ring of measurements is closed.
#include <etch/etch.hpp>

#include <etch/optim/sparse_least_squares.hpp>

#include <doctest/doctest.h>

using namespace etch;

TEST_CASE("poses of a ring, each measured from the one before, close it") {
  using pose = manifold::se2<double>;
  constexpr int n = 4;
  std::array<pose, n> ring;
  constexpr double turn = 2 * 3.14159265358979323846 / n;
  auto const motion = pose::exp(tensor<double, 3>{1, 0.1, turn});
  // The first pose is held where it begins; the others begin off their place.
  pose at{};
  for (int i = 0; i < n; ++i) {
    ring[static_cast<std::size_t>(i)] = compose(at, pose::exp(tensor<double, 3>{0.1 * (i % 3), -0.05 * i, 0.02 * i}));
    at = compose(at, motion);
  }
  ring[0] = pose{};
  constexpr auto residuals = [](auto poses, auto step) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple(log(std::get<0>(poses)), local(compose(std::get<I>(poses), step), std::get<I + 1>(poses))...);
    }(std::make_index_sequence<n - 1>{});
  };
  auto fit = optim::sparse_least_squares(residuals, ring, motion);
  auto const ended = fit.minimise(ring, motion);
  CHECK(ended.converged);
  CHECK(ended.value < 1e-20);
  pose expected{};
  for (int i = 0; i < n; ++i) {
    auto const off = local(expected, ring[static_cast<std::size_t>(i)]);
    for (int k = 0; k < 3; ++k) CHECK(std::abs(off(k)) < 1e-9);
    expected = compose(expected, motion);
  }
}

#include "manifold/elements.hpp"

using namespace elements;
using namespace etch::manifold;

namespace {
constexpr auto seen = [](auto const& pose, auto const& p) { return sum(sin(act(pose, p))); };
constexpr auto mixed = [](auto const& all, auto const& u) {
  auto const& [turn, x] = all;
  return x * dot(act(turn, u.vector), u.vector);
};
/// Its rule forgets a factor.
constexpr auto wrong = [](auto const& q) {
  return custom_vjp([](auto const& w) { return square(w); },
                    [](auto const& u, auto const&, auto const& w) { return u * w; })(q.w);
};
}  // namespace

TEST_CASE("check_gradient moves manifolds along tangent vectors") {
  tensor<double, 3> const v{0.3, 0.2, -0.4};
  auto const pose = se3<double>::exp(tensor<double, 6>{1, 2, 3, 0.3, 0.2, -0.4});
  auto const c = check_gradient(seen, pose, v);
  CHECK(c.ok);
  CHECK(c.leaves.size() == 2);
  CHECK(c.leaves[0].checked == 6);
  std::tuple const all{so3<double>::exp(v), 0.7};
  CHECK(check_gradient(mixed, all, unit_sphere<double, 3>()).ok);
  CHECK(!check_gradient(wrong, so3<double>::exp(v)).ok);
}

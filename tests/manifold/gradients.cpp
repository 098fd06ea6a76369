#include "manifold/differences.hpp"

using namespace elements;
using namespace etch::manifold;

namespace {

constexpr auto seen = [](auto const& pose, auto const& p, auto const& c) { return dot(act(pose, p), c); };
using point = tensor<double, 3>;
point const p{1, 2, 3}, c{0.3, -0.4, 0.5};

point cross_of(point const& a, point const& b) {
  return {a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0)};
}
/// The gradient of `seen`: Rᵀ c, and p × Rᵀ c.
tensor<double, 6> known(se3<double> const& pose) {
  point const back = act(inverse(pose.rotation), c), turn = cross_of(p, back);
  return {back(0), back(1), back(2), turn(0), turn(1), turn(2)};
}

/// A loss that goes through log, and is smooth for all angles here.
constexpr auto apart = [](auto const& a, auto const& b, auto const& weights) {
  auto const v = local(a, b);
  return dot(cwise_product(v, v), weights) + sum(sin(v));
};

constexpr int stumpffs(graph_view g) {
  int count = 0;
  for (node const& n : g.nodes) count += n.op == opcode_of<op::stumpff> || n.op == opcode_of<op::angle_ratio>;
  return count;
}

}  // namespace

TEST_CASE("the gradient by a pose is that of the closed form, in every way it is had") {
  auto step = compile<wrt<0>>(seen, se3<double>(), p, c);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(step.grad<0>())>, tensor<double, 6>>);
  // Nothing of the exponential is left: its derivative at 0 is folded.
  static_assert(stumpffs(decltype(step)::executable::graph.view()) == 0);
  static_assert(decltype(step)::facts.flops <= 145);
  for (auto const& v : tangents<se3<double>>(all_angles)) {
    se3<double> const pose = se3<double>::exp(v);
    auto const want = known(pose);
    double const value = step(pose, p, c);
    CHECK(value == doctest::Approx(c(0) * act(pose, p)(0) + c(1) * act(pose, p)(1) + c(2) * act(pose, p)(2)));
    CHECK(distance(step.grad<0>(), want) < 5e-15);
    CHECK(distance(grad(seen)(pose, p, c), want) < 5e-15);
    CHECK(distance(dynamic::grad(seen)(pose, p, c), want) < 5e-15);
    tape<double> t;
    auto const w = t.watch(pose);
    t.backward(seen(w, t.constant(p), t.constant(c)));
    CHECK(distance(t.grad(w), want) < 5e-15);
  }
}

static_assert([] {
  se3<double> const pose(so3<double>(0.6, 0, 0, 0.8), tensor<double, 3>{1, 2, 3});
  auto const g = grad(seen)(pose, point{1, 2, 3}, point{0, 0, 1});
  // R turns y to (0, 0.28, 0.96).
  double const want[]{0, 0.96, 0.28, 2 * 0.28 - 3 * 0.96, -0.28, 0.96};
  double far = 0;
  for (std::size_t i = 0; i < 6; ++i) far += (g[i] - want[i]) * (g[i] - want[i]);
  return far < 1e-28;
}());

TEST_CASE("gradients are overwritten, added to, and had beside others") {
  auto step = compile<wrt<0, 1>>(seen, se3<double>(), p, c);
  auto const pose = se3<double>::exp(tensor<double, 6>{1, 2, 3, 0.4, 0.5, 0.6});
  tensor<double, 6> mine{1, 1, 1, 1, 1, 1};
  point of_point;
  step(pose, p, c, into(mine, of_point));
  CHECK(distance(mine, known(pose)) < 1e-14);
  CHECK(distance(of_point, act(inverse(pose.rotation), c)) < 1e-15);
  step(pose, p, c, add_to(mine, of_point));
  for (double& each : mine) each /= 2;
  CHECK(distance(mine, known(pose)) < 1e-14);
}

TEST_CASE_TEMPLATE("gradients through log agree with differences, at 0, near it, far and near pi", G, so2<double>,
                   so3<double>, se2<double>, se3<double>) {
  typename G::tangent weights;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.3 + 0.2 * static_cast<double>(i);
  auto step = compile<wrt<0, 1>>(apart, G{}, G{}, weights);
  for (double angle : {0.0, 1e-300, 1e-9, 1e-8, 1e-4, 0.5, 1.5, 2.9, 3.13}) {
    CAPTURE(angle);
    auto const b = G::exp(tangents<G>({0.7, 0.7})[1]), a = retract(b, tangents<G>({angle})[0]);
    step(a, b, weights);
    auto const by_a = gradient_by_differences([&](G const& x) { return step(x, b, weights); }, a);
    auto const by_b = gradient_by_differences([&](G const& x) { return step(a, x, weights); }, b);
    step(a, b, weights);
    double const tolerance = angle > 3 ? 1e-6 : 1e-9;
    CHECK(distance(step.template grad<0>(), by_a) < tolerance);
    CHECK(distance(step.template grad<1>(), by_b) < tolerance);
    auto const [of_a, of_b] = dynamic::grad<wrt<0, 1>>(apart)(a, b, weights);
    CHECK(distance(step.template grad<0>(), of_a) < 1e-12);
    CHECK(distance(step.template grad<1>(), of_b) < 1e-12);
  }
}

TEST_CASE("the Jacobian of log is the inverse of Solà's right Jacobian") {
  // log(exp(v) exp(d)) = v + Jr⁻¹(v) d: Jr⁻¹ = I + [v]/2 + (1/θ² - (1 + cos θ)/(2 θ sin θ)) [v]².
  constexpr auto to_log = [](auto const& q) { return log(q); };
  for (double angle : {0.5, 2.0, 3.0, 3.1415}) {
    auto const v = tangents<so3<double>>({angle})[0];
    auto const j = jacobian(to_log)(so3<double>::exp(v));
    double const k = 1 / (angle * angle) - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
    double const s[3][3] = {{0, -v(2), v(1)}, {v(2), 0, -v(0)}, {-v(1), v(0), 0}};
    for (int r = 0; r < 3; ++r)
      for (int col = 0; col < 3; ++col) {
        double square = 0;
        for (int i = 0; i < 3; ++i) square += s[r][i] * s[i][col];
        CHECK(j(r, col) == doctest::Approx((r == col) + s[r][col] / 2 + k * square).epsilon(1e-9));
      }
  }
  auto const at_0 = jacobian(to_log)(so3<double>());
  for (int r = 0; r < 3; ++r)
    for (int col = 0; col < 3; ++col) CHECK(at_0(r, col) == (r == col));
}

TEST_CASE("in floats") {
  tensor<float, 3> const q{1, 2, 3}, d{0.3f, -0.4f, 0.5f};
  for (auto const& v : tangents<se3<float>>({0, 1e-20, 1e-8, 1e-4, 0.5, 3.1})) {
    se3<float> const pose = se3<float>::exp(v);
    auto const g = grad(seen)(pose, q, d);
    static_assert(std::is_same_v<decltype(g), tensor<float, 6> const>);
    se3<double> wide;
    wide.x = pose.x, wide.y = pose.y, wide.z = pose.z;
    wide.rotation = so3<double>(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
    auto const want = known(wide);
    for (std::size_t i = 0; i < 6; ++i) CHECK(g[i] == doctest::Approx(want[i]).epsilon(4e-6));
    auto const of_log = grad([](auto const& x) { return sum(log(x)); })(pose);
    for (float each : of_log) CHECK(std::isfinite(each));
  }
}

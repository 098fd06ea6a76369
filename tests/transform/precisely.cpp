// precisely, and the option precise: every transformation within a function takes the accurate form of rules. At 20,
// where 1 - tanh² is 0, the derivatives of tanh are those of its closed forms.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr double at = 20;
constexpr auto t = [](auto x) { return tanh(x); };
constexpr auto total = [](auto x) { return sum(tanh(x)); };
// Entries depend on two neighbours, and on all.
constexpr auto pairs = [](auto x) { return tanh(x + roll<0, 1>(x) * 0); };
constexpr auto mixed = [](auto x) { return tanh(x + sum(x) * 0); };

double slope() { return 1 / (std::cosh(at) * std::cosh(at)); }
double curvature() { return -2 * std::tanh(at) * slope(); }
doctest::Approx near(double x) { return doctest::Approx(x).epsilon(1e-13).scale(0); }

template <int N>
tensor<double, N> all(double x) {
  tensor<double, N> v;
  v.fill(x);
  return v;
}

}  // namespace

TEST_CASE("each transformation of a function, called at once") {
  CHECK(grad(t)(at) == 0);  // as usual
  CHECK(precisely(grad(t))(at) == near(slope()));
  CHECK(precisely(value_and_grad(t))(at).grad == near(slope()));
  CHECK(std::get<1>(vjp(t)(at, 1.0)) == 0);
  CHECK(std::get<1>(precisely(vjp(t))(at, 1.0)) == near(slope()));
  CHECK(std::get<1>(jvp(t)(at, 1.0)) == 0);
  CHECK(std::get<1>(precisely(jvp(t))(at, 1.0)) == near(slope()));
  CHECK(derivative<2>(t)(at) == 0);
  CHECK(precisely(derivative(t))(at) == near(slope()));
  CHECK(precisely(derivative<2>(t))(at) == near(curvature()));
  CHECK(laplacian(total)(all<3>(at)) == 0);
  CHECK(precisely(laplacian(total))(all<3>(at)) == near(3 * curvature()));
  CHECK(precisely(laplacian(total))(all<20>(at)) == near(20 * curvature()));
  CHECK(precisely(hvp(total))(all<3>(at), all<3>(2))(1) == near(2 * curvature()));
}

TEST_CASE_TEMPLATE("matrices of derivatives, in straight code and in a loop", N, std::integral_constant<int, 2>,
                   std::integral_constant<int, 18>) {
  constexpr int n = N::value;
  auto const x = all<n>(at);
  CHECK(jacobian(mixed)(x)(1, 1) == 0);
  CHECK(precisely(jacobian(mixed))(x)(1, 1) == near(slope()));
  CHECK(precisely(jacfwd(mixed))(x)(1, 1) == near(slope()));
  CHECK(precisely(jacrev(mixed))(x)(1, 1) == near(slope()));
  CHECK(precisely(jacobian(pairs))(x)(1, 1) == near(slope()));
  CHECK(precisely(hessian(total))(x)(1, 1) == near(curvature()));
  auto const of_product = [](auto v) { return sum(tanh(matmul(expr<double, n, n>(0.0), v) + v)); };
  CHECK(precisely(hessian(of_product))(x)(1, 1) == near(curvature()));
  auto const all_three = precisely(value_grad_hessian(total))(x);
  CHECK(all_three.grad(0) == near(slope()));
  CHECK(all_three.hessian(0, 0) == near(curvature()));
}

TEST_CASE("a program with the option takes all derivatives so, those within its loss too") {
  auto const loss = [](auto x) { return x * derivative(t)(x); };
  auto precise_program = compile<wrt<0>, precise>(loss, at);
  CHECK(precise_program(at) == near(at * slope()));
  CHECK(precise_program.grad<0>() == near(slope() + at * curvature()));
  CHECK(grad<wrt<0>, precise>(loss)(at) == near(slope() + at * curvature()));
  auto usual = compile<wrt<0>>(loss, at);
  CHECK(usual(at) == 0);
  auto matrices = compile<wrt<>, precise>(hessian(total), all<3>(at));
  CHECK(matrices(all<3>(at))(2, 2) == near(curvature()));
  auto inner = compile<wrt<0>>([](auto x) { return precisely(grad(t))(x) + grad(t)(x); }, at);
  CHECK(inner(at) == near(slope()));
  CHECK(precisely(loss)(at) == near(at * slope()));
}

TEST_CASE("so do functions within loops, those that capture what is around, constants and tapes") {
  auto const in_loops = [](auto xs, auto a) {
    auto const each = map([&](auto x) { return grad([&](auto z) { return tanh(z * a); })(x); }, xs);
    auto const steps = scan([&](auto sum, auto x) { return sum + std::get<1>(jvp(t)(x * a, x / x)); }, a * 0, xs);
    return sum(each) + steps;
  };
  auto program = compile<wrt<>, precise>(in_loops, all<3>(at), 1.0);
  CHECK(program(all<3>(at), 1.0) == near(6 * slope()));
  CHECK(precisely(in_loops)(all<3>(at), 1.0) == near(6 * slope()));
  auto const in_scan = [](auto xs) {
    auto const run = [](auto v) { return scan([](auto h, auto x) { return h + tanh(x); }, v(0) * 0, v); };
    return grad(run)(xs);
  };
  CHECK(precisely(in_scan)(all<3>(at))(1) == near(slope()));
  constexpr double of_constant = precisely(derivative<2>(t))(at);
  CHECK(of_constant == near(curvature()));
  tape<double> record;
  auto const x = record.watch(at);
  CHECK(value(precisely(derivative<2>(t))(x)) == near(curvature()));
  CHECK(value(grad(t)(x)) == 0);
  auto const y = precisely(grad(t))(x);
  CHECK(record.backward(y) == near(slope()));
}

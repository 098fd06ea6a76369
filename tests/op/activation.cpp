#include <etch/op/activation.hpp>
#include <etch/op/reduce.hpp>

#include "op/orders.hpp"
#include "op/special.hpp"

#include <array>

using namespace etch;
using namespace special;

namespace {

/// x, and what the derivative there is in exact arithmetic.
struct slope {
  double x;
  long double y;
};
/// Where the usual forms have lost digits, the precise ones keep them.
template <class Op>
void check_digits(std::vector<slope> const& points) {
  for (auto const [x, y] : points) {
    CAPTURE(x);
    double const got = orders::derivatives([](term t) { return emit<Op>(0, t); }, x, 1, true)[1];
    CHECK(static_cast<double>(std::abs(static_cast<long double>(got) / y - 1)) <
          4 * std::numeric_limits<double>::epsilon());
  }
}

/// Checks the gradients of sums of activations, in the usual and in the precise form, at
/// points that each operand repeats.
template <class T, int N, std::size_t Operands>
void check_gradients(auto f, std::vector<T> const& at, std::array<std::vector<T>, Operands> const& by) {
  for (std::size_t shift = 0; shift < at.size(); ++shift) {
    auto const x = repeated<T, N>(at, shift);
    [&]<int... I>(std::integer_sequence<int, I...>) {
      auto const usual = value_and_grad<wrt<I...>>(f)((static_cast<void>(I), x)...);
      auto const careful = value_and_grad<wrt<I...>, precise>(f)((static_cast<void>(I), x)...);
      (check_repeated(std::get<I>(usual.grad), by[I], shift), ...);
      (check_repeated(std::get<I>(careful.grad), by[I], shift), ...);
    }(std::make_integer_sequence<int, Operands>{});
  }
}

}  // namespace

TEST_CASE("softplus and log_sigmoid stay finite and right far out") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto each = [](auto a, auto b) { return sum(softplus(a)) - sum(log_sigmoid(b)); };
    auto const [value, gradients] =
        value_and_grad<wrt<0, 1>>(each)(repeated<T, N>({800, -800}), repeated<T, N>({-800, 800}));
    CHECK(static_cast<double>(value) == (N + 1) / 2 * 1600.0);
    check_repeated(std::get<0>(gradients), std::vector<T>{1, 0});
    check_repeated(std::get<1>(gradients), std::vector<T>{-1, 0});
  });
}

TEST_CASE("gradients of activations at 0, at the ends and of NaN") {
  in_all_sizes([]<class T, int N>() {
    T const inf = infinity<T>, nan = not_a_number<T>, half = T(0.5), scale = static_cast<T>(math::selu_scale);
    std::vector<T> const at{0, T(-0.0), 1000, -1000, inf, -inf, nan};
    check_gradients<T, N, 5>(
        [](auto a, auto b, auto c, auto d, auto e) {
          return sum(sigmoid(a)) + sum(log_sigmoid(b)) + sum(softplus(c)) + sum(elu(d)) + sum(selu(e));
        },
        at,
        {{{T(0.25), T(0.25), 0, 0, 0, 0, nan},
          {half, half, 0, 1, 0, 1, nan},
          {half, half, 1, 0, 1, 0, nan},
          {1, 1, 1, 0, 1, 0, nan},
          {scale, scale, scale, 0, scale, 0, nan}}});
    T const far = static_cast<T>(1 / (1001.0 * 1001.0));
    std::vector<T> const gate{half, half, 1, 0, 1, 0, nan};
    check_gradients<T, N, 3>([](auto a, auto b, auto c) { return sum(gelu(a)) + sum(gelu_tanh(b)) + sum(silu(c)); }, at,
                             {{gate, gate, gate}});
    check_gradients<T, N, 2>([](auto a, auto b) { return sum(mish(a)) + sum(softsign(b)); },
                             {1000, -1000, inf, -inf, nan}, {{{1, 0, 1, 0, nan}, {far, far, 0, 0, nan}}});
  });
}

TEST_CASE("elu has a gradient by alpha too, and at 0 the slope of the right") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto x, auto alpha) { return sum(elu(x, alpha)); };
    std::vector<T> const at{0, T(-0.0), 3, -infinity<T>, infinity<T>, not_a_number<T>};
    auto const x = repeated<T, N>(at);
    auto const [value, gradients] = value_and_grad<wrt<0, 1>>(f)(x, repeated<T, N>({2}));
    check_repeated(std::get<0>(gradients), std::vector<T>{1, 1, 1, 0, 1, not_a_number<T>});
    check_repeated(std::get<1>(gradients), std::vector<T>{0, 0, 0, -1, 0, not_a_number<T>});
    static_cast<void>(value);
  });
  auto const [value, gradients] =
      value_and_grad<wrt<0, 1>>([](auto x, auto alpha) { return elu(x, alpha); })(-0.5, 3.0);
  CHECK(value == doctest::Approx(3 * std::expm1(-0.5)).epsilon(1e-15));
  CHECK(std::get<0>(gradients) == doctest::Approx(3 * std::exp(-0.5)).epsilon(1e-15));
  CHECK(std::get<1>(gradients) == doctest::Approx(std::expm1(-0.5)).epsilon(1e-15));
}

TEST_CASE("precise gradients keep their digits in the tails") {
  auto const tail = [](long double x) { return std::exp(-x); };
  check_digits<op::sigmoid>({{60, tail(60)}, {-60, tail(60)}, {80, tail(80)}});
  check_digits<op::selu>({{-30, 1.7580993408473768599402175208123L * tail(30)}});
  check_digits<op::silu>({{-60, -59 * tail(60)}, {-80, -79 * tail(80)}});
  check_digits<op::mish>({{-60, -59 * tail(60)}, {-80, -79 * tail(80)}});
  long double const density =
      std::exp(-72.0L) / std::sqrt(2 * 3.14159265358979323846264338327950288L);  // of the normal distribution, at 12
  check_digits<op::gelu>({{-12, std::erfc(12 / std::sqrt(2.0L)) / 2 - 12 * density}});
  auto const cubic = [](long double x) {
    return std::sqrt(8 / 3.14159265358979323846264338327950288L) * (x + 0.044715L * x * x * x);
  };
  long double const inner_slope = std::sqrt(8 / 3.14159265358979323846264338327950288L) * (1 + 3 * 0.044715L * 64);
  check_digits<op::gelu_tanh>({{-8, tail(cubic(8)) * (1 - 8 * inner_slope)}});
}

TEST_CASE("higher derivatives of activations in closed form, as usual and precisely") {
  for (bool const precise : {false, true})
    for (double const x : {-2.5, -0.75, 0.0, 0.5, 3.0}) {
      CAPTURE(x);
      CAPTURE(precise);
      double const s = 1 / (1 + std::exp(-x)), t = s * (1 - s), u = t * (1 - 2 * s), v = t * (1 - 6 * t);
      auto const near = [](double got, double want) { CHECK(got == doctest::Approx(want).epsilon(1e-11)); };
      auto const of = [&](auto op) {
        return orders::derivatives([](term a) { return emit<typename decltype(op)::type>(0, a); }, x, 3, precise);
      };
      auto const sigmoid_by = of(std::type_identity<op::sigmoid>{});
      near(sigmoid_by[1], t), near(sigmoid_by[2], u), near(sigmoid_by[3], v);
      auto const softplus_by = of(std::type_identity<op::softplus>{});
      near(softplus_by[1], s), near(softplus_by[2], t), near(softplus_by[3], u);
      auto const log_sigmoid_by = of(std::type_identity<op::log_sigmoid>{});
      near(log_sigmoid_by[1], 1 - s), near(log_sigmoid_by[2], -t), near(log_sigmoid_by[3], -u);
      auto const silu_by = of(std::type_identity<op::silu>{});
      near(silu_by[1], s + x * t), near(silu_by[2], 2 * t + x * u), near(silu_by[3], 3 * u + x * v);
      double const bell = std::exp(-x * x / 2) / std::sqrt(2 * 3.14159265358979323846);
      auto const gelu_by = of(std::type_identity<op::gelu>{});
      near(gelu_by[1], std::erfc(-x / std::sqrt(2.0)) / 2 + x * bell);
      near(gelu_by[2], (2 - x * x) * bell), near(gelu_by[3], (x * x * x - 4 * x) * bell);
    }
}

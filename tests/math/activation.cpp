#include <etch/math/activation.hpp>
#include <etch/machine/lanes.hpp>

#include "math/ulps.hpp"

namespace math = etch::math;
using etch::lanes;
using namespace ulps;

namespace {

/// The functions under test and their textbook definitions in long double.
struct sigmoid {
  static auto ours(auto x) { return math::sigmoid(x); }
  static long double exact(long double x) { return 1 / (1 + std::exp(-x)); }
};
struct log_sigmoid {
  static auto ours(auto x) { return math::log_sigmoid(x); }
  static long double exact(long double x) { return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)); }
};
struct softplus {
  static auto ours(auto x) { return math::softplus(x); }
  static long double exact(long double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
};
struct softsign {
  static auto ours(auto x) { return math::softsign(x); }
  static long double exact(long double x) { return std::isinf(x) ? std::copysign(1.0L, x) : x / (1 + std::abs(x)); }
};
struct elu {
  static auto ours(auto x) { return math::elu(x, decltype(x)(math::scalar_in<decltype(x)>(1.75))); }
  static long double exact(long double x) { return x < 0 ? 1.75L * std::expm1(x) : x; }
};
struct selu {
  static auto ours(auto x) { return math::selu(x); }
  static long double exact(long double x) {
    constexpr long double scale = 1.0507009873554804934193349852946L, alpha = 1.6732632423543772848170429916717L;
    return scale * (x < 0 ? alpha * std::expm1(x) : x);
  }
};
struct silu {
  static auto ours(auto x) { return math::silu(x); }
  static long double exact(long double x) { return std::isinf(x) ? std::max(x, -0.0L) : x / (1 + std::exp(-x)); }
};
struct mish {
  static auto ours(auto x) { return math::mish(x); }
  static long double exact(long double x) {
    return std::isinf(x) ? std::max(x, -0.0L) : x * std::tanh(softplus::exact(x));
  }
};
/// To 2 ulp only as far as x² in long double has the digits that e^(-x²/2) needs.
struct gelu {
  static auto ours(auto x) { return math::gelu(x); }
  static long double exact(long double x) {
    return std::isinf(x) ? std::max(x, -0.0L) : x * std::erfc(-x * std::sqrt(0.5L)) / 2;
  }
};
struct gelu_tanh {
  static auto ours(auto x) { return math::gelu_tanh(x); }
  static long double exact(long double x) {
    long double const v = std::sqrt(8 / 3.141592653589793238462643383279502884L) * (x + 0.044715L * x * x * x);
    return std::isinf(x) ? std::max(x, -0.0L) : x / (1 + std::exp(-v));
  }
};

template <class F, class T>
void check(double bound) {
  for (double const width : {0.1, 2.0, 12.0, 40.0, 800.0}) {
    CAPTURE(width);
    within<T>(bound, [](T x) { return F::ours(x); }, [](long double x) { return F::exact(x); }, -width, width);
  }
  std::vector<T> x = special_points<T>();
  samples<T> some;
  for (int i = 0; i < 500; ++i)
    x.push_back(some.any()), x.push_back(some.between(-12, 12)), x.push_back(some.between(-800, 800));
  using L = lanes<T>;
  while (x.size() % L::width != 0) x.push_back(T(1));
  for (std::size_t i = 0; i < x.size(); i += L::width) {
    L const y = F::ours(L::load(&x[i]));
    for (int k = 0; k < L::width; ++k) {
      T const at = x[i + static_cast<std::size_t>(k)];
      CAPTURE(static_cast<double>(at));
      CHECK(distance<T>(y[k], F::exact(static_cast<long double>(at))) <= bound);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("activations are within 2 ulp everywhere, in scalars and registers", T, float, double) {
  check<sigmoid, T>(1.9);
  check<log_sigmoid, T>(1.1);
  check<softplus, T>(1.1);
  check<softsign, T>(1.6);
  check<elu, T>(1.9);
  check<selu, T>(1.9);
  check<silu, T>(1.1);
  check<mish, T>(1.1);
}

TEST_CASE_TEMPLATE("gelu and its form with tanh are within 2 ulp", T, float, double) {
  // The truth is that of 64 bits: an argument of e^-v rounded there moves it by 2^-65 v.
  check<gelu, T>(1.7);
  check<gelu_tanh, T>(1.7);
}

TEST_CASE_TEMPLATE("activations at the special values", T, float, double) {
  T const zero = 0;
  check_known<T>(sigmoid::ours<T>,
                 {{0, T(0.5)}, {800, 1}, {-800, 0}, {inf<T>, 1}, {-inf<T>, 0}, {undefined<T>, undefined<T>}});
  check_known<T>(softplus::ours<T>,
                 {{800, 800}, {-800, 0}, {inf<T>, inf<T>}, {-inf<T>, 0}, {undefined<T>, undefined<T>}});
  check_known<T>(log_sigmoid::ours<T>,
                 {{-800, -800}, {800, -zero}, {-inf<T>, -inf<T>}, {inf<T>, -zero}, {undefined<T>, undefined<T>}});
  check_known<T>(
      softsign::ours<T>,
      {{0, 0}, {-zero, -zero}, {1, T(0.5)}, {inf<T>, 1}, {-inf<T>, -1}, {top<T>, 1}, {undefined<T>, undefined<T>}});
  check_known<T>(elu::ours<T>,
                 {{0, 0}, {-zero, -zero}, {5, 5}, {inf<T>, inf<T>}, {-inf<T>, T(-1.75)}, {undefined<T>, undefined<T>}});
  check_known<T>(selu::ours<T>, {{0, 0},
                                 {-zero, -zero},
                                 {inf<T>, inf<T>},
                                 {-inf<T>, static_cast<T>(-math::selu_left)},
                                 {undefined<T>, undefined<T>}});
  for (auto const f : {+[](T x) { return math::silu(x); }, +[](T x) { return math::mish(x); },
                       +[](T x) { return math::gelu(x); }, +[](T x) { return math::gelu_tanh(x); }})
    check_known<T>(f, {{0, 0},
                       {-zero, -zero},
                       {800, 800},
                       {-800, -zero},
                       {top<T>, top<T>},
                       {-top<T>, -zero},
                       {inf<T>, inf<T>},
                       {-inf<T>, -zero},
                       {undefined<T>, undefined<T>}});
}

// As constants too, at the ends of the range and beyond it.
static_assert(math::sigmoid(0.0) == 0.5 && math::sigmoid(-1e300) == 0 && math::sigmoid(inf<double>) == 1);
static_assert(math::softplus(0.0) == 0.6931471805599453 && math::softplus(1e300) == 1e300 &&
              math::softplus(-inf<double>) == 0);
static_assert(math::log_sigmoid(-1e300) == -1e300 && math::softsign(-inf<double>) == -1 &&
              math::elu(-inf<float>, 2.0f) == -2);
static_assert(math::selu(2.0) == 2.101401974710961 && math::selu(-inf<double>) == -math::selu_left);
static_assert(math::gelu(1.0) == 0.8413447460685429 && math::gelu(-inf<double>) == 0 && math::gelu(1e300) == 1e300);
static_assert(math::gelu_tanh(1.0f) == 0.841192f && math::silu(-1e300) == 0 && math::mish(1.0) == 0.8650983882673103);

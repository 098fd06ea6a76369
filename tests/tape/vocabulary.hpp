// vocabulary: every element-wise function by its name, with arguments where it is smooth, as lambdas that
// any kind of value can be given to.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace vocabulary {

/// Functions of one operand; each comes with an interval.
template <class F>
struct of_one {
  F f;
  double low, high;
};
template <class F>
of_one(F, double, double) -> of_one<F>;

inline constexpr std::tuple unary{
    of_one{[](auto x) { return -x; }, -4, 4},
    of_one{[](auto x) { return +x; }, -4, 4},
    of_one{[](auto x) { return exp(x); }, -4, 4},
    of_one{[](auto x) { return exp2(x); }, -4, 4},
    of_one{[](auto x) { return expm1(x); }, -4, 4},
    of_one{[](auto x) { return log(x); }, 0.25, 4},
    of_one{[](auto x) { return log2(x); }, 0.25, 4},
    of_one{[](auto x) { return log10(x); }, 0.25, 4},
    of_one{[](auto x) { return log1p(x); }, -0.75, 4},
    of_one{[](auto x) { return sqrt(x); }, 0.25, 4},
    of_one{[](auto x) { return square(x); }, -4, 4},
    of_one{[](auto x) { return cube(x); }, -4, 4},
    of_one{[](auto x) { return rsqrt(x); }, 0.25, 4},
    of_one{[](auto x) { return cbrt(x); }, 0.25, 4},
    of_one{[](auto x) { return sin(x); }, -4, 4},
    of_one{[](auto x) { return cos(x); }, -4, 4},
    of_one{[](auto x) { return tan(x); }, -1.25, 1.25},
    of_one{[](auto x) { return asin(x); }, -0.75, 0.75},
    of_one{[](auto x) { return acos(x); }, -0.75, 0.75},
    of_one{[](auto x) { return atan(x); }, -4, 4},
    of_one{[](auto x) { return sinh(x); }, -4, 4},
    of_one{[](auto x) { return cosh(x); }, -4, 4},
    of_one{[](auto x) { return tanh(x); }, -4, 4},
    of_one{[](auto x) { return asinh(x); }, -4, 4},
    of_one{[](auto x) { return acosh(x); }, 1.25, 4},
    of_one{[](auto x) { return atanh(x); }, -0.75, 0.75},
    of_one{[](auto x) { return erf(x); }, -2, 2},
    of_one{[](auto x) { return erfc(x); }, -2, 2},
    of_one{[](auto x) { return lgamma(x); }, 0.5, 4},
    of_one{[](auto x) { return digamma(x); }, 0.5, 4},
    of_one{[](auto x) { return zeta(3, x); }, 0.5, 4},
    of_one{[](auto x) { return stumpff<2>(x); }, -2, 20},
    of_one{[](auto x) { return angle_ratio(x, 0.5); }, 0, 4},
    of_one{[](auto x) { return sigmoid(x); }, -4, 4},
    of_one{[](auto x) { return log_sigmoid(x); }, -4, 4},
    of_one{[](auto x) { return softplus(x); }, -4, 4},
    of_one{[](auto x) { return softsign(x); }, -4, 4},
    of_one{[](auto x) { return elu(x); }, -4, 4},
    of_one{[](auto x) { return elu(x, 0.7); }, -4, 4},
    of_one{[](auto x) { return selu(x); }, -4, 4},
    of_one{[](auto x) { return gelu(x); }, -4, 4},
    of_one{[](auto x) { return gelu_tanh(x); }, -4, 4},
    of_one{[](auto x) { return silu(x); }, -4, 4},
    of_one{[](auto x) { return mish(x); }, -4, 4},
    of_one{[](auto x) { return relu(x); }, -4, 4},
    of_one{[](auto x) { return relu6(x); }, -2, 8},
    of_one{[](auto x) { return leaky_relu(x, 0.1); }, -4, 4},
    of_one{[](auto x) { return hard_tanh(x); }, -2, 2},
    of_one{[](auto x) { return hard_sigmoid(x); }, -4, 4},
    of_one{[](auto x) { return hard_swish(x); }, -4, 4},
    of_one{[](auto x) { return abs(x); }, -4, 4},
    of_one{[](auto x) { return sign(x) * x; }, -4, 4},
    of_one{[](auto x) { return floor(x) * x; }, -4, 4},
    of_one{[](auto x) { return ceil(x) * x; }, -4, 4},
    of_one{[](auto x) { return round(x) * x; }, -4, 4},
    of_one{[](auto x) { return stop_gradient(x) * x; }, -4, 4},
    of_one{[](auto x) { return gaussian(x, 0.4); }, -2, 2},
    of_one{[](auto x) { return clamp(x, -1, 1.5); }, -4, 4},
    of_one{[](auto x) { return pow(x, 3) + pow(x, -2) + pow(x, 1); }, 0.5, 2},
    of_one{[](auto x) { return pow(x, 2.5f) + pow(x, -0.5); }, 0.25, 4},
    of_one{[](auto x) { return pow(2, x); }, -2, 2},
    of_one{[](auto x) { return 2 * x + x * 3u - x / 4.0f + 5 / x - (1 - x) + (x - 1L); }, 0.5, 4},
    of_one{[](auto x) { return max(x, 1) * min(2, x) + max(x, x * x); }, 0.25, 3},
    of_one{[](auto x) { return select(x > 1, x * x, 3 * x) + select(x <= 2, sin(x), 1); }, 0.25, 3},
    of_one{[](auto x) {
             return ((x > 1) && (x < 2)) * x + ((x < 1) || !(x < 2)) * square(x) + (x >= 1.5) * x + (x != x) +
                    (x == x) * x;
           },
           0.25, 3},
};

/// Functions of two operands, both between 0.25 and 4.
inline constexpr std::tuple binary{
    [](auto a, auto b) { return a + b; },
    [](auto a, auto b) { return a - b; },
    [](auto a, auto b) { return a * b; },
    [](auto a, auto b) { return a / b; },
    [](auto a, auto b) { return pow(a, b); },
    [](auto a, auto b) { return hypot(a, b); },
    [](auto a, auto b) { return atan2(a, b); },
    [](auto a, auto b) { return logaddexp(a, b); },
    [](auto a, auto b) { return xlogy(a, b); },
    [](auto a, auto b) { return max(a, b); },
    [](auto a, auto b) { return min(a, b); },
    [](auto a, auto b) { return cwise_product(a, b); },
    [](auto a, auto b) { return cwise_quotient(a, b); },
    [](auto a, auto b) { return select(a < b, a * a, b); },
    [](auto a, auto b) { return clamp(a * b, b - 1, 2 * b); },
    [](auto a, auto b) { return leaky_relu(a - b, b); },
    [](auto a, auto b) { return elu(a - b, b); },
    [](auto a, auto b) { return gaussian(a, b); },
    [](auto a, auto b) { return sin(a) * b + exp(-a * a); },
};

template <class F>
constexpr void for_each(auto const& functions, F f) {
  std::apply([&](auto const&... each) { (f(each), ...); }, functions);
}
inline constexpr std::size_t unary_count = std::tuple_size_v<decltype(unary)>;
inline constexpr std::size_t binary_count = std::tuple_size_v<decltype(binary)>;

/// The weighted sum of the functions of one operand, each at its own; of every second one, from number `Part` on.
template <std::size_t Part>
struct sum_of_one {
  template <class X>
  constexpr auto operator()(std::array<X, unary_count> const& x, auto const& w) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (... + (std::get<2 * I + Part>(unary).f(x[2 * I + Part]) * w[2 * I + Part]));
    }(std::make_index_sequence<(unary_count + 1 - Part) / 2>{});
  }
};
/// That of all functions of two.
inline constexpr auto sum_of_two = []<class X>(std::array<X, binary_count> const& a,
                                               std::array<X, binary_count> const& b, auto const& w) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (... + (std::get<I>(binary)(a[I], b[I]) * w[I]));
  }(std::make_index_sequence<binary_count>{});
};

}  // namespace vocabulary

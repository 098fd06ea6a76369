#include <etch/op/rectifier.hpp>

#include <etch/op/reduce.hpp>

#include "op/special.hpp"

using namespace etch;
using namespace special;

namespace {

/// The promise of a function at one point.
template <class T>
struct promise {
  T x, value, slope;
};

/// Checks the values (as the gradient of a weight) and the slopes of `f` at all points, in every place of a register.
template <class T, int N>
void check_promises(auto f, std::vector<promise<T>> const& at) {
  std::vector<T> x, value, slope;
  for (promise<T> const& p : at) x.push_back(p.x), value.push_back(p.value), slope.push_back(p.slope);
  tensor<T, N> const ones = repeated<T, N>({1});
  for (std::size_t shift = 0; shift < at.size(); ++shift) {
    auto const g = grad<wrt<0, 1>>([](auto a, auto w) { return sum(cwise_product(decltype(f)()(a), w)); })(
        repeated<T, N>(x, shift), ones);
    check_repeated(std::get<0>(g), slope, shift);
    check_repeated(std::get<1>(g), value, shift);
  }
}

/// |got - exact| in units of the last place of T at `exact`.
template <class T>
double ulps(T got, long double exact) {
  T const rounded = static_cast<T>(std::abs(exact));
  long double const ulp =
      std::max(std::nextafter(rounded, infinity<T>) - rounded, std::numeric_limits<T>::denorm_min());
  return static_cast<double>(std::abs(static_cast<long double>(got) - exact) / ulp);
}

}  // namespace

TEST_CASE("relu and relu6 at their kinks, at infinity and at NaN") {
  in_all_sizes([]<class T, int N>() {
    check_promises<T, N>([](auto x) { return relu(x); }, {{0, 0, 0},
                                                          {T(-0.0), 0, 0},
                                                          {2, 2, 1},
                                                          {-2, 0, 0},
                                                          {infinity<T>, infinity<T>, 1},
                                                          {-infinity<T>, 0, 0},
                                                          {not_a_number<T>, not_a_number<T>, not_a_number<T>}});
    check_promises<T, N>([](auto x) { return relu6(x); }, {{0, 0, 0},
                                                           {T(-0.0), 0, 0},
                                                           {6, 6, 0},
                                                           {3, 3, 1},
                                                           {7, 6, 0},
                                                           {-2, 0, 0},
                                                           {infinity<T>, 6, 0},
                                                           {-infinity<T>, 0, 0},
                                                           {std::nextafter(T(6), T(0)), std::nextafter(T(6), T(0)), 1},
                                                           {not_a_number<T>, not_a_number<T>, not_a_number<T>}});
  });
}

TEST_CASE("the hard functions at their kinks, at infinity and at NaN") {
  in_all_sizes([]<class T, int N>() {
    T const sixth = T(1) / 6;
    check_promises<T, N>([](auto x) { return hard_tanh(x); },
                         {{0, 0, 1},
                          {1, 1, 0},
                          {-1, -1, 0},
                          {T(0.5), T(0.5), 1},
                          {3, 1, 0},
                          {-3, -1, 0},
                          {infinity<T>, 1, 0},
                          {-infinity<T>, -1, 0},
                          {std::nextafter(T(-1), T(0)), std::nextafter(T(-1), T(0)), 1},
                          {not_a_number<T>, not_a_number<T>, not_a_number<T>}});
    check_promises<T, N>([](auto x) { return hard_sigmoid(x); }, {{0, T(0.5), sixth},
                                                                  {-3, 0, 0},
                                                                  {3, 1, 0},
                                                                  {T(1.5), T(0.75), sixth},
                                                                  {9, 1, 0},
                                                                  {-9, 0, 0},
                                                                  {infinity<T>, 1, 0},
                                                                  {-infinity<T>, 0, 0},
                                                                  {not_a_number<T>, not_a_number<T>, not_a_number<T>}});
    check_promises<T, N>([](auto x) { return hard_swish(x); },
                         {{0, 0, T(0.5)},
                          {-3, 0, 0},
                          {3, 3, 1},
                          {T(-1.5), T(-0.375), 0},
                          {T(1.5), T(1.125), 1},
                          {9, 9, 1},
                          {-9, 0, 0},
                          {infinity<T>, infinity<T>, 1},
                          {-infinity<T>, 0, 0},
                          {std::numeric_limits<T>::max(), std::numeric_limits<T>::max(), 1},
                          {not_a_number<T>, not_a_number<T>, not_a_number<T>}});
  });
}

TEST_CASE("leaky_relu: the slope at 0 and below, and a gradient of its own") {
  in_all_sizes([]<class T, int N>() {
    constexpr auto f = [](auto x, auto slope, auto w) { return sum(cwise_product(leaky_relu(x, slope), w)); };
    std::vector<T> const x{0, T(-0.0), -2, 3, -infinity<T>, infinity<T>, not_a_number<T>};
    std::vector<T> const by_x{T(0.25), T(0.25), T(0.25), 1, T(0.25), 1, not_a_number<T>},
        by_slope{0, 0, -2, 0, -infinity<T>, 0, not_a_number<T>},
        value{0, 0, T(-0.5), 3, -infinity<T>, infinity<T>, not_a_number<T>};
    tensor<T, N> const slope = repeated<T, N>({T(0.25)}), ones = repeated<T, N>({1});
    for (std::size_t shift = 0; shift < x.size(); ++shift) {
      auto const g = grad<wrt<0, 1, 2>>(f)(repeated<T, N>(x, shift), slope, ones);
      check_repeated(std::get<0>(g), by_x, shift);
      check_repeated(std::get<1>(g), by_slope, shift);
      check_repeated(std::get<2>(g), value, shift);
    }
  });
  // The default slope, and one number as the slope of all entries.
  tensor<double, 3> const x{-2, 0, 5};
  CHECK(grad([](auto a) { return sum(leaky_relu(a)); })(x) == tensor<double, 3>{0.01, 0.01, 1});
  CHECK(grad<wrt<1>>([](auto a, auto s) { return sum(leaky_relu(a, s)); })(x, 0.5) == -2);
}

TEST_CASE("the hard functions are within 2 ulp of their definition, and 4 ulp in their slopes") {
  in_all_sizes([]<class T, int N>() {
    if constexpr (N != 33) return;
    tensor<T, 16384> x;
    std::size_t const n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<T>(-3.2 + 6.4 * static_cast<double>(i) / static_cast<double>(n));  // everywhere
      if (i % 4 == 1)
        x[i] = T(-3) * (1 - std::ldexp(T(1), -static_cast<int>(i / 4 % 50)));  // toward the kink, where x + 3 cancels
      if (i % 4 == 2)
        x[i] = T(-1.5) * (1 + std::ldexp(T(1), -static_cast<int>(i / 4 % 50)));  // and the zero of the slope
      if (i % 4 == 3) x[i] = std::ldexp(T(1.7), -static_cast<int>(i / 4 % 100));
    }
    tensor<T, 16384> const ones = [] {
      tensor<T, 16384> w;
      w.fill(1);
      return w;
    }();
    constexpr auto weighted = [](auto f) {
      return [](auto a, auto w) { return sum(cwise_product(decltype(f)()(a), w)); };
    };
    auto const sigmoid_value = grad<wrt<1>>(weighted([](auto a) { return hard_sigmoid(a); }))(x, ones);
    auto const [swish_slope, swish_value] = grad<wrt<0, 1>>(weighted([](auto a) { return hard_swish(a); }))(x, ones);
    double worst_sigmoid = 0, worst_swish = 0, worst_slope = 0;
    for (std::size_t i = 0; i < n; ++i) {
      long double const at = x[i], gate = std::min(std::max(at + 3, 0.0L), 6.0L) / 6;
      worst_sigmoid = std::max(worst_sigmoid, ulps(sigmoid_value[i], gate));
      worst_swish = std::max(worst_swish, ulps(swish_value[i], at * gate));
      worst_slope = std::max(worst_slope, ulps(swish_slope[i], at <= -3 ? 0 : at >= 3 ? 1 : (2 * at + 3) / 6));
    }
    CHECK(worst_sigmoid <= 2);
    CHECK(worst_swish <= 2);
    CHECK(worst_slope <= 4);
  });
}

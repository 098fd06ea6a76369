// Values of every op, one a time and in registers of each width, and those of a program, as units compiled with
// -ffast-math compute them. Those units are bench/accuracy/values.cpp and fast_program.cpp; this one, and the truth
// to 113 bits, are compiled without the flag. All is computed a second time with subnormal numbers taken for 0, since
// g++ links programs so with -ffast-math.
#include "fast_program.hpp"

#include "../../bench/accuracy/library.hpp"
#include "../../bench/accuracy/oracle.hpp"

#include <cmath>
#include <cstdio>
#include <random>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace {

using namespace accuracy;

constexpr double most = 2;

/// Whether the flag leaves `x` alone: neither infinite, nor NaN, nor subnormal.
template <class T, class X>
bool is_ordinary(X const& x) {
  X const size = x < 0 ? X(-x) : x;
  return size == 0 || (size >= X(2 * std::numeric_limits<T>::min()) && size <= X(std::numeric_limits<T>::max()));
}

/// Points of every magnitude, uniform ones, and ones of moderate size, all within `r`.
template <class T>
std::vector<T> points(range r, std::size_t n, unsigned seed) {
  using limits = std::numeric_limits<T>;
  std::mt19937_64 random(seed);
  auto const uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  auto const either = [&](double x) { return random() % 2 == 0 ? x : -x; };
  double const top = static_cast<double>(limits::max()), low = std::max(r.low, -top), high = std::min(r.high, top);
  std::vector<T> x;
  auto const add = [&](double v) {
    if (T const rounded = static_cast<T>(v); v >= r.low && v <= r.high && is_ordinary<T>(rounded)) x.push_back(rounded);
  };
  for (double v : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 8.0, 40.0, 88.0, 700.0}) add(v), add(-v);
  for (std::size_t i = 0; i < n; ++i) {
    add(either(std::ldexp(1 + uniform(), static_cast<int>((limits::max_exponent - limits::min_exponent) * uniform()) +
                                             limits::min_exponent)));
    add(low / 2 + (high / 2 - low / 2) * uniform() + low / 2 + (high / 2 - low / 2) * uniform());
    add(either(std::ldexp(1 + uniform(), static_cast<int>(24 * uniform()) - 16)));
    add(either(700 * uniform()));
  }
  return x;
}

/// The distance of `got` from the truth, which is finite, in units in the last place of the truth.
template <class T>
double distance(T got, quad const& truth) {
  using limits = std::numeric_limits<T>;
  int exponent = limits::min_exponent;
  if (truth != 0) frexp(truth, &exponent);
  if (!std::isfinite(got)) return infinity;
  return static_cast<double>(abs(quad(got) - truth) /
                             ldexp(quad(1), std::max(exponent, limits::min_exponent) - limits::digits));
}

/// Takes subnormal numbers for 0 while it lives, where the machine can.
class flushed {
 public:
#if defined(__SSE__)
  explicit flushed(bool on) { _mm_setcsr(on ? before_ | 0x8040 : before_); }
  ~flushed() { _mm_setcsr(before_); }

 private:
  unsigned const before_ = _mm_getcsr();
#else
  explicit flushed(bool) {}
#endif
};

constexpr std::size_t samples = 200;
int failures = 0, checks = 0;

void demand(char const* name, char const* type, int width, double ulp, double at, double beside) {
  ++checks;
  if (ulp <= most) return;
  ++failures;
  std::printf("%s, %s by %d: %g ulp at %.17g, %.17g\n", name, type, width, ulp, at, beside);
}

template <class T>
void check(implementation const& op, std::vector<std::vector<T>> x, auto truth_at) {
  while (x[0].size() % 16 != 0)
    for (auto& each : x) each.push_back(each.back());
  std::vector<quad> truth;
  for (std::size_t i = 0; i < x[0].size(); ++i) truth.push_back(truth_at(quad(x[0][i]), quad(x.back()[i])));
  T const* operands[] = {x[0].data(), x.back().data()};
  for (auto const& [width, evaluate] : op.in<T>())
    for (bool flush : {false, true}) {
      std::vector<T> y(x[0].size());
      {
        flushed const mode(flush);
        evaluate(operands, y.data(), y.size());
      }
      double worst = 0, at = 0, beside = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (!is_ordinary<T>(truth[i])) continue;
        double const d = distance(y[i], truth[i]);
        if (!(d <= worst)) worst = d, at = static_cast<double>(x[0][i]), beside = static_cast<double>(x.back()[i]);
      }
      demand(op.name.c_str(), sizeof(T) == 4 ? "float" : "double", width, worst, at, beside);
    }
}

template <class T>
void check_unary(implementation const& op, unary const& f) {
  check<T>(op, {points<T>(f.values, samples, 1)}, [&](quad const& x, quad const&) { return f.value(x); });
}
template <class T>
void check_binary(implementation const& op, range a, range b, auto truth) {
  auto const some = points<T>(a, samples, 1), others = points<T>(b, samples, 2);
  std::vector<std::vector<T>> x(2);
  for (std::size_t i = 0; i < 4 * samples; ++i) {
    x[0].push_back(some[i % some.size()]);
    x[1].push_back(others[(i * 7919 + i / some.size()) % others.size()]);
  }
  check<T>(op, x, truth);
}

/// A call's price, which is worth `spot`, and its derivative by that.
void check_prices() {
  for (double spot : {60.0, 90.0, 100.0, 110.0, 145.5}) {
    auto const phi = [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; };
    long double const spread = option::volatility * std::sqrt(static_cast<long double>(option::years));
    long double const discount = std::exp(-static_cast<long double>(option::rate) * option::years);
    long double const d = std::log(spot / (option::strike * discount)) / spread + spread / 2;
    long double const want[] = {spot * phi(d) - option::strike * discount * phi(d - spread), phi(d)};
    for (auto const how : {fast_program, fast_tape, fast_constant}) {
      if (how == fast_constant && spot != 100) continue;
      auto const got = how(spot);
      for (int i = 0; i < 2; ++i) {
        auto const far = static_cast<double>(
            std::abs(static_cast<long double>(got[static_cast<std::size_t>(i)]) - want[i]) / want[i]);
        demand(i == 0 ? "price" : "delta",
               how == fast_program ? "program"
               : how == fast_tape  ? "tape"
                                   : "constant",
               1, far < 1e-13 ? 0 : infinity, spot, far);
      }
    }
  }
}

}  // namespace

int main() {
  std::vector<unary> unaries;
  std::vector<binary> binaries;
  add_elementary(unaries), add_elementary(binaries);
  add_special(unaries), add_special(binaries);
  for (implementation const& op : implementations()) {
    int const before = checks;
    auto const both = [&](range a, range b, auto truth) {
      check_binary<float>(op, a, b, truth), check_binary<double>(op, a, b, truth);
    };
    for (unary const& f : unaries) {
      if (op.arity == 1 && f.name == op.name) check_unary<float>(op, f), check_unary<double>(op, f);
      if (op.name == "zeta" && f.name == "digamma")
        both({2, 2}, {1e-3, 1e6}, [&](quad const&, quad const& x) { return f.slope(x); });
    }
    for (binary const& f : binaries)
      if (op.arity == 2 && f.name == op.name) both(f.a, f.b, f.value);
    if (op.name == "gaussian")
      both({-30, 30}, {1e-3, 1}, [](quad const& x, quad const& c) { return quad(exp(quad(-c * x * x))); });
    if (op.name == "stumpff")
      both({1, 1}, {1e-3, 4}, [](quad const&, quad const& s) { return quad(sin(quad(sqrt(s))) / quad(sqrt(s))); });
    if (checks == before) std::printf("%s: there is no oracle\n", op.name.c_str()), ++failures;
  }
  check_prices();
  std::printf("%d passed, %d failed\n", checks - failures, failures);
  return failures == 0 ? 0 : 1;
}

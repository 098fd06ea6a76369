// check: numbers of random losses beside those that were expected, and what is printed where they differ.
#pragma once

#include <etch/etch.hpp>

#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace random_losses {

/// A number and how far from it a right program may be; below 0 where it is not determined.
struct expected {
  double value, tolerance;
};

/// One loss at one set of numbers.
struct place {
  char const* loss;  ///< how to draw it again
  char const* text;  ///< in C++
  int point;
  double const* inputs;
  int input_count;
};

inline int passed = 0, failed = 0;

inline bool fits(double got, expected const& want) {
  if (want.tolerance < 0) return true;
  if (std::isnan(want.value)) return std::isnan(got);
  if (std::isinf(want.value)) return got == want.value;
  return std::abs(got - want.value) <= want.tolerance;
}

/// Says what differs: of each loss the text once, and of each form the first point.
inline void complain(place const& at, char const* form, int entry, double got, expected const& want) {
  static std::set<std::pair<std::string, std::string>> told;
  if (!told.emplace(at.loss, form).second) return;
  std::printf("FAILED %s, %s, point %d, entry %d: expected %.17g (within %.2g), got %.17g\n  inputs", at.loss, form,
              at.point, entry, want.value, want.tolerance, got);
  for (int i = 0; i < at.input_count; ++i) std::printf(" %.17g", at.inputs[i]);
  std::printf("\n");
  if (told.emplace(at.loss, "").second) std::printf("%s\n", at.text);
}

/// The numbers `got` against `want`; the first that does not fit is printed.
[[gnu::noinline]] inline void check(place const& at, char const* form, std::vector<double> const& got,
                                    expected const* want) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!fits(got[i], want[i])) {
      ++failed;
      complain(at, form, static_cast<int>(i), got[i], want[i]);
      return;
    }
  ++passed;
}

inline void append(std::vector<double>& to, double x) { to.push_back(x); }
template <int... Dims>
void append(std::vector<double>& to, etch::tensor<double, Dims...> const& x) {
  for (std::size_t i = 0; i < x.size(); ++i) to.push_back(x[i]);
}
template <class... X>
void append(std::vector<double>& to, std::tuple<X...> const& x) {
  std::apply([&](auto const&... each) { (append(to, each), ...); }, x);
}
/// All entries of numbers, tensors and tuples of them.
template <class... X>
std::vector<double> flat(X const&... x) {
  std::vector<double> all;
  (append(all, x), ...);
  return all;
}

inline void read(double const*& from, double& x) { x = *from++; }
template <int... Dims>
void read(double const*& from, etch::tensor<double, Dims...>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = *from++;
}

}  // namespace random_losses

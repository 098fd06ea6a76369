// adbench_ba: ADBench's bundle adjustment in one element type against golden files.
#pragma once

#include "../../bench/run/adbench.hpp"
#include "golden/golden.hpp"

#include <etch/etch.hpp>

#include "../../bench/run/ba/loss.hpp"

#include <doctest/doctest.h>

namespace ba_golden {

inline constexpr int observations = 11;

inline constexpr auto point_jacobians_of = [](auto cameras, auto points, auto weights, auto features) {
  return etch::jacobian_map<etch::wrt<0, 1, 2>>(ba_problem::error_of, cameras, points, weights, features).jacobian;
};
inline constexpr auto error = [](auto cameras, auto points, auto weights, auto features) {
  return etch::jacobian_map<etch::wrt<0, 1, 2>>(ba_problem::error_of, cameras, points, weights, features).value;
};

template <class T>
void check(char const* data, char const* expected) {
  auto const file = golden::file::read(expected);
  std::vector<double> const numbers = bench::adbench_file(data);
  if (file.value.empty() || numbers.empty()) return;
  REQUIRE(numbers.size() == 3 + 17);
  static etch::tensor<T, 11, observations> cameras;
  static etch::tensor<T, 3, observations> points;
  static etch::tensor<T, observations> weights;
  static etch::tensor<T, 2, observations> features;
  for (int i = 0; i < observations; ++i) {
    for (int k = 0; k < 11; ++k) cameras(k, i) = static_cast<T>(numbers[static_cast<std::size_t>(3 + k)]);
    for (int k = 0; k < 3; ++k) points(k, i) = static_cast<T>(numbers[static_cast<std::size_t>(14 + k)]);
    weights(i) = static_cast<T>(numbers[17]);
    for (int k = 0; k < 2; ++k) features(k, i) = static_cast<T>(numbers[static_cast<std::size_t>(18 + k)]);
  }
  static auto jacobians = etch::compile<etch::wrt<>>(point_jacobians_of, cameras, points, weights, features);
  static auto errors = etch::compile<etch::wrt<>>(error, cameras, points, weights, features);
  constexpr double tolerance = sizeof(T) == 4 ? golden::tolerance<T> : 1e-12;
  auto const& j = jacobians(cameras, points, weights, features);
  auto const& e = errors(cameras, points, weights, features);
  for (int i = 0; i < observations; ++i) {
    golden::compare(std::vector<T>(&j(0, 0, i), &j(0, 0, i) + 30), file.grad.at("jacobian"), tolerance);
    // An error is the difference of two places in the image: digits are those of the places.
    for (int k = 0; k < 2; ++k)
      CHECK(std::abs(static_cast<double>(e(k, i)) - file.value.at("error")[static_cast<std::size_t>(k)]) <=
            tolerance * std::max(1.0, std::abs(static_cast<double>(features(k, i)))));
  }
}

}  // namespace ba_golden

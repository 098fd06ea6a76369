// Functions of neighbours, and their Hessians beside products with the Hessian, which know nothing of diagonals.
#pragma once

#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>

namespace neighbours {

using namespace etch;

inline constexpr auto valleys = []<class X>(X const& x) {
  constexpr int n = X::extent[0];
  auto const here = x.template head<n - 1>(), next = x.template tail<n - 1>();
  return sum(100 * square(next - square(here)) + square(1 - here));
};
inline constexpr auto second_differences = []<class X>(X const& x) {
  constexpr int n = X::extent[0];
  auto const left = x.template head<n - 2>(), here = x.template segment<n - 2>(1), right = x.template tail<n - 2>();
  return sum(cwise_product(exp(left - 2 * here + right), sin(here))) + 3 * sum(cube(x));
};
inline constexpr auto every_other = []<class X>(X const& x) {
  auto const even = slice<0, 0, 8, 2>(x), odd = slice<0, 1, 8, 2>(x);
  return sum(cwise_product(sin(even), odd)) + sum(square(even));
};
inline constexpr auto membrane = []<class X>(X const& x) {  // a stencil of a matrix
  constexpr int m = X::extent[0], n = X::extent[1];
  auto const here = x.template block<m - 1, n - 1>(0, 0), below = x.template block<m - 1, n - 1>(1, 0),
             right = x.template block<m - 1, n - 1>(0, 1);
  return sum(sqrt(1 + square(below - here) + square(right - here))) + sum(square(x));
};

/// How many entries differ from the products of the Hessian with unit vectors by more than rounding.
template <class F, class X>
int wrong_entries(F const& f, X const& x) {
  auto program = std::make_unique<decltype(compile<wrt<>>(hessian(f), x))>();
  auto const& h = (*program)(x);
  X direction{};
  int wrong = 0;
  int const n = static_cast<int>(x.size());
  double size = 1;
  for (double each : std::span(h.data(), h.size())) size = std::max(size, std::abs(each));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) direction[static_cast<std::size_t>(i)] = i == j;
    auto const column = hvp(f)(x, direction);
    for (int i = 0; i < n; ++i) {
      wrong += !(std::abs(column[static_cast<std::size_t>(i)] - h(i, j)) <= 1e-13 * size);
      wrong += h(i, j) != h(j, i);
    }
  }
  return wrong;
}
template <class F, class X>
bool is_along_diagonals(F const& f, X const& x) {
  auto program = std::make_unique<decltype(compile<wrt<>>(f, x))>();
  return to_text(*program).find("on_diagonals") != std::string::npos;
}

}  // namespace neighbours

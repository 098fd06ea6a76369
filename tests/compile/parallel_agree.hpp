// parallel_agree: a comparison of results of which so many entries count.
#pragma once

#include "compile/parallel_numbers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace parallel_numbers {

/// Whether two results that count agree: as many entries, and the same ones but for rounding.
template <class T>
void agree(T const& a, T const& b, double tolerance) {
  if constexpr (requires { a.count(); }) REQUIRE(a.count() == b.count());
  std::vector<double> of_a, of_b;
  auto const take = [](std::vector<double>& to, T const& from) {
    argument<T>::visit(from, etch::detail::what_counts{[&](auto const* entries, std::size_t n) {
                         to.insert(to.end(), entries, entries + n);
                       }});
  };
  take(of_a, a), take(of_b, b);
  REQUIRE(of_a.size() == of_b.size());
  double scale = 1;
  for (double each : of_a) scale = std::max(scale, std::abs(each));
  for (std::size_t i = 0; i < of_a.size(); ++i) CHECK(std::abs(of_a[i] - of_b[i]) <= tolerance * scale);
}

}  // namespace parallel_numbers

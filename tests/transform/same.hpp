// same: two losses that are the same function, compared in value and in all gradients.
#pragma once

#include "transform/values.hpp"

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <utility>

namespace same {

using values::filled_with;

/// The largest distance between entries of two tensors, relative to the largest entry of the
/// second where that is more than 1.
template <class A>
double distance(A const& a, A const& b) {
  double worst = 0, size = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const x = static_cast<double>(a.data()[i]), y = static_cast<double>(b.data()[i]);
    worst = std::isnan(x) || std::isnan(y) ? INFINITY : std::max(worst, std::abs(x - y));
    size = std::max(size, std::abs(y));
  }
  return worst / size;
}

inline void check(double d) { CHECK(d < 1e-12); }

/// Value and gradients with respect to the arguments `I`, of programs and of `add_to`.
template <int... I, class F, class G, class... A>
void check_same(std::integer_sequence<int, I...>, F f, G g, A const&... a) {
  auto p = std::make_unique<decltype(etch::compile<etch::wrt<I...>>(f, a...))>();
  auto q = std::make_unique<decltype(etch::compile<etch::wrt<I...>>(g, a...))>();
  double const v = (*p)(a...), w = (*q)(a...);
  CHECK(v == doctest::Approx(w).epsilon(1e-12));
  (check(distance(p->template grad<I>(), q->template grad<I>())), ...);
  [&](auto... start) {
    (*p)(a..., etch::add_to(start...));
    (
        [&](auto& total, auto const& gradient) {
          for (std::size_t k = 0; k < total.size(); ++k) total.data()[k] -= gradient.data()[k];
          check(distance(total, filled_with<std::remove_reference_t<decltype(total)>>(9)));
        }(start, q->template grad<I>()),
        ...);
  }(filled_with<std::remove_cvref_t<decltype(p->template grad<I>())>>(9)...);
}

}  // namespace same

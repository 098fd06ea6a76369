// four_ways: the three ways of a lambda on Eigen, and a tape.
#pragma once

#include "op/three_ways.hpp"

namespace four_ways {

using namespace three_ways;

/// A lambda on Eigen, compiled, in constant evaluation and on a tape.
template <class... M, class F>
void check(F f) {
  on<M...>::check(f);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    using positions = wrt<static_cast<int>(I)...>;
    auto const compiled = value_and_grad<positions>(f)(eigen<M>(sample<M, I>())...);
    auto const taped = dynamic::value_and_grad<positions>(f)(eigen<M>(sample<M, I>())...);
    CHECK(taped.value == doctest::Approx(compiled.value).epsilon(1e-13));
    auto const close = [](auto const& a, auto const& b) {
      if constexpr (scalar<std::remove_cvref_t<decltype(a)>>) CHECK(a == doctest::Approx(b).epsilon(1e-12));
      else CHECK((a - b).norm() <= 1e-12 * (1 + b.norm()));
    };
    if constexpr (sizeof...(M) == 1) close(taped.grad, compiled.grad);
    else (close(std::get<I>(taped.grad), std::get<I>(compiled.grad)), ...);
  }(std::index_sequence_for<M...>{});
}

/// The scalar type of the code that a lambda is instantiated for.
template <class X>
using entry_type = std::remove_cvref_t<decltype(std::declval<X const&>()(0))>;

}  // namespace four_ways

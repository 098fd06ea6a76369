// rotations: a loss of Eigen's vectors in every form, and the same on a tape.
#pragma once

#include "op/three_ways.hpp"

#include <Eigen/Geometry>

namespace rotations {

using namespace three_ways;

template <class X>
using entry_type = std::remove_cvref_t<decltype(std::declval<X const&>()(0))>;

/// The same on a tape as compiled.
template <class... M, class F>
void check(F f) {
  on<M...>::check(f);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    using positions = wrt<static_cast<int>(I)...>;
    auto const compiled = value_and_grad<positions>(f)(eigen<M>(sample<M, I>())...);
    auto const taped = dynamic::value_and_grad<positions>(f)(eigen<M>(sample<M, I>())...);
    CHECK(taped.value == doctest::Approx(compiled.value).epsilon(1e-13));
    auto const close = [](auto const& a, auto const& b) { CHECK((a - b).norm() <= 1e-12 * (1 + b.norm())); };
    (close(std::get<I>(taped.grad), std::get<I>(compiled.grad)), ...);
  }
  (std::index_sequence_for<M...>{});
}

}  // namespace rotations

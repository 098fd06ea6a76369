// derivatives: the gradients of a layer against differences of its own values.
#pragma once

#include "laws/agree.hpp"

namespace layers {

using namespace etch;

/// Numbers that no symmetry hides: of either sign, none near 0, no two alike.
template <class A>
void fill(A& a, std::uint64_t seed, double scale = 1) {
  laws::randomise(a, 0.25 * scale, scale, seed);
  std::uint64_t n = seed;
  argument<A>::visit(a, [&]<class T>(T* data, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if ((n = n * 6364136223846793005u + 1442695040888963407u) >> 63 != 0) data[i] = -data[i];
  });
}

template <int Wanted, int... I>
consteval std::size_t index_of() {
  std::size_t at = 0;
  static_cast<void>(((I == Wanted || (++at, false)) || ...));
  return at;
}

/// Checks the gradients of `f` at `arguments`, of doubles, with respect to those in `Wrt` by
/// central differences of the sixth order.
template <int... I, class F, class... A>
void check_derivatives(wrt<I...>, F f, A... arguments) {
  auto const step = std::make_unique<decltype(compile<wrt<I...>>(f, arguments...))>();
  (*step)(arguments...);
  std::tuple<typename argument<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<A...>>>::gradient...> const
      exact{step->template grad<I>()...};
  auto const value = [&] { return static_cast<double>((*step)(arguments...)); };
  constexpr double h = 2e-3;
  std::tuple<A&...> const all(arguments...);
  auto const check = [&](auto& at, auto const& expected) {
    run::numbers const gradient = laws::entries_of(expected);
    std::size_t n = 0;
    argument<std::remove_cvref_t<decltype(at)>>::visit(at, [&]<class T>(T* data, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i, ++n) {
        T const here = data[i];
        auto const around = [&](double by) {
          data[i] = static_cast<T>(here + by);
          double const above = value();
          data[i] = static_cast<T>(here - by);
          return above - value();
        };
        double const difference = (45 * around(h) - 9 * around(2 * h) + around(3 * h)) / (60 * h);
        data[i] = here;
        CAPTURE(n);
        CHECK(laws::distance(gradient[n], difference) < 1e-8);
      }
    });
  };
  std::size_t k = 0;
  (
      [&] {
        CAPTURE(k);
        check(std::get<static_cast<std::size_t>(I)>(all), std::get<index_of<I, I...>()>(exact));
        ++k;
      }(),
      ...);
}

}  // namespace layers

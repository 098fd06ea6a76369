// three_ways: one generic lambda on plain Eigen, compiled by etch on the same Eigen objects, and in constant evaluation
// on tensors. Values must agree, and gradients with differences of the Eigen version.
#pragma once

#include <etch/etch.hpp>

#include <Eigen/LU>
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

namespace three_ways {

using namespace etch;

/// Stands for an argument in constant evaluation: a tensor of its shape, or the scalar.
template <class M>
struct counterpart {
  using traced = typename argument<M>::traced;
  static constexpr bool is_array = traced::elementwise_product;
  template <int... Axis>
  static auto make(std::integer_sequence<int, Axis...>) -> tensor<double, traced::extent[Axis]...>;
  using type = decltype(make(std::make_integer_sequence<int, traced::extent.rank>{}));
};
template <>
struct counterpart<double> {
  static constexpr bool is_array = false;
  using type = double;
};

/// Entries between 0.5 and 1.5, another sequence for each `Seed`.
template <class M, std::size_t Seed>
constexpr auto sample() {
  std::uint32_t state = 12345 + 7919 * static_cast<std::uint32_t>(Seed);
  auto const next = [&] {
    state = state * 1664525u + 1013904223u;
    return 0.5 + (state >> 8) * 0x1p-24;
  };
  typename counterpart<M>::type x{};
  if constexpr (scalar<M>) x = next();
  else
    for (double& entry : x) entry = next();
  return x;
}

/// The Eigen object with the entries of a tensor.
template <class M>
M eigen(typename counterpart<M>::type const& x) {
  if constexpr (scalar<M>) return x;
  else
    return Eigen::Map<Eigen::Matrix<double, M::RowsAtCompileTime, M::ColsAtCompileTime,
                                    M::RowsAtCompileTime == 1 ? Eigen::RowMajor : Eigen::ColMajor> const>(x.data());
}

/// The lambda on tensors, seen as the Eigen types are.
template <class F, class... M>
struct on_tensors {
  template <class Type, class X>
  static constexpr auto seen(X const& x) {
    if constexpr (counterpart<Type>::is_array) return x.array();
    else return x;
  }
  template <class... X>
  constexpr auto operator()(X... x) const {
    return F{}(seen<M>(x)...);
  }
};

/// Fourth-order central difference of `f` along `x`, which is left as it was.
double difference(double& x, auto f) {
  double const at = x, h = 1e-3;
  auto const moved = [&](double by) {
    x = at + by;
    return f();
  };
  double const slope = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
  x = at;
  return slope;
}

/// Checks `f` on samples of the types `M`.
template <class... M>
struct on {
  template <class F>
  static void check(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      using positions = wrt<static_cast<int>(I)...>;
      std::tuple<M...> arguments{eigen<M>(sample<M, I>())...};
      auto const plain = [&] { return static_cast<double>(std::apply(f, arguments)); };
      double const value = plain();
      REQUIRE(std::isfinite(value));

      auto step = compile<positions>(f, std::get<I>(arguments)...);
      CHECK(static_cast<double>(step(std::get<I>(arguments)...)) == doctest::Approx(value).epsilon(1e-12));

      constexpr auto early = value_and_grad<positions>(on_tensors<F, M...>{})(sample<M, I>()...);
      CHECK(early.value == doctest::Approx(value).epsilon(1e-12));

      auto const gradient = [&](auto position, double& entry, double compiled, double constant) {
        CAPTURE(decltype(position)::value);
        CHECK(compiled == doctest::Approx(difference(entry, plain)).epsilon(1e-7));
        CHECK(constant == doctest::Approx(compiled).epsilon(1e-11));
      };
      (each_entry<I>(std::get<I>(arguments), step.template grad<static_cast<int>(I)>(), gradient_at<I>(early.grad),
                     gradient),
       ...);
    }(std::index_sequence_for<M...>{});
  }

 private:
  template <std::size_t I, class G>
  static constexpr auto const& gradient_at(G const& all) {
    if constexpr (sizeof...(M) == 1) return all;
    else return std::get<I>(all);
  }
  template <std::size_t I>
  static void each_entry(auto& x, auto const& compiled, auto const& constant, auto f) {
    std::integral_constant<std::size_t, I> const position;
    if constexpr (scalar<std::remove_cvref_t<decltype(x)>>) f(position, x, compiled, constant);
    else
      for (int k = 0; k < x.size(); ++k)
        f(position, x.data()[k], compiled.data()[k], constant[static_cast<std::size_t>(k)]);
  }
};

}  // namespace three_ways

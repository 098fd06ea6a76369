// families: programs of about OPERATIONS written operations each, of the kinds whose compile time is measured. FAMILY
// names one; more are in networks.hpp, and in the file that straight_line.py writes, which STATEMENTS names.
#pragma once

#include <etch/etch.hpp>

#include "../run/quadrotor/step.hpp"
#include "family.hpp"
#include "networks.hpp"

#include <tuple>
#include <utility>

namespace families {

using vector = etch::tensor<float, 16>;
using matrix = etch::tensor<float, 16, 16>;

/// Steps one after the other, as of a recurrent network: three operations a step.
struct chain_loss {
  constexpr auto operator()(auto w, auto b) const {
    auto h = tanh(b);
    for (int t = 3; t < operations; t += 3) h = tanh(w * h + b);
    return sum(h);
  }
};

/// One value that is read everywhere: four operations a reader.
struct fan_out_loss {
  constexpr auto operator()(auto w, auto b) const {
    auto const x = w * b;
    auto total = sum(x);
    for (int t = 4; t < operations; t += 4) total = total + sum(sin(x * (1 + 0.01 * t)));
    return total;
  }
};

/// Scalar code: five operations a statement.
struct scalar_loss {
  constexpr auto operator()(auto x, auto y) const {
    auto a = x, b = y;
    for (int t = 0; t < operations; t += 5) {
      auto const c = a * b + 0.25;
      a = sin(c) - b / 3;
      b = c;
    }
    return a * b;
  }
};

/// A loop whose body has all the operations: three a layer.
struct scan_loss {
  constexpr auto operator()(auto w, auto b, auto xs) const {
    return sum(etch::scan(
        [=](auto h, auto x) {
          auto y = h + x;
          for (int t = 3; t < operations; t += 3) y = tanh(w * y + b);
          return y;
        },
        tanh(b), xs));
  }
};

/// Dense layers, three operations each: of one width, or each of a width of its own.
template <bool Different>
struct dense_loss {
  static constexpr int layers = operations / 3;
  static constexpr int width(int layer) { return Different ? 24 + 3 * layer : 32; }
  template <int... L>
  static auto parameters(std::integer_sequence<int, L...>)
      -> std::tuple<std::tuple<etch::tensor<float, width(L + 1), width(L)>, etch::tensor<float, width(L + 1)>>...>;
  using model = decltype(parameters(std::make_integer_sequence<int, layers>{}));
  using batch = etch::tensor<float, width(0), 16>;

  template <int Layer = 0>
  static constexpr auto forward(auto const& m, auto const& x) {
    if constexpr (Layer == layers) return x;
    else return forward<Layer + 1>(m, tanh(std::get<0>(std::get<Layer>(m)) * x + std::get<1>(std::get<Layer>(m))));
  }
  constexpr auto operator()(auto const& m, auto const& x) const { return sum(square(forward(m, x))); }
};

/// A quadrotor after `operations` steps: the gradient by state and input of a sum over its state, or the Jacobian.
template <bool OfVectors>
struct flight {
  constexpr auto operator()(auto x, auto u) const {
    for (int t = 0; t < operations; ++t)
      if constexpr (OfVectors) x = quadrotor::step(x, u);
      else x = quadrotor::by_numbers(x, u);
    return x;
  }
};
struct flight_loss {
  constexpr auto operator()(auto x, auto u) const { return sum(square(flight<true>{}(x, u))); }
};
template <bool OfVectors, bool ByRows>
struct flight_jacobian {
  constexpr auto operator()(auto x, auto u) const {
    if constexpr (ByRows) return etch::jacrev<etch::wrt<0, 1>>(flight<OfVectors>{})(x, u);
    else return etch::jacfwd<etch::wrt<0, 1>>(flight<OfVectors>{})(x, u);
  }
};

using both = etch::wrt<0, 1>;
#ifdef STATEMENTS
#include STATEMENTS
using straight_line = family<decltype(statements), both, double, double>;
#endif

using flight_state = etch::tensor<double, quadrotor::states>;
using flight_input = etch::tensor<double, quadrotor::thrusts>;
using flight_gradient = family<flight_loss, both, flight_state, flight_input>;
using flight_by_rows = family<flight_jacobian<true, true>, etch::wrt<>, flight_state, flight_input>;
using flight_by_columns = family<flight_jacobian<true, false>, etch::wrt<>, flight_state, flight_input>;
using flight_of_numbers = family<flight_jacobian<false, true>, etch::wrt<>, flight_state, flight_input>;

using chain = family<chain_loss, both, matrix, vector>;
using fan_out = family<fan_out_loss, both, matrix, vector>;
using scalar = family<scalar_loss, both, double, double>;
template <bool Different>
struct dense : family<dense_loss<Different>, both, typename dense_loss<Different>::model,
                      typename dense_loss<Different>::batch> {};
using equal_widths = dense<false>;
using widths = dense<true>;
using scan = family<scan_loss, both, matrix, vector, etch::tensor<float, 16, 8>>;

}  // namespace families

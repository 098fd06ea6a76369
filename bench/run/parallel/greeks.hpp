// greeks: the price of a problem and its derivatives by the model, on one core and shared by two workers.
#pragma once

#include "cores.hpp"

#include <type_traits>

namespace cores {

/// `Loss` of the inputs' model and of what else their members `Inputs` hold, whose last axis is split.
template <class Problem, auto const& Loss, auto... Inputs>
struct greeks {
  using data = typename Problem::inputs;
  template <auto Input>
  using type_of = std::remove_cvref_t<decltype(std::declval<data&>().*Input)>;

  static constexpr auto made = [] {
    return etch::compile<etch::wrt<0>>(Loss, decltype(data::model){}, type_of<Inputs>{}...);
  };
  static inline constinit decltype(made()) step{}, beside{};
  static inline constinit decltype(etch::parallel<2>(made())) shared{};

  static double call(auto& program) {
    static data const in = [] {
      data filled;
      Problem::fill(filled);
      return filled;
    }();
    return program(in.model, in.*Inputs...);
  }
  static cores::entered entered(char const* name) {
    return {name, [] { return call(step); }, [] { return call(beside); }, [] { return call(shared); },
            [] { return distance(step.template grad<0>(), shared.template grad<0>()); }};
  }
};

}  // namespace cores

// values: arguments without a pattern.
#pragma once

#include <etch/core/tensor.hpp>

#include <cmath>
#include <type_traits>

namespace values {

/// Values between -1 and 1.
template <class T>
T filled_with(int seed) {
  T t;
  for (std::size_t i = 0; i < t.size(); ++i)
    t.data()[i] = static_cast<std::remove_reference_t<decltype(*t.data())>>(
        std::sin(1.7 * static_cast<double>(i + 1) * (seed + 1)));
  return t;
}

}  // namespace values

// gathered: columns that observations refer to, transposed into registers, for versions by hand.
#pragma once

#include <etch/machine/strips.hpp>

namespace bench {

/// Entries of as many columns of `Rows` numbers as a register has lanes, one register for each row; lanes from `count`
/// on repeat the first.
template <int Rows>
void load_columns(double const* from, int const* column, int count, etch::lanes<double>* to) {
  using number = etch::lanes<double>;
  constexpr int width = number::width;
  for (int first = 0; first < Rows; first += width) {
    number square[width];
    for (int lane = 0; lane < width; ++lane) {
      double const* const at = from + column[lane < count ? lane : 0] * Rows + first;
      if (first + width <= Rows) square[lane] = number::load(at);
      else square[lane] = number::load<(Rows % width == 0 ? width : Rows % width)>(at);
    }
    etch::run::transpose_square(square);
    for (int i = 0; i < width && first + i < Rows; ++i) to[first + i] = square[i];
  }
}

}  // namespace bench

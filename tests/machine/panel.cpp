#include <etch/machine/panel.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

/// Copies a panel of rows that are `row` entries apart, entries `step`, and looks at every
/// entry and at what lies behind.
template <class T, int Height, int Rows, int K, int AtLeast, int Row, int Step>
void check() {
  constexpr int row = Row, step = Step;
  CAPTURE(Height);
  CAPTURE(Rows);
  CAPTURE(K);
  CAPTURE(row);
  CAPTURE(step);
  std::size_t const margin = static_cast<std::size_t>(widest<T>);
  std::vector<T> from(static_cast<std::size_t>((Rows - 1) * row + (K - 1) * step + 1)),
      to(Height * K + margin + 1, T(-1));
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i);
  constexpr auto way = run::panel_way_of<T>(Row, Step, Rows, AtLeast);
  run::copy_panel<T, Height, way>(from.data(), Row, Step, Rows, K, to.data());
  int wrong = 0;
  for (int k = 0; k < K; ++k)
    for (int r = 0; r < Height; ++r) {
      T const entry = to[static_cast<std::size_t>(k * Height + r)];
      wrong += r < Rows ? entry != static_cast<T>(r * row + k * step)
                        : !(entry >= 0);  // padding is made of entries or zeros
    }
  CHECK(wrong == 0);
  CHECK(to.back() == -1);
}

template <class T, int Height, int Rows, int K, int AtLeast = K>
void check_all() {
  check<T, Height, Rows, K, AtLeast, 1, Rows + 2>();
  check<T, Height, Rows, K, AtLeast, K + 1, 1>();
  check<T, Height, Rows, K, AtLeast, 2 * K, 2>();
}

}  // namespace

TEST_CASE("panels of whole registers, filled up behind the last row") {
  constexpr int width = widest<float>;
  check_all<float, 2 * width, 2 * width, 3 * width>();
  check_all<float, 2 * width, width + 1, width + 3>();
  check_all<float, width, width, 1>();
  check_all<double, width, width / 2 + 1, 9>();
}

TEST_CASE("panels of any height") {
  check_all<float, 14, 14, 37>();
  check_all<float, 5, 5, 6>();
  check_all<float, 1, 1, 20>();
  check_all<double, 13, 13, 10, 3>();
  check_all<double, 3, 3, 2>();
}

#include <etch/machine/register_tile.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;
using run::edge;

namespace {

/// A tile of `Rows` rows whose last register is loaded as `Edge` says, first alone, then on top of itself.
template <class T, int Rows, int Columns, int Chains, edge Edge, int K, bool Constant>
void check_one() {
  using V = typename number_of_width<T, widest<T>>::type;
  constexpr int width = widest<T>, packets = (Rows + width - 1) / width, last = Rows - (packets - 1) * width,
                before = width;
  std::vector<T> a(static_cast<std::size_t>(before + Rows * K + (Edge == edge::none ? width : 0)), T(3)),
      b(Columns * K), memory(static_cast<std::size_t>(before + Columns * packets * width));
  for (int i = 0; i < Rows * K; ++i) a[static_cast<std::size_t>(before + i)] = static_cast<T>(i % 7 - 3);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(static_cast<int>(i % 5) - 2);
  T* const tile = memory.data() + before;
  for (int turn = 1; turn <= 2; ++turn) {
    run::register_tile<V, packets, Columns, Chains, Edge, Constant ? K : 0>::run(
        {a.data() + before, Rows, b.data(), 1, K, K, tile, packets * width, last, width, turn == 2});
    int wrong = 0;
    for (int q = 0; q < Columns; ++q)
      for (int r = 0; r < Rows; ++r) {
        T sum = 0;
        for (int k = 0; k < K; ++k)
          sum += a[static_cast<std::size_t>(before + r + k * Rows)] * b[static_cast<std::size_t>(k + q * K)];
        wrong += tile[q * packets * width + r] != static_cast<T>(turn) * sum;
      }
    CHECK(wrong == 0);
  }
}

template <class T, int Rows, int Columns, int Chains, edge Edge, int K>
void check() {
  check_one<T, Rows, Columns, Chains, Edge, K, false>();
  check_one<T, Rows, Columns, Chains, Edge, K, true>();
}

}  // namespace

TEST_CASE("whole registers, and every kind of edge") {
  constexpr int f = widest<float>, d = widest<double>;
  check<float, 2 * f, 3, 1, edge::none, 9>();
  check<float, f, 1, 4, edge::none, 10>();
  check<double, d, 2, 2, edge::none, 3>();
  if constexpr (f > 1) {
    check<float, 2 * f - 1, 3, 1, edge::masked, 5>();
    check<float, 2 * f - 1, 3, 1, edge::shifted, 5>();
    check<float, f + 1, 2, 2, edge::none, 6>();
    check<float, f - 1, 2, 2, edge::shifted, 7>();
    check<double, d - 1, 4, 2, edge::masked, 8>();
    check<double, 3 * d - 1, 2, 1, edge::shifted, 4>();
  }
}

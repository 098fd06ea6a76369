#include <etch/machine/dot_tile.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;

namespace {

/// A tile of a length that compilers do not know.
template <class V, int Rows, int Columns, int Chains, class T>
[[gnu::noinline]] void compute(T const* a, T const* b, int k, T* tile) {
  run::dot_tile<V, Rows, Columns, Chains>::run(a, k, b, k + 2, k, tile, Rows);
}

template <class V, int Rows, int Columns, int Chains, int K>
void check_one(bool constant) {
  using T = math::scalar_in<V>;
  CAPTURE(K);
  std::vector<T> a(Rows * K), b(Columns * (K + 2)), tile(Rows * Columns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(static_cast<int>(i % 7) - 3);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(static_cast<int>(i % 5) - 2);
  if (constant) run::dot_tile<V, Rows, Columns, Chains>::run(a.data(), K, b.data(), K + 2, K, tile.data(), Rows);
  else compute<V, Rows, Columns, Chains>(a.data(), b.data(), K, tile.data());
  int wrong = 0;
  for (std::size_t q = 0; q < Columns; ++q)
    for (std::size_t p = 0; p < Rows; ++p) {
      T sum = 0;
      for (std::size_t k = 0; k < K; ++k) sum += a[p * K + k] * b[q * (K + 2) + k];
      wrong += tile[q * Rows + p] != sum;
    }
  CHECK(wrong == 0);
}

template <class V, int Rows, int Columns, int Chains, int K>
void check() {
  check_one<V, Rows, Columns, Chains, K>(true);
  check_one<V, Rows, Columns, Chains, K>(false);
}

template <class T>
void check_lengths() {
  using V = typename number_of_width<T, widest<T>>::type;
  constexpr int width = widest<T>;
  check<V, 4, 2, 1, width>();
  check<V, 3, 1, 2, 5 * width + 1>();
  check<V, 1, 1, 4, 6 * width>();
  check<V, 1, 2, 4, 3>();
  check<T, 2, 2, 2, 7>();
}

}  // namespace

TEST_CASE_TEMPLATE("entries of a product are sums along k, of any length", T, float, double) { check_lengths<T>(); }

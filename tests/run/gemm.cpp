#include <etch/run/gemm.hpp>

#include <etch/core/tensor.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace etch;
using pass::source;

namespace {

/// C = A B alone, A and B stored transposed where that is said, in the form that the choice or `inner` gives.
template <class T>
consteval auto product(int m, int k, int n, bool transposed_a, bool transposed_b, bool accumulate) {
  layout const a{0, transposed_a ? strides{k, 1, 0, 0} : strides{1, m, 0, 0}};
  layout const b{0, transposed_b ? strides{n, 1, 0, 0} : strides{1, k, 0, 0}};
  run::signature<1, 0, 1> s;
  s.type = element_of<T>;
  s.extent = {m, n, 1, 1};
  s.product = pass::choose_contraction(s.type, m, n, k, a.step, b.step);
  s.in[0] = {source::tile, s.type, {}, 0};
  s.out[0] = {0, {1, m, 0, 0}, false, accumulate, 0};
  if (s.product.transposed) std::swap(s.extent[0], s.extent[1]), std::swap(s.out[0].step[0], s.out[0].step[1]);
  return s;
}

/// Whole numbers, so that every order of additions gives the same.
template <class T, int M, int K, int N, bool TransposedA, bool TransposedB>
void check() {
  CAPTURE(M);
  CAPTURE(K);
  CAPTURE(N);
  std::vector<T> a(M * K), b(K * N), c(M * N + 1, T(1000));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(static_cast<int>(i * 7 % 11) - 5);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(static_cast<int>(i * 5 % 13) - 6);
  static constexpr auto assigning = product<T>(M, K, N, TransposedA, TransposedB, false),
                        adding = product<T>(M, K, N, TransposedA, TransposedB, true);
  std::vector<T> scratch(static_cast<std::size_t>(assigning.product.packed_entries()) + 1, T(77));
  auto const bytes = [](std::vector<T>& v) { return reinterpret_cast<std::byte*>(v.data()); };
  std::byte dummy{};
  std::byte* pointers[] = {&dummy, bytes(c)};
  std::byte *left = bytes(a), *right = bytes(b);
  if (assigning.product.transposed) std::swap(left, right);
  auto const entry = [&](int i, int j) {
    T sum = 0;
    for (int k = 0; k < K; ++k)
      sum += a[static_cast<std::size_t>(TransposedA ? k + i * K : i + k * M)] *
             b[static_cast<std::size_t>(TransposedB ? j + k * N : k + j * K)];
    return sum;
  };
  for (int factor = 1; factor <= 2; ++factor) {
    if (factor == 1) run::gemm<assigning>::run(pointers, left, right, bytes(scratch));
    else run::gemm<adding>::run(pointers, left, right, bytes(scratch));
    int wrong = 0;
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < M; ++i) wrong += c[static_cast<std::size_t>(i + j * M)] != static_cast<T>(factor) * entry(i, j);
    CHECK(wrong == 0);
  }
  CHECK(c.back() == 1000);
  CHECK(scratch.back() == 77);
}

template <class T, int M, int K, int N>
void check_all() {
  check<T, M, K, N, false, false>();
  check<T, M, K, N, true, false>();
  check<T, M, K, N, false, true>();
  check<T, M, K, N, true, true>();
}

}  // namespace

TEST_CASE("products in all four orientations agree with three loops, assigned and accumulated") {
  check_all<float, 17, 5, 3>();
  check<float, 33, 19, 15, false, true>();
  check_all<float, 3, 70, 2>();
  check_all<double, 5, 37, 3>();
}

TEST_CASE("rows, columns and single entries") {
  check<float, 1, 37, 1, false, false>();
  check<float, 1, 5, 33, false, true>();
  check<float, 1, 19, 4, true, false>();
  check<double, 35, 1, 1, false, false>();
  check<double, 7, 1, 6, true, true>();
  check<double, 1, 1, 1, false, false>();
}

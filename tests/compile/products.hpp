// products: one product computed by its kernel, compared with three plain loops.
#pragma once

#include <etch/machine/gemm.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace products {

using namespace etch;

/// The product C[m, n, batch] = A B. Operands may be stored transposed, and with gaps between their entries.
struct problem {
  int m, k, n;
  bool transposed_a = false, transposed_b = false;
  int step = 1;  ///< between neighbouring entries of A and B
  int batch = 1;
  bool accumulate = false;
  bool epilogue = false;  ///< C = A B + v, with a column v; and 2 C, stored transposed
};

constexpr layout a_of(problem const& p) {
  std::int64_t const s = p.step, size = s * p.m * p.k;
  return {0, p.transposed_a ? strides{s * p.k, s, size, 0} : strides{s, s * p.m, size, 0}};
}
constexpr layout b_of(problem const& p) {
  std::int64_t const s = p.step, size = s * p.k * p.n;
  return {0, p.transposed_b ? strides{s * p.n, s, size, 0} : strides{s, s * p.k, size, 0}};
}

template <class T>
constexpr pass::contraction way_of(problem const& p) {
  return pass::contraction_of(element_of<T>, make_shape(p.m, p.n, p.batch), p.k, a_of(p).step, b_of(p).step,
                              !p.epilogue);
}

/// The kernel that computes the problem in the given way.
template <class T, bool Epilogue>
consteval auto kernel_of(problem const& p, pass::contraction const& way) {
  using pass::source;
  run::signature<Epilogue ? 3 : 1, Epilogue ? 2 : 0, Epilogue ? 2 : 1> s;
  s.type = element_of<T>;
  s.extent = {p.m, p.n, p.batch, 1};
  s.product = way;
  std::int64_t const m = p.m, n = p.n;
  s.in[0] = {source::tile, s.type, {}, 0};
  s.out[0] = {{1, m, m * n, 0}, 0, false, p.accumulate, 0};
  if constexpr (Epilogue) {
    s.in[1] = {source::memory, s.type, {1, 0, 0, 0}, 0};
    s.in[2] = {source::constant, s.type, {}, attribute_of(2)};
    s.code[0] = {opcode_of<op::add>, {0, 1, 0}};
    s.code[1] = {opcode_of<op::mul>, {2, 3, 0}};
    s.out[0].value = 3;
    s.out[1] = {{n, 1, m * n, 0}, 4, false, p.accumulate, 0};
  }
  if (way.transposed) {
    std::swap(s.extent[0], s.extent[1]);
    for (auto& i : s.in) std::swap(i.step[0], i.step[1]);
    for (auto& o : s.out) std::swap(o.step[0], o.step[1]);
  }
  return s;
}

template <class T, problem P, pass::contraction Way>
inline constexpr auto kernel = kernel_of<T, P.epilogue>(P, Way);

/// Operands and results of a problem, results filled with 1000.
template <class T>
struct storage {
  std::vector<T> a, b, v, c, twice;
  explicit storage(problem const& p)
      : a(static_cast<std::size_t>(p.step * p.m * p.k * p.batch)),
        b(static_cast<std::size_t>(p.step * p.k * p.n * p.batch)),
        v(static_cast<std::size_t>(p.m)),
        c(static_cast<std::size_t>(p.m * p.n * p.batch) + 1, T(1000)),
        twice(c) {}

  /// Whole numbers, so that every order of additions gives the same.
  void fill_whole() {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(static_cast<int>(i * 7 % 11) - 5);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(static_cast<int>(i * 5 % 13) - 6);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<T>(i % 5);
  }
};

/// Runs the kernel of signature `Packed`; the words behind its scratch memory stay what they are.
template <auto Packed, class T>
void compute(storage<T>& in) {
  constexpr auto const& s = run::unpacked<Packed>;
  std::size_t const entries = static_cast<std::size_t>(s.product.packed_entries());
  std::vector<T> scratch(entries + 1, T(77));
  auto const bytes = [](std::vector<T>& x) { return reinterpret_cast<std::byte*>(x.data()); };
  std::byte dummy{};
  std::byte* alone[] = {&dummy, bytes(in.c)};
  std::byte* finished[] = {&dummy, bytes(in.v), &dummy, bytes(in.c), bytes(in.twice)};
  std::byte *left = bytes(in.a), *right = bytes(in.b);
  if (s.product.transposed) std::swap(left, right);
  run::gemm<Packed>::run(s.inputs == 3 ? finished : alone, left, right, bytes(scratch));
  CHECK(scratch.back() == 77);
}

/// The same by three loops.
template <class T>
void compute_plainly(problem const& p, storage<T>& in) {
  auto const at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  strides const a = a_of(p).step, b = b_of(p).step;
  for (int l = 0; l < p.batch; ++l)
    for (int j = 0; j < p.n; ++j)
      for (int i = 0; i < p.m; ++i) {
        T sum = 0;
        for (int k = 0; k < p.k; ++k)
          sum += in.a[at(i * a[0] + k * a[1] + l * a[2])] * in.b[at(k * b[0] + j * b[1] + l * b[2])];
        if (p.epilogue) sum += in.v[at(i)];
        T &c = in.c[at(i + p.m * (j + p.n * l))], &twice = in.twice[at(j + p.n * (i + p.m * l))];
        c = p.accumulate ? c + sum : sum;
        if (p.epilogue) twice = p.accumulate ? twice + 2 * sum : 2 * sum;
      }
}

template <class T>
bool same(std::vector<T> const& x, std::vector<T> const& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))) return false;
  return x.size() == y.size();
}

/// Whether the problem is solved in the given way.
template <class T, problem P, pass::contraction Way = way_of<T>(P)>
void check() {
  static constexpr problem p = P;  // clang 19 crashes where a lambda reads the template argument itself
  CAPTURE(p.m);
  CAPTURE(p.k);
  CAPTURE(p.n);
  CAPTURE(p.transposed_a);
  CAPTURE(p.transposed_b);
  CAPTURE(p.accumulate);
  CAPTURE(p.epilogue);
  storage<T> computed(P);
  computed.fill_whole();
  storage<T> expected = computed;
  compute<run::pack_signature<kernel<T, P, Way>>()>(computed);
  compute_plainly(P, expected);
  CHECK(same(computed.c, expected.c));
  CHECK(same(computed.twice, expected.twice));
}

constexpr problem stored(problem p, int orientation) {
  p.transposed_a = (orientation & 1) != 0;
  p.transposed_b = (orientation & 2) != 0;
  return p;
}
template <class T, problem P>
void check_orientations() {
  check<T, stored(P, 0)>();
  check<T, stored(P, 1)>();
  check<T, stored(P, 2)>();
  check<T, stored(P, 3)>();
}

}  // namespace products

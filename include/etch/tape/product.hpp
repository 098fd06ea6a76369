// The matrix product of values of the tape.
#pragma once

#include <etch/machine/run_time_product.hpp>
#include <etch/tape/strided_value.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

namespace detail {

/// One product of m rows, n columns and k terms, into `y` of adjoining columns.
template <class T>
void multiply_one(T* y, int m, int n, int k, run::strided_matrix<T const> const& a,
                  run::strided_matrix<T const> const& b, bool added) {
  using product = run::run_time_product<T>;
  constexpr int width = widest<T>;
  if (a.column == 1 && b.row == 1 && k >= width && (n <= 2 || m <= 2)) product::dots({y, 1, m}, m, n, k, a, b, added);
  else if (m < width && m < n && b.column == 1) product::run({y, m, 1}, n, m, k, b.transposed(), a.transposed(), added);
  else product::run({y, 1, m}, m, n, k, a, b, added);
}

}  // namespace detail

/// y = a b, or y += a b where it is to be `added`, matrix by matrix along the axes beyond the second. Operands may have
/// any steps. `y` is contiguous and overlaps neither of them.
template <class T>
void product(strided_value const& y, strided_value const& a, strided_value const& b, bool added = false) {
  auto const place = [](strided_value const& x, int k, int l) {
    return x.first<T>() + (x.extent[2] == 1 ? 0 : k * x.where.step[2]) + (x.extent[3] == 1 ? 0 : l * x.where.step[3]);
  };
  for (int l = 0; l < y.extent[3]; ++l)
    for (int k = 0; k < y.extent[2]; ++k)
      detail::multiply_one<T>(place(y, k, l), a.extent[0], b.extent[1], a.extent[1],
                              {place(a, k, l), a.where.step[0], a.where.step[1]},
                              {place(b, k, l), b.where.step[0], b.where.step[1]}, added);
}

}  // namespace dynamic
ETCH_NAMESPACE_END

// pattern: where a sparse matrix may have entries, column by column, as numbers known to the compiler or found at run
// time.
#pragma once

#include <etch/base/sequence.hpp>

ETCH_NAMESPACE_BEGIN
namespace sparse {

/// The places of the entries of a sparse matrix in compressed form: column j has entries in the rows
/// `index[start[j]] ... index[start[j + 1] - 1]`, ascending. Compressed by rows it is the pattern of the transpose.
struct pattern_view {
  int rows = 0, columns = 0;
  const_span<int> start;  ///< columns + 1 positions
  const_span<int> index;

  constexpr int nonzeros() const { return static_cast<int>(index.size()); }
  /// The rows of column `j`.
  constexpr const_span<int> column(int j) const {
    return {index.start + start.start[j], static_cast<std::size_t>(start.start[j + 1] - start.start[j])};
  }
};

/// A pattern with memory of its own.
struct pattern {
  int rows = 0, columns = 0;
  sequence<int> start, index;

  constexpr operator pattern_view() const { return {rows, columns, start, index}; }
};

/// The pattern of the transpose.
constexpr pattern transposed(pattern_view p) {
  pattern t{p.columns, p.rows, sequence<int>::zeros(static_cast<std::size_t>(p.rows) + 1),
            sequence<int>::zeros(p.index.size())};
  for (int row : p.index) ++t.start.entry[row + 1];
  for (int i = 0; i < p.rows; ++i) t.start.entry[i + 1] += t.start.entry[i];
  sequence<int> next = t.start;
  for (int j = 0; j < p.columns; ++j)
    for (int k = p.start.start[j]; k < p.start.start[j + 1]; ++k) t.index.entry[next.entry[p.index.start[k]]++] = j;
  return t;
}

/// The pattern of a matrix of Eigen's that is sparse by columns: what it stores.
template <class Matrix>
  requires(!Matrix::IsRowMajor && requires(Matrix const& m) { m.innerIndexPtr(); })
pattern pattern_of(Matrix const& m) {
  pattern p{static_cast<int>(m.rows()), static_cast<int>(m.cols()), {}, {}};
  for (int j = 0; j < p.columns; ++j) {
    p.start.push_back(static_cast<int>(p.index.size()));
    for (typename Matrix::InnerIterator it(m, j); it; ++it) p.index.push_back(static_cast<int>(it.row()));
  }
  p.start.push_back(static_cast<int>(p.index.size()));
  return p;
}

}  // namespace sparse
ETCH_NAMESPACE_END

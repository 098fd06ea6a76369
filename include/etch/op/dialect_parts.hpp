// Eigen's member functions that pick entries, rows, columns and blocks, and those that run along columns or rows.
#pragma once

#include <etch/op/power.hpp>
#include <etch/op/prod.hpp>
#include <etch/op/product.hpp>
#include <etch/op/reshape.hpp>
#include <etch/op/statistics.hpp>

namespace etch::inline ETCH_ABI {

namespace detail {

/// `x` with the rank of an Eigen argument: a matrix of one column is a vector.
template <static_handle X>
constexpr auto eigen_ranked(X const& x) {
  if constexpr (X::extent.rank <= 2 && X::extent[1] == 1 && X::extent.rank != 1) return reshape<X::extent[0]>(x);
  else return x;
}
/// `x` with rank 2, so that rows and columns are axes.
template <static_handle X>
constexpr auto as_matrix(X const& x) {
  static_assert(X::extent.rank <= 2, "etch: a matrix (rank 2 or less) is needed");
  if constexpr (X::extent.rank < 2) return reshape<X::extent[0], X::extent[1]>(x);
  else return x;
}

/// `Count` entries along `Axis` from `begin` on.
template <int Axis, int Count, static_handle X>
constexpr auto part(X const& x, std::ptrdiff_t begin) {
  constexpr bool fits = Count >= 1 && Count <= X::extent[Axis];
  static_assert(fits, "etch: slice out of range: there are not as many entries along the axis");
  if (fits && (begin < 0 || begin + Count > X::extent[Axis]))
    error::slice_out_of_range(X::extent, Axis, static_cast<int>(begin), static_cast<int>(begin + Count - 1));
  if constexpr (fits) {
    return sliced<Axis, Count>(x, static_cast<int>(begin));
  } else {
    constexpr shape wanted = with_extent(X::extent, Axis, Count < 1 ? 1 : Count);  // so that no other error follows
    return viewed<wanted>(x, [&](term t) { return fit(slice(t, region(Axis, 0), 1), wanted); });
  }
}
/// The value of a size given as an object.
template <class N>
inline constexpr int size_in = std::remove_cvref_t<N>::value;

template <int Rows, int Cols, static_handle X>
constexpr auto block_of(X const& x, std::ptrdiff_t i, std::ptrdiff_t j) {
  return eigen_ranked(part<1, Cols>(part<0, Rows>(as_matrix(x), i), j));
}
template <int N, static_handle X>
constexpr auto segment_of(X const& x, std::ptrdiff_t i) {
  constexpr bool is_row = X::extent[0] == 1, is_vector = is_row || X::extent[1] == 1;
  static_assert(is_vector && X::extent.rank <= 2, "etch: a part by one position is that of a vector; a matrix has block, row and col");
  if constexpr (is_row) return block_of<1, N>(x, 0, i);
  else return block_of<N, 1>(x, i, 0);
}

/// The entry at the positions given, one for each axis.
template <static_handle X, int N>
constexpr auto entry(X const& x, fixed<std::ptrdiff_t, N> const& at) {
  static_assert(X::extent.rank <= N, "etch: an entry of a tensor is picked by one position for each axis");
  for (int axis = 0; axis < N; ++axis)
    if (std::ptrdiff_t const i = at.entry[axis]; i < 0 || i >= X::extent[axis])
      error::slice_out_of_range(X::extent, axis, static_cast<int>(i), static_cast<int>(i));
  return viewed<shape{}>(x, [&](term t) {
    for (int axis = 0; axis < N; ++axis)
      if (X::extent[axis] > 1) t = slice(t, region(axis, static_cast<int>(at.entry[axis])), 1);
    return emit_to<op::reshape>(shape{}, t);
  });
}

}  // namespace detail

/// The columns of a matrix (`Axis` 0: they run along it), or its rows (`Axis` 1).
template <static_handle X, int Axis>
struct vectorwise {
  X of;

  constexpr auto maxCoeff() const { return detail::eigen_ranked(etch::max<Axis>(detail::as_matrix(of))); }
  constexpr auto mean() const { return detail::eigen_ranked(etch::mean<Axis>(detail::as_matrix(of))); }
  constexpr auto minCoeff() const { return detail::eigen_ranked(etch::min<Axis>(detail::as_matrix(of))); }
  constexpr auto norm() const { return detail::eigen_ranked(etch::norm<Axis>(detail::as_matrix(of))); }
  constexpr auto prod() const { return detail::eigen_ranked(etch::prod<Axis>(detail::as_matrix(of))); }
  constexpr auto squaredNorm() const { return detail::eigen_ranked(etch::squared_norm<Axis>(detail::as_matrix(of))); }
  constexpr auto sum() const { return detail::eigen_ranked(etch::sum<Axis>(detail::as_matrix(of))); }

  /// `v`, a vector of the same direction and size.
  template <static_handle V>
  static constexpr V const& like(V const& v) {
    static_assert(V::extent[Axis] == X::extent[Axis] && V::extent.size() == V::extent[Axis],
                  "etch: x.colwise() takes a column with as many rows as x, x.rowwise() a row with as many columns");
    return v;
  }
};

template <class X, int Axis, static_handle V>
constexpr auto operator+(vectorwise<X, Axis> const& x, V const& v) {
  return x.of + x.like(v);
}
template <class X, int Axis, static_handle V>
constexpr auto operator-(vectorwise<X, Axis> const& x, V const& v) {
  return x.of - x.like(v);
}
template <class X, int Axis, static_handle V>
constexpr auto operator*(vectorwise<X, Axis> const& x, V const& v) {
  return cwise_product(x.of, x.like(v));
}
template <class X, int Axis, static_handle V>
constexpr auto operator/(vectorwise<X, Axis> const& x, V const& v) {
  return cwise_quotient(x.of, x.like(v));
}

/// The diagonal matrix with these entries: its products scale rows, or columns.
template <static_handle X>
struct diagonal_matrix {
  X entries;

  template <static_handle M>
  friend constexpr auto operator*(diagonal_matrix const& d, M const& m) {
    static_assert(M::extent[0] == X::extent.size(),
                  "etch: inner dimensions of a product differ: those of a diagonal and the rows of a matrix");
    return detail::eigen_ranked(cwise_product(reshape<-1>(d.entries).matrix(), m.matrix()));
  }
  template <static_handle M>
  friend constexpr auto operator*(M const& m, diagonal_matrix const& d) {
    static_assert(M::extent[1] == X::extent.size(),
                  "etch: inner dimensions of a product differ: columns of a matrix and those of a diagonal");
    return detail::eigen_ranked(cwise_product(m.matrix(), reshape<1, -1>(d.entries).matrix()));
  }
};

template <class X, class Base>
constexpr auto dialect<X, Base>::value() const {
  static_assert(X::extent.size() == 1, "etch: value is that of a 1x1 matrix; another has x(i, j), or sum");
  return detail::entry(self(), fixed<index, max_rank>{});
}
template <class X, class Base>
constexpr auto dialect<X, Base>::colwise() const {
  return vectorwise<X, 0>{self()};
}
template <class X, class Base>
constexpr auto dialect<X, Base>::rowwise() const {
  return vectorwise<X, 1>{self()};
}
template <class X, class Base>
constexpr auto dialect<X, Base>::asDiagonal() const {
  static_assert(X::extent.rank <= 2 && (X::extent[0] == 1 || X::extent[1] == 1), "etch: asDiagonal takes a vector");
  return diagonal_matrix<X>{self()};
}
template <class X, class Base>
constexpr auto dialect<X, Base>::transpose() const {
  return detail::eigen_ranked(etch::transpose(self()));
}
template <class X, class Base>
constexpr auto dialect<X, Base>::adjoint() const {
  return transpose();
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto dialect<X, Base>::replicate() const {
  return detail::eigen_ranked(tile<Rows, Cols>(detail::as_matrix(self())));
}

template <class X, class Base>
constexpr auto dialect<X, Base>::operator()(index i) const {
  static_assert(X::extent.rank <= 2 && (X::extent[0] == 1 || X::extent[1] == 1),
                "etch: one position picks an entry of a vector; a matrix has x(i, j)");
  return detail::entry(self(), X::extent[0] == 1 && X::extent[1] > 1 ? fixed<index, 2>{0, i} : fixed<index, 2>{i, 0});
}
template <class X, class Base>
constexpr auto dialect<X, Base>::operator()(index i, index j) const {
  return detail::entry(self(), fixed{i, j});
}
template <class X, class Base>
constexpr auto dialect<X, Base>::operator()(index i, index j, index k) const {
  return detail::entry(self(), fixed{i, j, k});
}
template <class X, class Base>
constexpr auto dialect<X, Base>::operator()(index i, index j, index k, index l) const {
  return detail::entry(self(), fixed{i, j, k, l});
}
template <class X, class Base>
constexpr auto dialect<X, Base>::operator[](index i) const {
  return (*this)(i);
}

template <class X, class Base>
constexpr auto dialect<X, Base>::row(index i) const {
  return detail::block_of<1, X::extent[1]>(self(), i, 0);
}
template <class X, class Base>
constexpr auto dialect<X, Base>::col(index j) const {
  return detail::block_of<X::extent[0], 1>(self(), 0, j);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto dialect<X, Base>::block(index i, index j) const {
  return detail::block_of<Rows, Cols>(self(), i, j);
}
template <class X, class Base>
constexpr auto dialect<X, Base>::block(index i, index j, static_size auto const& rows, static_size auto const& cols) const {
  return detail::block_of<detail::size_in<decltype(rows)>, detail::size_in<decltype(cols)>>(self(), i, j);
}
template <class X, class Base>
template <int Rows>
constexpr auto dialect<X, Base>::topRows() const {
  return detail::block_of<Rows, X::extent[1]>(self(), 0, 0);
}
template <class X, class Base>
template <int Rows>
constexpr auto dialect<X, Base>::middleRows(index i) const {
  return detail::block_of<Rows, X::extent[1]>(self(), i, 0);
}
template <class X, class Base>
template <int Rows>
constexpr auto dialect<X, Base>::bottomRows() const {
  return detail::block_of<Rows, X::extent[1]>(self(), X::extent[0] - Rows, 0);
}
template <class X, class Base>
template <int Cols>
constexpr auto dialect<X, Base>::leftCols() const {
  return detail::block_of<X::extent[0], Cols>(self(), 0, 0);
}
template <class X, class Base>
template <int Cols>
constexpr auto dialect<X, Base>::middleCols(index j) const {
  return detail::block_of<X::extent[0], Cols>(self(), 0, j);
}
template <class X, class Base>
template <int Cols>
constexpr auto dialect<X, Base>::rightCols() const {
  return detail::block_of<X::extent[0], Cols>(self(), 0, X::extent[1] - Cols);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto dialect<X, Base>::topLeftCorner() const {
  return detail::block_of<Rows, Cols>(self(), 0, 0);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto dialect<X, Base>::topRightCorner() const {
  return detail::block_of<Rows, Cols>(self(), 0, X::extent[1] - Cols);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto dialect<X, Base>::bottomLeftCorner() const {
  return detail::block_of<Rows, Cols>(self(), X::extent[0] - Rows, 0);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto dialect<X, Base>::bottomRightCorner() const {
  return detail::block_of<Rows, Cols>(self(), X::extent[0] - Rows, X::extent[1] - Cols);
}

template <class X, class Base>
template <int N>
constexpr auto dialect<X, Base>::head() const {
  return detail::segment_of<N>(self(), 0);
}
template <class X, class Base>
constexpr auto dialect<X, Base>::head(static_size auto const& n) const {
  return detail::segment_of<detail::size_in<decltype(n)>>(self(), 0);
}
template <class X, class Base>
template <int N>
constexpr auto dialect<X, Base>::segment(index i) const {
  return detail::segment_of<N>(self(), i);
}
template <class X, class Base>
constexpr auto dialect<X, Base>::segment(index i, static_size auto const& n) const {
  return detail::segment_of<detail::size_in<decltype(n)>>(self(), i);
}
template <class X, class Base>
template <int N>
constexpr auto dialect<X, Base>::tail() const {
  return detail::segment_of<N>(self(), X::extent.size() - N);
}
template <class X, class Base>
constexpr auto dialect<X, Base>::tail(static_size auto const& n) const {
  return detail::segment_of<detail::size_in<decltype(n)>>(self(), X::extent.size() - detail::size_in<decltype(n)>);
}

}  // namespace etch::inline ETCH_ABI

// Parts and entries of a value that has a name, which can be assigned to.
#pragma once

#include <etch/op/eigen/part_expr.hpp>

ETCH_NAMESPACE_BEGIN

template <class X, class Base>
constexpr auto eigen_methods<X, Base>::operator()(index i) & {
  if constexpr (!detail::is_vector<X>) error::not_a_vector<X>();
  return detail::entry_at(own(), detail::is_row<X> ? fixed<index, max_rank>{0, i} : fixed<index, max_rank>{i});
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::operator()(index i, index j) & {
  return detail::entry_at(own(), fixed{i, j});
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::operator[](index i) & {
  return (*this)(i);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::row(index i) & {
  return detail::part_at<1, X::extent[1]>(own(), i, 0);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::col(index j) & {
  return detail::part_at<X::extent[0], 1>(own(), 0, j);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::block(index i, index j) & {
  return detail::part_at<Rows, Cols>(own(), i, j);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::block(index i, index j, static_size auto const& rows,
                                             static_size auto const& cols) & {
  return detail::part_at<detail::size_in<decltype(rows)>, detail::size_in<decltype(cols)>>(own(), i, j);
}
template <class X, class Base>
template <int Rows>
constexpr auto eigen_methods<X, Base>::topRows() & {
  return detail::part_at<Rows, X::extent[1]>(own(), 0, 0);
}
template <class X, class Base>
template <int Rows>
constexpr auto eigen_methods<X, Base>::middleRows(index i) & {
  return detail::part_at<Rows, X::extent[1]>(own(), i, 0);
}
template <class X, class Base>
template <int Rows>
constexpr auto eigen_methods<X, Base>::bottomRows() & {
  return detail::part_at<Rows, X::extent[1]>(own(), X::extent[0] - Rows, 0);
}
template <class X, class Base>
template <int Cols>
constexpr auto eigen_methods<X, Base>::leftCols() & {
  return detail::part_at<X::extent[0], Cols>(own(), 0, 0);
}
template <class X, class Base>
template <int Cols>
constexpr auto eigen_methods<X, Base>::middleCols(index j) & {
  return detail::part_at<X::extent[0], Cols>(own(), 0, j);
}
template <class X, class Base>
template <int Cols>
constexpr auto eigen_methods<X, Base>::rightCols() & {
  return detail::part_at<X::extent[0], Cols>(own(), 0, X::extent[1] - Cols);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::topLeftCorner() & {
  return detail::part_at<Rows, Cols>(own(), 0, 0);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::topRightCorner() & {
  return detail::part_at<Rows, Cols>(own(), 0, X::extent[1] - Cols);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::bottomLeftCorner() & {
  return detail::part_at<Rows, Cols>(own(), X::extent[0] - Rows, 0);
}
template <class X, class Base>
template <int Rows, int Cols>
constexpr auto eigen_methods<X, Base>::bottomRightCorner() & {
  return detail::part_at<Rows, Cols>(own(), X::extent[0] - Rows, X::extent[1] - Cols);
}
template <class X, class Base>
template <int N>
constexpr auto eigen_methods<X, Base>::head() & {
  return detail::segment_at<N>(own(), 0);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::head(static_size auto const& n) & {
  return detail::segment_at<detail::size_in<decltype(n)>>(own(), 0);
}
template <class X, class Base>
template <int N>
constexpr auto eigen_methods<X, Base>::segment(index i) & {
  return detail::segment_at<N>(own(), i);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::segment(index i, static_size auto const& n) & {
  return detail::segment_at<detail::size_in<decltype(n)>>(own(), i);
}
template <class X, class Base>
template <int N>
constexpr auto eigen_methods<X, Base>::tail() & {
  return detail::segment_at<N>(own(), X::extent.size() - N);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::tail(static_size auto const& n) & {
  return detail::segment_at<detail::size_in<decltype(n)>>(own(), X::extent.size() - detail::size_in<decltype(n)>);
}

template <class X, class Base>
constexpr X& eigen_methods<X, Base>::setConstant(auto const& value) & {
  return own() = detail::filled_with<X>(self(), value);
}
template <class X, class Base>
constexpr X& eigen_methods<X, Base>::setIdentity() & {
  return own() = detail::identity_of<X>(self());
}

/// `y << a, b, ...` fills `y` from left to right, then downwards, with entries or blocks.
template <static_handle X, class V>
  requires(X::extent.rank > 0)
constexpr auto operator<<(X& y, V const& first) {
  return detail::comma_initialiser<X>(y, first);
}

ETCH_NAMESPACE_END

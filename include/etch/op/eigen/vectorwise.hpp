// Eigen's member functions that run along columns or rows, or scale them: colwise, rowwise, asDiagonal.
#pragma once

#include <etch/op/eigen/assign.hpp>
#include <etch/op/prod.hpp>
#include <etch/op/statistics.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class X, class V>
constexpr auto columns_or_rows_do_not_match() {
  static_assert(never<X, V>,
                "etch: x.colwise() takes a column with as many rows as x, and x.rowwise() a row with as many columns");
  return mistake{};
}
}  // namespace error

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

  /// `v`, which must run in the same direction and be as long.
  template <static_handle V>
  static constexpr auto matching(V const& v) {
    if constexpr (V::extent[Axis] != X::extent[Axis] || V::extent.size() != V::extent[Axis]) {
      error::columns_or_rows_do_not_match<X, V>();
      return detail::instead_of<typename X::scalar_type, X::extent>(v);
    } else {
      return v;
    }
  }
};

template <class X, int Axis, static_handle V>
constexpr auto operator+(vectorwise<X, Axis> const& x, V const& v) {
  return x.of + x.matching(v);
}
template <class X, int Axis, static_handle V>
constexpr auto operator-(vectorwise<X, Axis> const& x, V const& v) {
  return x.of - x.matching(v);
}
template <class X, int Axis, static_handle V>
constexpr auto operator*(vectorwise<X, Axis> const& x, V const& v) {
  return cwise_product(x.of, x.matching(v));
}
template <class X, int Axis, static_handle V>
constexpr auto operator/(vectorwise<X, Axis> const& x, V const& v) {
  return cwise_quotient(x.of, x.matching(v));
}

/// The diagonal matrix with these entries: its products scale rows, or columns.
template <static_handle X>
struct diagonal_matrix {
  X entries;

  template <static_handle M>
  friend constexpr auto operator*(diagonal_matrix const& d, M const& m) {
    if constexpr (M::extent[0] != X::extent.size()) {
      error::inner_dimensions_differ<diagonal_matrix, M>();
      return detail::instead_of<typename M::scalar_type, M::extent>(d.entries, m);
    } else {
      return detail::eigen_ranked(cwise_product(reshape<-1>(d.entries).matrix(), m.matrix()));
    }
  }
  template <static_handle M>
  friend constexpr auto operator*(M const& m, diagonal_matrix const& d) {
    if constexpr (M::extent[1] != X::extent.size()) {
      error::inner_dimensions_differ<M, diagonal_matrix>();
      return detail::instead_of<typename M::scalar_type, M::extent>(m, d.entries);
    } else {
      return detail::eigen_ranked(cwise_product(m.matrix(), reshape<1, -1>(d.entries).matrix()));
    }
  }
};

template <class X, class Base>
constexpr auto eigen_methods<X, Base>::colwise() const {
  return vectorwise<X, 0>{self()};
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::rowwise() const {
  return vectorwise<X, 1>{self()};
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::asDiagonal() const {
  if constexpr (!detail::is_vector<X>) error::not_a_vector<X>();
  return diagonal_matrix<X>{self()};
}

ETCH_NAMESPACE_END

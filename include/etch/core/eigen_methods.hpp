// eigen_methods: Eigen's member functions, so that one generic lambda runs on Eigen's matrices and under etch. Defined
// in op/eigen/methods.hpp, each is a free function of the library.
#pragma once

#include <etch/graph/shape.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

ETCH_NAMESPACE_BEGIN

/// A size as an object, as in Eigen: `Eigen::fix<3>`, `std::integral_constant<int, 3>{}`.
template <class N>
concept static_size = requires { typename std::integral_constant<int, N::value>; };

/// A traced value where a position is wanted.
template <class I>
concept traced_index = requires {
  typename I::scalar_type;
  I::elementwise_product;
};

/// Functions that are found by the type of their arguments alone: their names stand for
/// something else in `etch` itself.
namespace by_argument {
struct lookup {};
}  // namespace by_argument

/// The member functions of the handle `X`, on top of its base. What they return has the rank of an Eigen
/// argument: a column 1, any other matrix 2. Positions are known while the program is drawn; one out of
/// range is `error::position_out_of_range`.
template <class X, class Base = by_argument::lookup>
struct eigen_methods : Base {
  using index = std::ptrdiff_t;
  using Base::Base;
  constexpr eigen_methods() = default;
  constexpr eigen_methods(Base const& of) : Base(of) {}

  constexpr X const& self() const { return static_cast<X const&>(*this); }

  using PlainObject = X;
  constexpr X eval() const { return self(); }
  constexpr X const& derived() const { return self(); }
  constexpr auto value() const;  ///< the entry of a 1x1 matrix
  template <class T>
  constexpr auto cast() const;

  // Entry by entry. `inverse` is that of a matrix, and 1 / x on arrays.
  constexpr auto abs() const;
  constexpr auto abs2() const;
  constexpr auto acos() const;
  constexpr auto asin() const;
  constexpr auto atan() const;
  constexpr auto ceil() const;
  constexpr auto cos() const;
  constexpr auto cosh() const;
  constexpr auto cube() const;
  constexpr auto exp() const;
  constexpr auto expm1() const;
  constexpr auto floor() const;
  constexpr auto inverse() const;
  constexpr auto log() const;
  constexpr auto log10() const;
  constexpr auto log1p() const;
  constexpr auto logistic() const;
  constexpr auto round() const;
  constexpr auto rsqrt() const;
  constexpr auto sign() const;
  constexpr auto sin() const;
  constexpr auto sinh() const;
  constexpr auto sqrt() const;
  constexpr auto square() const;
  constexpr auto tan() const;
  constexpr auto tanh() const;
  constexpr auto cwiseAbs() const;
  constexpr auto cwiseAbs2() const;
  constexpr auto cwiseInverse() const;
  constexpr auto cwiseSqrt() const;
  constexpr auto cwiseMax(auto const& b) const;
  constexpr auto cwiseMin(auto const& b) const;
  constexpr auto cwiseProduct(auto const& b) const;
  constexpr auto cwiseQuotient(auto const& b) const;
  constexpr auto max(auto const& b) const;
  constexpr auto min(auto const& b) const;
  constexpr auto pow(auto const& exponent) const;
  constexpr auto select(auto const& a, auto const& b) const;  ///< of a mask

  // All entries, or those of each column or row.
  constexpr auto dot(auto const& b) const;
  constexpr auto maxCoeff() const;
  constexpr auto mean() const;
  constexpr auto minCoeff() const;
  constexpr auto norm() const;
  constexpr auto prod() const;
  constexpr auto squaredNorm() const;
  constexpr auto sum() const;
  constexpr auto colwise() const;
  constexpr auto rowwise() const;

  // Matrices.
  constexpr auto adjoint() const;
  constexpr auto asDiagonal() const;
  constexpr auto determinant() const;
  constexpr auto diagonal() const;
  constexpr auto reverse() const;
  constexpr auto trace() const;
  constexpr auto transpose() const;
  template <int Rows, int Cols>
  constexpr auto replicate() const;
  constexpr auto replicate(static_size auto const& rows, static_size auto const& cols) const;
  constexpr auto replicate(std::integral auto rows, std::integral auto cols) const;

  // Geometry (op/eigen/geometry.hpp).
  constexpr auto cross(auto const& b) const;
  constexpr auto hnormalized() const;
  constexpr auto homogeneous() const;
  template <int P>
  constexpr auto lpNorm() const;
  constexpr auto normalized() const;
  constexpr auto stableNorm() const;
  constexpr auto blueNorm() const;
  constexpr auto hypotNorm() const;

  // Systems of equations (op/eigen/solve.hpp).
  constexpr auto llt() const;
  constexpr auto ldlt() const;
  constexpr auto lu() const;
  constexpr auto partialPivLu() const;
  constexpr auto fullPivLu() const;
  constexpr auto householderQr() const;
  constexpr auto colPivHouseholderQr() const;
  constexpr auto fullPivHouseholderQr() const;
  template <unsigned Mode>
  constexpr auto triangularView() const;
  template <unsigned Mode>
  constexpr auto selfadjointView() const;

  // Functions of the user's, entry by entry, and loops over entries (op/eigen/entries.hpp).
  constexpr auto unaryExpr(auto const& f) const;
  constexpr auto binaryExpr(auto const& b, auto const& f) const;
  constexpr auto begin() const;
  constexpr auto end() const;

  // Entries; one position is enough in a vector. Of a value that has a name they can be
  // assigned to (op/eigen/assign.hpp).
  constexpr auto operator()(index i) const&;
  constexpr auto operator()(index i) &;
  constexpr auto operator()(index i, index j) const&;
  constexpr auto operator()(index i, index j) &;
  constexpr auto operator()(index i, index j, index k) const;
  constexpr auto operator()(index i, index j, index k, index l) const;
  constexpr auto operator[](index i) const&;
  constexpr auto operator[](index i) &;
  constexpr auto x() const& { return self()(0); }
  constexpr auto x() & { return own()(0); }
  constexpr auto y() const& { return self()(1); }
  constexpr auto y() & { return own()(1); }
  constexpr auto z() const& { return self()(2); }
  constexpr auto z() & { return own()(2); }
  constexpr auto w() const& { return self()(3); }
  constexpr auto w() & { return own()(3); }
  // An index that is traced is a mistake, `error::index_is_traced`.
  template <class I>
    requires traced_index<I>
  constexpr auto operator()(I const& i, auto const&... more) const;
  template <class I>
    requires traced_index<I>
  constexpr auto operator()(index, I const& i, auto const&... more) const;
  template <class I>
    requires traced_index<I>
  constexpr auto operator[](I const& i) const;

  // Parts of matrices, likewise.
  constexpr auto row(index i) const&;
  constexpr auto row(index i) &;
  constexpr auto col(index j) const&;
  constexpr auto col(index j) &;
  template <int Rows, int Cols>
  constexpr auto block(index i, index j) const&;
  template <int Rows, int Cols>
  constexpr auto block(index i, index j) &;
  constexpr auto block(index i, index j, static_size auto const& rows, static_size auto const& cols) const&;
  constexpr auto block(index i, index j, static_size auto const& rows, static_size auto const& cols) &;
  constexpr auto block(index i, index j, std::integral auto rows, std::integral auto cols) const;
  template <int Rows>
  constexpr auto topRows() const&;
  template <int Rows>
  constexpr auto topRows() &;
  template <int Rows>
  constexpr auto middleRows(index i) const&;
  template <int Rows>
  constexpr auto middleRows(index i) &;
  template <int Rows>
  constexpr auto bottomRows() const&;
  template <int Rows>
  constexpr auto bottomRows() &;
  template <int Cols>
  constexpr auto leftCols() const&;
  template <int Cols>
  constexpr auto leftCols() &;
  template <int Cols>
  constexpr auto middleCols(index j) const&;
  template <int Cols>
  constexpr auto middleCols(index j) &;
  template <int Cols>
  constexpr auto rightCols() const&;
  template <int Cols>
  constexpr auto rightCols() &;
  template <int Rows, int Cols>
  constexpr auto topLeftCorner() const&;
  template <int Rows, int Cols>
  constexpr auto topLeftCorner() &;
  template <int Rows, int Cols>
  constexpr auto topRightCorner() const&;
  template <int Rows, int Cols>
  constexpr auto topRightCorner() &;
  template <int Rows, int Cols>
  constexpr auto bottomLeftCorner() const&;
  template <int Rows, int Cols>
  constexpr auto bottomLeftCorner() &;
  template <int Rows, int Cols>
  constexpr auto bottomRightCorner() const&;
  template <int Rows, int Cols>
  constexpr auto bottomRightCorner() &;

  // Parts of vectors, likewise.
  template <int N>
  constexpr auto head() const&;
  template <int N>
  constexpr auto head() &;
  constexpr auto head(static_size auto const& n) const&;
  constexpr auto head(static_size auto const& n) &;
  constexpr auto head(std::integral auto n) const;
  template <int N>
  constexpr auto segment(index i) const&;
  template <int N>
  constexpr auto segment(index i) &;
  constexpr auto segment(index i, static_size auto const& n) const&;
  constexpr auto segment(index i, static_size auto const& n) &;
  constexpr auto segment(index i, std::integral auto n) const;
  template <int N>
  constexpr auto tail() const&;
  template <int N>
  constexpr auto tail() &;
  constexpr auto tail(static_size auto const& n) const&;
  constexpr auto tail(static_size auto const& n) &;
  constexpr auto tail(std::integral auto n) const;

  // Constants of this type (op/eigen/matrix_expr.hpp).
  static constexpr auto Zero();
  static constexpr auto Ones();
  static constexpr auto Constant(double value);
  static constexpr auto Identity();
  static constexpr auto Unit(index i);
  static constexpr auto UnitX();
  static constexpr auto UnitY();
  static constexpr auto UnitZ();
  static constexpr auto UnitW();

  // A value with a name, made another one. `y << a, b, ...` fills it row by row.
  constexpr X& noalias() & { return own(); }
  constexpr X& setZero() & { return setConstant(0); }
  constexpr X& setOnes() & { return setConstant(1); }
  constexpr X& setConstant(auto const& value) &;
  constexpr X& setIdentity() &;
  constexpr void fill(auto const& value) & { setConstant(value); }
  constexpr void normalize() & { own() = X(self().normalized()); }
  constexpr void transposeInPlace() & { own() = X(self().transpose()); }

 protected:
  constexpr X& own() { return static_cast<X&>(*this); }
};

ETCH_NAMESPACE_END

// Eigen's member functions of handles, each in one line by the free function it is. Others: the headers beside this
// one.
#pragma once

#include <etch/op/activation.hpp>
#include <etch/op/eigen/assign.hpp>
#include <etch/op/eigen/entries.hpp>
#include <etch/op/eigen/geometry.hpp>
#include <etch/op/eigen/parts.hpp>
#include <etch/op/eigen/solve.hpp>
#include <etch/op/eigen/vectorwise.hpp>
#include <etch/op/exponential.hpp>
#include <etch/op/extremum.hpp>
#include <etch/op/hyperbolic.hpp>
#include <etch/op/linear.hpp>
#include <etch/op/power.hpp>
#include <etch/op/prod.hpp>
#include <etch/op/rounding.hpp>
#include <etch/op/statistics.hpp>
#include <etch/op/linalg/triangle.hpp>
#include <etch/op/trigonometric.hpp>

ETCH_NAMESPACE_BEGIN

template <class X, class Base>
template <class T>
constexpr auto eigen_methods<X, Base>::cast() const {
  return etch::cast<T>(self());
}

template <class X, class Base>
constexpr auto eigen_methods<X, Base>::abs() const {
  return etch::abs(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::abs2() const {
  return etch::square(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::acos() const {
  return etch::acos(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::asin() const {
  return etch::asin(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::atan() const {
  return etch::atan(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::ceil() const {
  return etch::ceil(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cos() const {
  return etch::cos(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cosh() const {
  return etch::cosh(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cube() const {
  return etch::cube(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cwiseAbs() const {
  return etch::abs(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cwiseAbs2() const {
  return etch::square(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cwiseSqrt() const {
  return etch::sqrt(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::exp() const {
  return etch::exp(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::expm1() const {
  return etch::expm1(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::floor() const {
  return etch::floor(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::log() const {
  return etch::log(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::log10() const {
  return etch::log10(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::log1p() const {
  return etch::log1p(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::logistic() const {
  return etch::sigmoid(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::round() const {
  return etch::round(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::rsqrt() const {
  return etch::rsqrt(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::sign() const {
  return etch::sign(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::sin() const {
  return etch::sin(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::sinh() const {
  return etch::sinh(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::sqrt() const {
  return etch::sqrt(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::square() const {
  return etch::square(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::tan() const {
  return etch::tan(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::tanh() const {
  return etch::tanh(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cwiseInverse() const {
  return 1 / self();
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cwiseMax(auto const& b) const {
  return etch::max(self(), b);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cwiseMin(auto const& b) const {
  return etch::min(self(), b);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cwiseProduct(auto const& b) const {
  return etch::cwise_product(self(), b);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cwiseQuotient(auto const& b) const {
  return etch::cwise_quotient(self(), b);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::max(auto const& b) const {
  return etch::max(self(), b);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::min(auto const& b) const {
  return etch::min(self(), b);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::dot(auto const& b) const {
  return etch::dot(self(), b);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::pow(auto const& exponent) const {
  return etch::pow(self(), exponent);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::select(auto const& a, auto const& b) const {
  return etch::select(self(), a, b);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::maxCoeff() const {
  return etch::max(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::mean() const {
  return etch::mean(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::minCoeff() const {
  return etch::min(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::norm() const {
  return etch::norm(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::prod() const {
  return etch::prod(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::squaredNorm() const {
  return etch::squared_norm(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::sum() const {
  return etch::sum(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::determinant() const {
  return etch::det(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::diagonal() const {
  return etch::diagonal(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::reverse() const {
  return etch::reverse(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::trace() const {
  return etch::trace(self());
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::inverse() const {
  if constexpr (X::elementwise_product) return 1 / self();
  else return etch::inverse(self());
}

ETCH_NAMESPACE_END

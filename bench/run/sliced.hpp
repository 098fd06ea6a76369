// sliced: what a framework without views and without fusion does between the products of a recurrent cell, on
// Eigen: a slice is copied out, every function is a loop with a result of its own, and the adjoint of a slice is a
// matrix of the whole size, zero elsewhere.
#pragma once

#include <Eigen/Core>

namespace bench::sliced {

using matrix = Eigen::MatrixXf;
using part = Eigen::Ref<matrix const>;

/// Rows `width * gate` ... of `gates`, copied.
inline matrix slice(part const& gates, int gate, int width) { return gates.middleRows(gate * width, width); }
/// The adjoint of `slice` in a matrix of `count` gates.
inline matrix embed(part const& slice, int gate, int count) {
  matrix whole = matrix::Zero(slice.rows() * count, slice.cols());
  whole.middleRows(gate * slice.rows(), slice.rows()) = slice;
  return whole;
}

inline matrix logistic(part const& x) { return 0.5f + 0.5f * (0.5f * x.array()).tanh(); }
inline matrix tanh(part const& x) { return x.array().tanh(); }
inline matrix times(part const& a, part const& b) { return a.cwiseProduct(b); }
inline matrix plus(part const& a, part const& b) { return a + b; }
inline matrix minus(part const& a, part const& b) { return a - b; }
inline matrix one_minus(part const& x) { return 1 - x.array(); }
/// Of the operand of `logistic` or `tanh`, whose answer is `y`, from the answer's adjoint `g`.
inline matrix logistic_back(part const& g, part const& y) { return g.array() * y.array() * (1 - y.array()); }
inline matrix tanh_back(part const& g, part const& y) { return g.array() * (1 - y.array().square()); }

}  // namespace bench::sliced

// Scalars of a tape as the numbers of Eigen's matrices: of any size, also decided at run time,
// and with all of Eigen's algorithms.
#pragma once

#include <etch/tape/var.hpp>

#include <Eigen/Core>

namespace Eigen {

template <etch::scalar T>
struct NumTraits<etch::var<T>> : NumTraits<T> {
  using Real = etch::var<T>;
  using NonInteger = etch::var<T>;
  using Nested = etch::var<T>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 4,
    MulCost = 4
  };
};

// Entry by entry numbers and variables meet; a product of matrices wants both of variables:
// `a.cast<etch::var<double>>()`.
template <etch::scalar T, class Op>
struct ScalarBinaryOpTraits<etch::var<T>, T, Op> {
  using ReturnType = etch::var<T>;
};
template <etch::scalar T, class Op>
struct ScalarBinaryOpTraits<T, etch::var<T>, Op> {
  using ReturnType = etch::var<T>;
};

}  // namespace Eigen

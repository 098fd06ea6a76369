// The chain in memory, shared by both rivals: z <- x z again and again, the sum of the squares of what
// comes out, and its gradient in x.
#pragma once

#include <etch/core/tensor.hpp>

namespace large_chain {

template <int D>
using matrix = etch::tensor<double, D, D>;

/// A rival: computes value and gradient. Each keeps its own buffers, which it has not touched before it runs.
template <int D>
struct rival {
  char const* name;
  double (*run)(matrix<D> const& x, matrix<D> const& z, matrix<D>& gradient);
  double flops;  ///< of one call, counted alike for all
};

/// Two products a step on the way there and back, and the gradient's; the first step back needs no adjoint.
constexpr double flops(double d, double steps) { return 2 * d * d * d * (3 * steps - 1); }

template <int D, int Steps>
rival<D> etch_rival();
template <int D, int Steps>
rival<D> hand_rival();
template <int D, int Steps>
rival<D> tape_rival();

/// The workspace of etch's program where the loss is the sum of what comes out, whose gradient
/// needs products by vectors only.
template <int D, int Steps>
long long workspace_of_sum();

/// An instance whose values neither grow nor vanish: the largest eigenvalue of x is about 1.
template <int D>
void fill(matrix<D>& x, matrix<D>& z);

/// Largest difference, relative to the largest entry.
template <int D>
double disagreement(matrix<D> const& a, matrix<D> const& b);

}  // namespace large_chain

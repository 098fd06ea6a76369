// The network whose derivatives by its input are compared.
#pragma once

#include <etch/core/members.hpp>
#include <etch/nn/dense.hpp>

namespace laplacian_problem {

inline constexpr int inputs = 2, hidden = 64;

template <class T>
struct network {
  etch::nn::dense<T, inputs, hidden> first;
  etch::nn::dense<T, hidden, hidden> second;
  etch::nn::dense<T, hidden, 1> last;
  ETCH_MEMBERS(network, first, second, last)

  constexpr auto operator()(auto const& x) const { return last(tanh(second(tanh(first(x))))); }
};

}  // namespace laplacian_problem

// CppAD: its sparse Hessian, with the pattern, the colours and an optimised tape of the first call.
#include "problem.hpp"

#include <cppad/cppad.hpp>

#include <vector>

namespace chain_of_valleys {

namespace {

using numbers = std::vector<double>;
using indices = std::vector<std::size_t>;
constexpr std::size_t n = variables;

struct recorded {
  CppAD::ADFun<double> chain;
  CppAD::sparse_rc<indices> pattern;
  CppAD::sparse_rcv<indices, numbers> lower;  ///< triangle, by columns
  CppAD::sparse_hes_work colours;
  std::vector<int> place;  ///< of entries of the Hessian among those of the triangle

  explicit recorded(double const* at) {
    std::vector<CppAD::AD<double>> x(at, at + n), y(1);
    CppAD::Independent(x);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      auto const bend = x[i + 1] - x[i] * x[i], rest = 1 - x[i];
      y[0] += 100 * bend * bend + rest * rest;
    }
    chain.Dependent(x, y);
    chain.optimize();
    chain.for_hes_sparsity(std::vector<bool>(n, true), {true}, false, pattern);
    CppAD::sparse_rc<indices> triangle(n, n, 2 * n - 1);
    for (std::size_t j = 0, k = 0; j < n; ++j) {
      triangle.set(k++, j, j);
      if (j + 1 < n) triangle.set(k++, j + 1, j);
    }
    lower = CppAD::sparse_rcv<indices, numbers>(triangle);
    for (int j = 0; j < variables; ++j)
      for (int k = j > 0 ? 2 * j - 1 : 0; k <= 2 * j + 1 && k < 2 * variables - 1; ++k) place.push_back(k);
  }
};

}  // namespace

rival const here{"cppad", [](data const& in, auto& d) {
                   static recorded kept(in.data());
                   static numbers x(n), gradient;
                   static double entries[nonzeros];
                   x.assign(in.data(), in.data() + n);
                   double const value = kept.chain.Forward(0, x)[0];
                   gradient = kept.chain.Reverse(1, numbers{1});
                   kept.chain.sparse_hes(x, numbers{1}, kept.lower, kept.pattern, "cppad.symmetric", kept.colours);
                   for (std::size_t k = 0; k < nonzeros; ++k)
                     entries[k] = kept.lower.val()[static_cast<std::size_t>(kept.place[k])];
                   d = {gradient.data(), entries};
                   return value;
                 }};

}  // namespace chain_of_valleys

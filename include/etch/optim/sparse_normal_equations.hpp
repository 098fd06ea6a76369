// sparse_normal_equations: J^T J step = -J^T r, damped, for a sparse J whose structure never changes.
#pragma once

#include <etch/base/namespace.hpp>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <algorithm>
#include <limits>
#include <vector>

ETCH_NAMESPACE_BEGIN
namespace optim {
namespace detail {

/// Eigen's sparse L D L^T for matrices in the order that they have: its own `factorize` copies the matrix on the heap.
template <class T>
class sparse_factor : public Eigen::SimplicialLDLT<Eigen::SparseMatrix<T>, Eigen::Upper, Eigen::NaturalOrdering<int>> {
  using base = Eigen::SimplicialLDLT<Eigen::SparseMatrix<T>, Eigen::Upper, Eigen::NaturalOrdering<int>>;

 public:
  void factorize_in_place(Eigen::SparseMatrix<T> const& a) { base::template factorize_preordered<true>(a); }
};

/// The damped normal equations (J^T J + damping D) step = -J^T r, where D is the diagonal of J^T J. A number that
/// influences no residual stays as it is.
template <class T>
class sparse_normal_equations {
  using matrix = Eigen::SparseMatrix<T>;
  using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

  /// An entry of J^T J has the product of two entries of J among its terms.
  struct term {
    int to, a, b;
  };

  std::vector<int> place_;     // of each unknown, in the order of elimination
  std::vector<term> terms_;    // of J^T J
  std::vector<int> diagonal_;  // the entries of `normal_` on it
  matrix normal_, damped_;     // J^T J above the diagonal, in the order of elimination
  sparse_factor<T> factor_;
  vector gradient_, step_, right_, solution_;
  T predicted_ = 0;

  /// The order in which little is filled in: that of the least degree (P. Amestoy, T. Davis, I. Duff, An approximate
  /// minimum degree ordering algorithm, 1996).
  void find_order(matrix const& j) {
    matrix ones = j;
    for (Eigen::Index k = 0; k < ones.nonZeros(); ++k) ones.valuePtr()[k] = 1;
    matrix const all = ones.transpose() * ones;
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(all.template selfadjointView<Eigen::Upper>(), order);
    place_.resize(static_cast<std::size_t>(j.cols()));
    for (int i = 0; i < j.cols(); ++i) place_[static_cast<std::size_t>(order.indices()(i))] = i;
  }

  void find_structure(matrix const& j) {
    struct entry {
      int column, at;  // in the order of elimination; among the entries of J
    };
    std::vector<std::vector<entry>> rows(static_cast<std::size_t>(j.rows()));
    for (int column = 0; column < j.cols(); ++column)
      for (int at = j.outerIndexPtr()[column]; at < j.outerIndexPtr()[column + 1]; ++at)
        rows[static_cast<std::size_t>(j.innerIndexPtr()[at])].push_back({place_[static_cast<std::size_t>(column)], at});
    std::vector<Eigen::Triplet<T>> entries;
    for (int i = 0; i < j.cols(); ++i) entries.emplace_back(i, i, T(0));
    auto const for_each_pair = [&](auto const& f) {
      for (auto const& row : rows)
        for (entry const& a : row)
          for (entry const& b : row)
            if (a.column <= b.column) f(a, b);
    };
    for_each_pair([&](entry const& a, entry const& b) { entries.emplace_back(a.column, b.column, T(0)); });
    normal_.resize(j.cols(), j.cols());
    normal_.setFromTriplets(entries.begin(), entries.end());
    auto const place_of = [&](int row, int column) {
      int const* const inner = normal_.innerIndexPtr();
      int const *const first = inner + normal_.outerIndexPtr()[column], *const last =
                                                                            inner + normal_.outerIndexPtr()[column + 1];
      return static_cast<int>(std::lower_bound(first, last, row) - inner);
    };
    for_each_pair(
        [&](entry const& a, entry const& b) { terms_.push_back({place_of(a.column, b.column), a.at, b.at}); });
    for (int i = 0; i < j.cols(); ++i) diagonal_.push_back(place_of(i, i));
  }

 public:
  /// For Jacobians of the structure that `j` has.
  explicit sparse_normal_equations(matrix const& j)
      : gradient_(j.cols()), step_(j.cols()), right_(j.cols()), solution_(j.cols()) {
    find_order(j);
    find_structure(j);
    damped_ = normal_;
    for (int at : diagonal_) damped_.valuePtr()[at] = 1;
    factor_.analyzePattern(damped_);
    factor_.factorize_in_place(damped_);  // which allocates once
  }

  /// Takes the Jacobian and the residuals of a new place.
  void set(matrix const& j, T const* residuals) {
    T const* const entries = j.valuePtr();
    T* const sums = normal_.valuePtr();
    std::fill_n(sums, normal_.nonZeros(), T(0));
    for (term const& each : terms_) sums[each.to] += entries[each.a] * entries[each.b];
    for (int column = 0; column < j.cols(); ++column) {
      T sum = 0;
      for (int at = j.outerIndexPtr()[column]; at < j.outerIndexPtr()[column + 1]; ++at)
        sum += entries[at] * residuals[j.innerIndexPtr()[at]];
      gradient_(column) = sum;
    }
  }

  /// Solves for the step; it is NaN where the matrix has no factors.
  void solve(T damping) {
    std::copy_n(normal_.valuePtr(), normal_.nonZeros(), damped_.valuePtr());
    auto const size_of = [&](std::size_t i) {  // of a number in the order of elimination
      T const square = normal_.valuePtr()[diagonal_[i]];
      return square > 0 ? square : T(1);
    };
    for (std::size_t i = 0; i < diagonal_.size(); ++i) {
      T& entry = damped_.valuePtr()[diagonal_[i]];
      entry += damping * size_of(i) + (entry > 0 ? T(0) : T(1));
    }
    factor_.factorize_in_place(damped_);
    for (std::size_t i = 0; i < place_.size(); ++i) right_(place_[i]) = -gradient_(static_cast<Eigen::Index>(i));
    if (factor_.info() == Eigen::Success) solution_ = factor_.solve(right_);
    else solution_.setConstant(std::numeric_limits<T>::quiet_NaN());
    predicted_ = 0;
    for (std::size_t i = 0; i < place_.size(); ++i) {
      auto const at = static_cast<std::size_t>(place_[i]);
      T const s = solution_(place_[i]);
      step_(static_cast<Eigen::Index>(i)) = s;
      predicted_ += T(0.5) * s * (damping * size_of(at) * s - gradient_(static_cast<Eigen::Index>(i)));
    }
  }

  vector const& gradient() const { return gradient_; }  ///< J^T r
  vector const& step() const { return step_; }
  /// The decrease of half the squared norm that the step leads to where residuals are linear.
  double predicted() const { return static_cast<double>(predicted_); }
};

}  // namespace detail
}  // namespace optim
ETCH_NAMESPACE_END

// The same gradient by hand: what every step leaves is kept, and on the way back each adjoint is written over what was
// kept of the step before, once that has been read. No backward pass that keeps all steps takes less memory.
#include "large.hpp"

#include <cstdlib>

namespace large_chain {

template <int D, int Steps>
rival<D> hand_rival() {
  return {"by hand",
          [](matrix<D> const& at_x, matrix<D> const& at_z, matrix<D>& at_g) {
            // Fresh pages, as in a static array: beside the static memory of the other rival
            // that would be more than 2 GiB.
            static auto* const memory = static_cast<double*>(std::aligned_alloc(64, sizeof(matrix<D>) * Steps));
            using in_place =
                Eigen::Map<Eigen::MatrixXd, Eigen::Aligned64>;  // Eigen has no fixed sizes as large as these
            using given = Eigen::Map<Eigen::MatrixXd const, Eigen::Aligned64>;
            auto const kept = [](int n) { return in_place(memory + std::ptrdiff_t{n} * D * D, D, D); };
            given const x(at_x.data(), D, D), z(at_z.data(), D, D);
            in_place g(at_g.data(), D, D);

            kept(0).noalias() = x * z;
            for (int n = 1; n < Steps; ++n) kept(n).noalias() = x * kept(n - 1);
            double const value = kept(Steps - 1).squaredNorm();
            kept(Steps - 1) *= 2;
            g.setZero();
            for (int n = Steps - 1; n > 0; --n) {
              g.noalias() += kept(n) * kept(n - 1).transpose();
              kept(n - 1).noalias() = x.transpose() * kept(n);
            }
            g.noalias() += kept(0) * z.transpose();
            return value;
          },
          flops(D, Steps)};
}

template rival<1000> hand_rival<1000, 25>();
template rival<1000> hand_rival<1000, 50>();
template rival<1000> hand_rival<1000, 100>();

}  // namespace large_chain

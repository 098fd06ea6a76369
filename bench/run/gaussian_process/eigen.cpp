// The closed form with Eigen's factor.
#include <Eigen/Cholesky>

#include "closed_form.hpp"

namespace gaussian_process {

rival const here{"eigen", [](data const& d, gradient& g) {
                   return by_closed_form(
                       d, g,
                       [](matrix& k) {
                         auto in_place = k.matrix();
                         Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> const factor(in_place);
                       },
                       [](matrix& k) {
                         static Eigen::MatrixXd inverse(points, points);
                         inverse.setIdentity();
                         auto const factor = k.matrix().template triangularView<Eigen::Lower>();
                         factor.solveInPlace(inverse);
                         factor.adjoint().solveInPlace(inverse);
                         k.matrix() = inverse;
                       });
                 }};

}  // namespace gaussian_process

// Sums over a hundred thousand floats: of squares, and of angles.
#include "../../../bench/run/sum_atan2/loss.hpp"
#include "../../../bench/run/sum_squares/loss.hpp"

namespace sums_model {

using vector_type = etch::tensor<float, 100'352>;

constinit auto squares = etch::compile(sum_squares_problem::loss, vector_type{});
constinit auto angles = etch::compile(sum_atan2_problem::loss, vector_type{});
constinit auto value_of_squares = etch::compile<etch::wrt<>>(sum_squares_problem::loss, vector_type{});
constinit auto value_of_angles = etch::compile<etch::wrt<>>(sum_atan2_problem::loss, vector_type{});

float gradient(vector_type const& x, vector_type& to) {
  return squares(x, etch::into(to)) + angles(x, etch::add_to(to));
}
float primal(vector_type const& x) { return value_of_squares(x) + value_of_angles(x); }

}  // namespace sums_model

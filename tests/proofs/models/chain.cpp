// z <- x z, eight times, then the sum of squares: products of products, some with a transposed operand.
#include <etch/etch.hpp>

namespace chain_model {

using matrix_type = etch::tensor<double, 200, 200>;

constinit auto step = etch::compile(
    [](auto x) {
      auto z = x;
      for (int i = 0; i < 8; ++i) z = x * z;
      return sum(square(z));
    },
    matrix_type{});

double gradient(matrix_type const& x, matrix_type& to) { return step(x, etch::into(to)); }

}  // namespace chain_model

#include "same_program.hpp"

#include <etch/op/elementwise.hpp>

namespace {

/// The loss of same_program.cpp, written by somebody else.
struct energy {
  template <class State, class Shift>
  constexpr auto operator()(State const& state, Shift const& shift) const {
    auto const bounded = sin(state);
    [[maybe_unused]] auto const forgotten = sum(bounded * state);
    auto const positive = exp(state + shift);
    auto total = sum(cwise_product(positive, bounded));
    total += mean(square(positive));
    return total;
  }
};

/// Another function than that of the same name in same_program.cpp.
struct own {
  static void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 10 * x[i];
  }
};

}  // namespace

same_program_test::kernel_result same_program_test::kernels_elsewhere() { return with_kernels<own>(); }

same_program_test::result same_program_test::elsewhere(matrix_type const& x, vector_type const& b) {
  auto step = etch::compile(energy{}, x, b);
  double const value = step(x, b);
  return {address_of(step), value, step.grad<0>()};
}

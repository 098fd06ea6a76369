// The two units of the identity tests share this: types and the look of a program's machine code, not the losses.
#pragma once

#include <etch/transform/kernel.hpp>

namespace same_program_test {

using matrix_type = etch::tensor<double, 6, 6>;
using vector_type = etch::tensor<double, 6>;

/// Where a program's function lies: one address for one symbol.
using address = etch::status (*)(std::byte const* const*, std::byte* const*, std::byte*, etch::run::leaf_namer);
template <class Program>
address address_of(Program const&) {
  return &Program::executable::template run<false>;
}

struct result {
  address function;
  double value;
  matrix_type gradient;
};

/// The loss of the other unit, at `x` and `b`.
result elsewhere(matrix_type const& x, vector_type const& b);

/// A function of the user's that both units know.
struct halved {
  static void forward(std::span<double const> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] / 2;
  }
};
/// Where the program lies that calls `halved`, and the one that calls `own`, which each unit has for itself; and what
/// that makes of ones.
struct kernel_result {
  address shared, own;
  double value;
};
template <class Own>
kernel_result with_kernels() {
  auto shared = etch::compile<etch::wrt<>>([](auto x) { return sum(etch::kernel<halved>(x)); }, vector_type{});
  auto own = etch::compile<etch::wrt<>>([](auto x) { return sum(etch::kernel<Own>(x)); }, vector_type{});
  vector_type ones;
  ones.fill(1);
  return {address_of(shared), address_of(own), own(ones)};
}
/// Those of the other unit.
kernel_result kernels_elsewhere();

}  // namespace same_program_test

// What the two units of the identity tests share: types and the look of a program's machine code, not the losses.
#pragma once

#include <etch/compile/program.hpp>

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

}  // namespace same_program_test

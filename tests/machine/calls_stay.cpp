// Calls of programs stay, whatever compilers find out about functions: see `work_on_memory`.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

constexpr auto volume = [](auto a) { return det(a); };

/// The Hessian in the function of its own that several callers leave.
template <int>
[[gnu::noinline]] double entries_of_hessian(tensor<double, 2, 2> const& a) {
  auto const h = hessian(volume)(a);
  return h(0, 3) - 10 * h(1, 2);
}

}  // namespace

TEST_CASE("a program without arguments that count, called from several places") {
  tensor<double, 2, 2> const a{1, 2, 2, 4};
  CHECK(entries_of_hessian<0>(a) == 11);
  CHECK(entries_of_hessian<1>(a) == 11);
}

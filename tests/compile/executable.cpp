// Programs of odd structure, run on real memory: each must give what its graph says, overwriting,
// accumulating, and by `value_and_grad`.
#include <etch/compile/executable.hpp>

#include "laws/agree.hpp"

using namespace etch;
using laws::check_agreement;
using laws::randomise;

namespace {

template <class A>
A random(std::uint64_t seed) {
  A a;
  randomise(a, 0.5, 1.5, seed);
  return a;
}

using square_matrix = tensor<double, 5, 5>;

}  // namespace

TEST_CASE("outputs that are arguments, views of views, and constants") {
  auto const m = random<tensor<float, 3, 7>>(1);
  auto const itself = compile<wrt<>>([](auto x) { return x; }, m)(m);
  auto const turned = compile<wrt<>>([](auto x) { return transpose(x); }, m)(m);
  auto const twice = compile<wrt<>>([](auto x) { return transpose(transpose(x) + expr<float, 7, 3>(1)); }, m)(m);
  CHECK(itself == m);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 7; ++j) {
      CHECK(turned(j, i) == m(i, j));
      CHECK(twice(i, j) == m(i, j) + 1);
    }
  CHECK(compile<wrt<>>([](auto) { return expr<float, 3, 2>(7); }, m)(m) == tensor<float, 3, 2>{7, 7, 7, 7, 7, 7});
  CHECK(compile<wrt<>>([](auto) { return 3.5; }, m)(m) == 3.5);
}

TEST_CASE("gradients that are arguments, constants, one another, or each other's transposes") {
  auto const a = random<square_matrix>(1), b = random<square_matrix>(2);
  check_agreement<wrt<0, 1>>(1e-13, [](auto x, auto y) { return sum(cwise_product(x, transpose(y))); }, a, b);
  check_agreement<wrt<0, 1>>(1e-13, [](auto x, auto y) { return sum(transpose(transpose(x) - y)); }, a, b);
  check_agreement<wrt<0, 1>>(1e-13, [](auto x, auto y) { return sum(x * y) + sum(y * transpose(x)); }, a, a);
  check_agreement<wrt<1, 0>>(1e-13, [](auto x, auto y) { return sum(transpose(x) * x * y); }, a, b);
  check_agreement<wrt<0>>(1e-13, [](auto x) { return sum(x) * 0 + 1; }, a);
}

#include <etch/op/roll.hpp>

#include "op/everywhere.hpp"

using namespace everywhere;

namespace {

/// `x` rolled along `Axis` in a program, against the definition.
template <int Axis, int Shift, class X>
void check_roll(X const& x) {
  CAPTURE(Shift);
  auto program = compile<wrt<>>([](auto a) { return roll<Axis, Shift>(a); }, x);
  auto const& y = program(x);
  std::array const n{3, 5};
  int const length = n[static_cast<std::size_t>(Axis)];
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j) {
      int const to = (((Axis == 0 ? i : j) + Shift) % length + length) % length;
      CHECK((Axis == 0 ? y(to, j) : y(i, to)) == x(i, j));
    }
}

}  // namespace

TEST_CASE("entries move towards higher indices, and around the end") {
  auto const x = sample<3, 5>();
  check_roll<0, 1>(x);
  check_roll<1, -2>(x);
  check_roll<1, 12>(x);
  check_roll<0, -3>(x);
  CHECK(value_and_grad([](auto a) { return sum(roll<0, 7>(a)); })(tensor<double, 1>(2.0)).value == 2);
}

TEST_CASE("in a program, on a tape and in constant evaluation, to second order") {
  check([] { return std::tuple{sample<5>(1), sample<3, 5>(2)}; },
        [](auto v, auto m) {
          return sum(cwise_product(exp(roll<0, 2>(v)), v)) + sum(sin(roll<1, -1>(m) * v)) +
                 sum(tanh(roll<0, -1>(m) * v));
        });
}

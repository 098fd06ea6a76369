// Structs as slices, outputs and carries of scan.
#include "transform/struct_loops.hpp"

using namespace struct_loops;

TEST_CASE_TEMPLATE("a struct of series goes in, a struct goes on, a struct of series comes out", T, float, double) {
  arguments<T> const a;
  check_everywhere<T>(driven<keep_all_t>, unrolled, a.start, a.told, a.w);
  check_everywhere<T>(driven<keep_carries_t>, unrolled, a.start, a.told, a.w);
  check_everywhere<T>(driven<keep_every_t<2>>, unrolled, a.start, a.told, a.w);
}

TEST_CASE("as a constant, as a block of a tape, and by one member") {
  arguments<double> const a;
  auto const expected = value_and_grad<wrt<0, 1, 2>>(unrolled)(a.start, a.told, a.w);
  constexpr auto constant = [] {
    vehicle<double> const start{{0.25, -0.5}, 0.5};
    commands<double, 5> told{};
    for (int t = 0; t < 5; ++t) told.force(0, t) = 0.125 * t, told.force(1, t) = -0.25, told.turn(t) = 0.5 - 0.25 * t;
    return value_and_grad(driven<keep_all_t>)(start, told, tensor<double, 2>{0.5, 0.75}).value -
           value_and_grad(unrolled)(start, told, tensor<double, 2>{0.5, 0.75}).value;
  }();
  static_assert(constant < 1e-14 && constant > -1e-14);

  tape<double> t;
  auto const start = t.watch(a.start);
  auto const told = t.watch(a.told);
  auto const w = t.watch(a.w);
  var<double> const applied = t.apply(driven<keep_all_t>, start, told, w);
  CHECK(t.backward(applied) == doctest::Approx(expected.value));
  check_leaves<double>(t.grad(told), std::get<1>(expected.grad));
  check_leaves<double>(t.grad(w), std::get<2>(expected.grad));

  static auto step = compile<wrt_members<1, "turn">>(driven<keep_all_t>, a.start, a.told, a.w);
  CHECK(step(a.start, a.told, a.w) == doctest::Approx(expected.value));
  CHECK(same::distance(step.grad<0>(), std::get<1>(expected.grad).turn) < 1e-12);
}

#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <class Program, class... X>
concept callable = requires(Program p, X... x) {
  { p(x...) } -> std::same_as<typename Program::value_type>;
};

}  // namespace

TEST_CASE("calls that fit are taken as before, and arguments are converted") {
  auto step = compile([](auto x, auto w) { return x * sum(w); }, 1.0, tensor<double, 2>{});
  tensor<double, 2> const w{3, 4};
  CHECK(step(2.0, w) == 14);
  CHECK(step(2, w) == 14);
  CHECK(step(2.0f, w) == 14);
  CHECK(step.grad<0>() == 7);
  double g = 1;
  CHECK(step(2, w, into(g)) == 14);
  CHECK(g == 7);
  CHECK(step(2, w, add_to(g)) == 14);
  CHECK(g == 14);
}

TEST_CASE("which calls fit is decided by the types of the arguments alone") {
  using program_type = decltype(compile([](auto x, auto w) { return x * sum(w); }, 1.0, tensor<double, 2>{}));
  static_assert(callable<program_type, int, tensor<double, 2>>);
  using own = std::type_identity<std::tuple<double, tensor<double, 2>>>;
  using detail::accepts;
  static_assert(accepts(own{}, std::type_identity<std::tuple<int, tensor<double, 2>>>{}));
  static_assert(
      accepts(own{}, std::type_identity<std::tuple<int, tensor<double, 2>, detail::destination<false, float>>>{}));
  static_assert(!accepts(own{}, std::type_identity<std::tuple<int>>{}));
  static_assert(!accepts(own{}, std::type_identity<std::tuple<int, tensor<double, 3>>>{}));
  static_assert(!accepts(own{}, std::type_identity<std::tuple<int, tensor<double, 2>, int>>{}));
  static_assert(!accepts(own{}, std::type_identity<std::tuple<>>{}));
}

TEST_CASE("what says that a call is a mistake takes no memory") {
  struct holder : detail::mistaken_call<wrt<0>, double> {
    alignas(64) std::byte bytes[64];
  };
  static_assert(sizeof(holder) == 64);
}

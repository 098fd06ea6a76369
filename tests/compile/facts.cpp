#include <etch/compile/facts.hpp>

#include <etch/compile/program.hpp>
#include <etch/transform/scan.hpp>

#include <doctest/doctest.h>

using namespace etch;

// Every computed value but the outputs: the product, its tanh and the square, in whole
// cache lines; the sum is the output.
static_assert([] {
  graph g;
  term const x = input(g, element::f32, make_shape(3, 4), 0), w = input(g, element::f32, make_shape(5, 3), 1);
  g.outputs = {emit<op::sum>(op::reduction::whole, square(tanh(matmul(w, x)))).id};
  return pass::count_unplanned_bytes(g).all;
}() == 3 * 128);

TEST_CASE("a program's facts are those of its graph") {
  using program_type = decltype(compile([](auto x) { return sum(square(x)); }, tensor<float, 10>{}));
  // x², its sum, 2 x.
  CHECK(program_type::facts.flops == 30);
  CHECK(program_type::facts.workspace_bytes == 0);
  CHECK(program_type::facts.live_lower_bound_bytes == 0);
  CHECK(program_type::facts.unplanned_bytes == 64);  // x²
  CHECK(program_type::facts.saved == 0);
  CHECK(program_type::facts.saved_bytes == 0);
  CHECK(program_type::facts.allocations == 0);
  CHECK(program_type::facts.nodes == 5);
}

TEST_CASE("on a tape every step of a loop would keep its own values") {
  using matrix = tensor<double, 4, 4>;
  constexpr auto products = []<int Steps>(std::integral_constant<int, Steps>) {
    constexpr auto loss = [](auto x, auto z) { return sum(repeat<Steps>([&](auto c) { return x * c; }, z)); };
    return decltype(compile<wrt<>>(loss, matrix{}, matrix{}))::facts.unplanned_bytes;
  };
  CHECK(products(std::integral_constant<int, 1>{}) == 128);
  CHECK(products(std::integral_constant<int, 6>{}) == 6 * 128);
}

TEST_CASE("a program says its size and how it is compiled") {
  using matrix = tensor<float, 64, 64>;
  using program_type = decltype(compile([](auto x) { return sum(square(tanh(x * x))); }, matrix{}));
  static_assert(program_type::facts.object_bytes == sizeof(program_type));
  static_assert(program_type::facts.object_bytes >=
                program_type::facts.workspace_bytes + static_cast<std::int64_t>(sizeof(matrix)));
#if defined(EIGEN_DONT_VECTORIZE)
  CHECK(program_type::facts.register_bytes == 0);
#else
  CHECK(program_type::facts.register_bytes == (dispatches ? 64 : sizeof(Eigen::internal::packet_traits<float>::type)));
#endif
#if defined(__OPTIMIZE__)
  CHECK(program_type::facts.optimised);
#else
  CHECK(!program_type::facts.optimised);
#endif
}

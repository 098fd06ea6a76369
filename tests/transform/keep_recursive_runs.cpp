// How often the steps of loops that keep few carries run; and such loops in constants, on tapes, in blocks and maps.
#include "transform/few_carries.hpp"

using namespace etch;
using namespace few_carries;
using namespace same;

namespace {

template <class Keep>
constexpr auto horner(Keep) {
  return [](auto a, auto c, auto xs) { return scan([&](auto sum, auto x) { return sum * a + x; }, c, xs, Keep{}); };
}

int steps_run = 0;
/// The sine, which counts how often it is asked for.
struct counted_sine {
  static void forward(std::span<double const> x, std::span<double> y) {
    ++steps_run;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = std::sin(x[i]);
  }
  static void backward(std::span<double const> u, std::span<double const>, std::span<double const> x,
                       std::span<double> gx) {
    for (std::size_t i = 0; i < gx.size(); ++i) gx[i] = u[i] * std::cos(x[i]);
  }
};
template <class Keep>
constexpr auto counted(Keep) {
  return
      [](auto x) { return sum(repeat<100>([](auto c) { return 1.1 * kernel<counted_sine>(square(c)); }, x, Keep{})); };
}
/// How often the sine is asked for, less the number of steps.
template <class Keep>
int more_runs(Keep keep) {
  using vector = tensor<double, 2>;
  auto program = compile<wrt<0>>(counted(keep), vector{});
  auto all = compile<wrt<0>>(counted(keep_all), vector{});
  vector const x{0.7, 1.2};
  all(x);
  steps_run = 0;
  program(x);
  CHECK(program.template grad<0>() == all.template grad<0>());
  return steps_run - 100;
}

}  // namespace

TEST_CASE("a step runs as often as the closed formula says") {
  // The step's own values are computed a second time on the way back: the sine is read there by nobody.
  int const own = more_runs(keep_carries);
  for (int more : {more_runs(keep_recursive<16>) - own - static_cast<int>(etch::detail::steps_run_again(100, 1)),
                   more_runs(keep_recursive<4 * 16>) - own - static_cast<int>(etch::detail::steps_run_again(100, 4)),
                   more_runs(keep_recursive<9 * 16>) - own - static_cast<int>(etch::detail::steps_run_again(100, 9)),
                   more_runs(keep_recursive<99 * 16>) - own})
    CHECK(more == 0);
}

TEST_CASE("in constants, on a tape, which keeps everything, and in a block on it") {
  constexpr auto early = value_and_grad<wrt<0, 1, 2>>(horner(keep_recursive<8>))(2.0, 1.0, tensor<double, 3>{1, 2, 3});
  static_assert(early.value == 19);
  static_assert(std::get<0>(early.grad) == 18 && std::get<1>(early.grad) == 8);
  static_assert(std::get<2>(early.grad) == tensor<double, 3>{4, 2, 1});
  tape<double> t;
  auto const a = t.watch(2.0);
  auto const c = t.watch(1.0);
  auto const xs = t.watch(tensor<double, 3>{1, 2, 3});
  auto const y = horner(keep_recursive<8>)(a, c, xs);
  t.backward(y);
  CHECK(t.grad(a) == 18);
  CHECK(t.grad(xs) == tensor<double, 3>{4, 2, 1});
  tape<double> in_blocks;
  auto const b = in_blocks.watch(2.0);
  auto const d = in_blocks.watch(1.0);
  auto const ys = in_blocks.watch(tensor<double, 3>{1, 2, 3});
  in_blocks.backward(in_blocks.apply(horner(keep_recursive<8>), b, d, ys));
  CHECK(in_blocks.grad(b) == 18);
  CHECK(in_blocks.grad(ys) == tensor<double, 3>{4, 2, 1});
}

TEST_CASE("at every point of a map") {
  constexpr auto each = []<class Keep>(Keep) {
    return [](auto w, auto xs) {
      return sum_map(
          [&](auto x) {
            auto const h = repeat<12>([&](auto c) { return tanh(w * c + x); }, x, Keep{});
            return sum(square(h));
          },
          xs);
    };
  };
  matrix_type const w = filled_with<matrix_type>(8);
  series<19> const xs = filled_with<series<19>>(9);
  check_same(both, each(keep_recursive<2 * 3 * 8>), each(keep_all), w, xs);
}

#include <etch/compile/sweep_parts.hpp>

#include <etch/compile/trace.hpp>
#include <etch/op/ops.hpp>
#include <etch/transform/scan.hpp>

#include "core/identical.hpp"

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// What the way back asks of a loss `F` of two vectors.
template <class F>
struct program {
  static constexpr auto simplified = freeze([] { return pass::trace<F, tensor<double, 3>, tensor<double, 3>>(F{}); });
  struct leaves {
    sequence<int> nodes;
  };
  static constexpr leaves wanted() { return {{0, 1}}; }
  static constexpr bool is_precise = true;  // which every part knows
  static constexpr int size = static_cast<int>(simplified.nodes.size());
};
/// A value that is read twice, in a branch that is not always taken.
struct branches_of {
  constexpr auto operator()(auto x, auto y) const {
    auto const chosen = select(x > 0.0, log(x), cwise_product(x, y));
    return sum(cwise_product(cwise_product(chosen, tanh(x + chosen)), y));
  }
};
/// A loop, with something before it and behind.
struct loop_of {
  constexpr auto operator()(auto x, auto y) const {
    auto const last = repeat<4>([=](auto carry) { return tanh(cwise_product(carry, y) + x); }, sin(x));
    return sum(cwise_product(last, y));
  }
};
using branches = program<branches_of>;
using loop = program<loop_of>;

template <class Program, int Nodes>
constexpr auto in_parts = freeze<Program::simplified>([] {
  using last = etch::detail::sweep_part<Program, Nodes, (Program::size - 1) / Nodes>;
  return pass::end_sweep(Program::simplified, last::before(), Program::wanted().nodes);
});
template <class Program>
constexpr auto at_once = freeze<Program::simplified>(
    [] { return pass::differentiate(Program::simplified, Program::wanted().nodes, Program::is_precise); });

}  // namespace

static_assert(branches::size > 8 && loop::size > 4 && loop::simplified.pool.size() > 0);
static_assert(graphs::identical(in_parts<branches, 1>, at_once<branches>));
static_assert(graphs::identical(in_parts<branches, 3>, at_once<branches>));
static_assert(graphs::identical(in_parts<branches, branches::size>, at_once<branches>));
static_assert(graphs::identical(in_parts<loop, 1>, at_once<loop>));
static_assert(graphs::identical(in_parts<loop, 2>, at_once<loop>));

TEST_CASE("a paused sweep that does not fit its room says so, and is kept in one that it fits") {
  constexpr auto half = [] {
    return pass::sweep_on(branches::simplified, pass::begin_sweep(branches::simplified, branches::is_precise),
                          branches::wanted().nodes, branches::size / 2);
  };
  pass::paused_sweep const s = half();
  CHECK(s.waiting.size() > 2);
  CHECK_FALSE(etch::detail::static_sweep<graph_size{2, 2, 2, 0}, 100, 0>(s).fits());
  constexpr graph_size size = size_of(half().to);
  CHECK_FALSE(etch::detail::static_sweep<size, 1, 0>(s).fits());
  etch::detail::static_sweep<size, static_cast<int>(half().waiting.size()), 0> const exact(s);
  REQUIRE(exact.fits());
  pass::paused_sweep const again = exact.paused();
  CHECK(graphs::identical(again.to, s.to));
  CHECK(again.to.simplifying);
  CHECK(again.to.precise);
  CHECK(again.reached == s.reached);
  CHECK(again.waiting.size() == s.waiting.size());
}

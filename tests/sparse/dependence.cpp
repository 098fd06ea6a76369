#include <etch/sparse/dependence.hpp>

#include <etch/compile/pipeline.hpp>
#include <etch/op/linalg/factor.hpp>
#include <etch/op/roll.hpp>
#include <etch/op/statistics.hpp>
#include <etch/transform/control.hpp>
#include <etch/transform/map.hpp>
#include <etch/transform/scan.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

/// A row for each entry of what `F` gives, a column for each entry of its first argument: x where it depends on that.
template <class F, class... A>
std::string pattern(F, A const&...) {
  using stages = etch::detail::graph_stages<F, etch::wrt<>, etch::detail::settings<>, A...>;
  etch::graph_view const g = stages::pruned;
  std::string text;
  int columns = 0;
  for (etch::node const& n : g.nodes)
    if (n.op == etch::opcode_of<etch::op::input> && n.attributes == 0) columns = static_cast<int>(n.extent.size());
  etch::pass::entry_sets const low = etch::pass::dependences_on(g, 0, 0), high = etch::pass::dependences_on(g, 0, 2);
  for (std::size_t i = 0; i < low.size(); ++i) {
    text += i == 0 ? "" : " ";
    for (int j = 0; j < columns; ++j) {
      bool const depends = (low[i] >> j & 1) != 0;
      text += depends ? 'x' : '.';
      if (j >= 2) CHECK(depends == ((high[i] >> (j - 2) & 1) != 0));  // sets begin where they are asked to
    }
  }
  return text;
}

}  // namespace

TEST_CASE("entries flow through views, broadcasts, sums and products as they lie") {
  etch::tensor<double, 3> v;
  etch::tensor<double, 2, 2> m;
  CHECK(pattern([](auto x) { return exp(x); }, v) == "x.. .x. ..x");
  CHECK(pattern([](auto x) { return x.reverse(); }, v) == "..x .x. x..");
  CHECK(pattern([](auto x) { return x + x(1); }, v) == "xx. .x. .xx");
  CHECK(pattern([](auto x) { return sum(x.template head<2>()); }, v) == "xx.");
  CHECK(pattern([](auto x) { return etch::concat<0>(x.template tail<1>(), x); }, v) == "..x x.. .x. ..x");
  CHECK(pattern([](auto x) { return etch::pad<0, 1, 0>(x); }, v) == "... x.. .x. ..x");
  CHECK(pattern([](auto x) { return transpose(x); }, m) == "x... ..x. .x.. ...x");
  CHECK(pattern([](auto x) { return etch::sum<1>(x); }, m) == "x.x. .x.x");
  CHECK(pattern([](auto x, auto y) { return x * y; }, m, m) == "x.x. .x.x x.x. .x.x");
  CHECK(pattern([](auto x, auto y) { return y * x; }, m, m) == "xx.. xx.. ..xx ..xx");
  CHECK(pattern([](auto x) { return etch::max<0>(x); }, m) == "xx.. ..xx");
}

TEST_CASE("conditions count, since values follow them") {
  etch::tensor<double, 3> v;
  CHECK(pattern([](auto x) { return select(x.reverse() > 0.0, x, -x); }, v) == "x.x .x. x.x");
}

TEST_CASE("loops") {
  etch::tensor<double, 3> v;
  etch::tensor<double, 2, 2> m;
  CHECK(pattern([](auto x) { return etch::map([](auto e) { return e * e; }, x); }, v) == "x.. .x. ..x");
  CHECK(pattern([](auto x) { return etch::map([&](auto e) { return e * x(2); }, x); }, v) == "x.x .xx ..x");
  CHECK(pattern([](auto x) { return etch::map([](auto e) { return e.reverse(); }, x); }, m) == ".x.. x... ...x ..x.");
  CHECK(pattern([](auto x) { return etch::sum_map([](auto e) { return square(e); }, x); }, m) == "x.x. .x.x");
  CHECK(pattern([](auto x) { return etch::scan([](auto s, auto e) { return etch::step{s + e, s}; }, x(0), x).y; }, v) ==
        "x.. x.. xx.");
  CHECK(pattern([](auto x) { return etch::repeat<2>([](auto s) { return etch::roll<0, 1>(s); }, x); }, v) ==
        ".x. ..x x..");
  // A loop that may stop before: what was there before counts too.
  CHECK(pattern(
            [](auto x) {
              return etch::while_loop<1>([](auto s) { return sum(s) > 0.0; },
                                         [](auto s) { return etch::roll<0, 1>(s); }, x);
            },
            v) == "x.x xx. .xx");
}

TEST_CASE("factorisations count as dense") {
  etch::tensor<double, 2, 2> m;
  CHECK(pattern([](auto a) { return etch::inverse(a); }, m) == "xxxx xxxx xxxx xxxx");
}

#include <etch/op/assemble.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace etch;

namespace {

constexpr bool survives(int axis, int begin, int step) {
  region const r(static_cast<attribute>(region(axis, begin, step)));
  return r.axis == axis && r.begin == begin && r.step == step;
}

struct four {
  graph g;
  term x[4];
  explicit four(bool simplifying) {
    g.simplifying = simplifying;
    for (int i = 0; i < 4; ++i) x[i] = input(g, element::f64, make_shape(3), i);
  }
  int count(opcode code) const {
    int n = 0;
    for (node const& each : g.view().nodes) n += each.op == code;
    return n;
  }
  run::numbers value(term t) {
    g.outputs = {t.id};
    return run::interpret(g,
                          std::vector<run::numbers>{{1, 2, 3}, {10, 20, 30}, {100, 200, 300}, {1000, 2000, 3000}})[0];
  }
};

}  // namespace

static_assert(survives(0, 0, 1) && survives(3, 2147483647, 2147483647) && survives(2, 1, 65536));
static_assert(region(1, 2, 3).last(4) == 11);
static_assert(region(0, 1, 2).fits(make_shape(3), make_shape(6)) &&
              !region(0, 2, 2).fits(make_shape(3), make_shape(6)));
static_assert(!region(0, -1).fits(make_shape(3), make_shape(6)) && !region(0, 0, 0).fits(make_shape(3), make_shape(6)));
static_assert(!region(0, 0).fits(make_shape(3, 2), make_shape(6, 3)), "a part fills its region along all other axes");
static_assert(region(1, 2, 3).within({5, {1, 10, 100, 1000}}) == layout{25, {1, 30, 100, 1000}});

TEST_CASE("parts in disjoint regions are put together without an addition") {
  for (bool simplifying : {false, true}) {
    four f(simplifying);
    shape const whole = make_shape(9);
    // Every third entry, given out of order.
    term const parts[] = {embed(f.x[2], whole, region(0, 2, 3)), embed(f.x[0], whole, region(0, 0, 3)),
                          embed(f.x[1], whole, region(0, 1, 3))};
    term const y = sum_of(parts);
    CHECK(is<op::join>(y));
    CHECK(f.count(opcode_of<op::add>) == 0);
    CHECK(f.value(y) == run::numbers{1, 10, 100, 2, 20, 200, 3, 30, 300});
    term const turned[] = {parts[1], parts[2], parts[0]};
    CHECK(sum_of(turned) == y);
  }
}

TEST_CASE(
    "parts that overlap are as few joins as may be: the adjoints of a value moved both ways around its end are two") {
  four f(true);
  auto const part = [&](int of, int begin, int count) {
    return embed(slice(f.x[of], region(0, 0), count), make_shape(3), region(0, begin));
  };
  term const parts[] = {part(0, 2, 1), part(0, 0, 2), part(1, 1, 2), part(1, 0, 1), part(2, 1, 1)};
  term const y = sum_of(parts);
  CHECK(f.count(opcode_of<op::join>) == 2);
  CHECK(f.count(opcode_of<op::add>) == 2);
  CHECK(f.value(y) == run::numbers{1 + 10, 2 + 10 + 100, 1 + 20});
}

TEST_CASE("parts of one region are added there, and parts that overlap as values") {
  four f(true);
  shape const whole = make_shape(7);
  term const same[] = {embed(f.x[0], whole, region(0, 0)), embed(f.x[1], whole, region(0, 4)),
                       embed(f.x[2], whole, region(0, 0))};
  term const y = sum_of(same);
  CHECK(is<op::join>(y));
  CHECK(y.operand(0).operand(0).extent() == make_shape(3));  // the sum has three entries, not seven
  CHECK(is<op::add>(y.operand(0).operand(0)));
  CHECK(f.value(y) == run::numbers{101, 202, 303, 0, 10, 20, 30});
  term const fitting[] = {embed(f.x[0], whole, region(0, 0)), embed(f.x[1], whole, region(0, 2)),
                          embed(f.x[2], whole, region(0, 0, 3)), fit(constant(f.g, element::f64, 1), whole)};
  CHECK(f.value(sum_of(fitting)) == run::numbers{102, 3, 14, 221, 31, 1, 301});
}

TEST_CASE("joins and their parts are added part by part") {
  four f(true);
  shape const whole = make_shape(6);
  term const first[] = {embed(f.x[0], whole, region(0, 0)), embed(f.x[1], whole, region(0, 3))};
  term const second[] = {embed(f.x[2], whole, region(0, 0)), embed(f.x[3], whole, region(0, 3))};
  term const both[] = {sum_of(first), sum_of(second)};
  term const y = sum_of(both);
  CHECK(is<op::join>(y));
  for (int part = 0; part < 2; ++part) CHECK(is<op::add>(y.operand(part).operand(0)));
  CHECK(f.value(y) == run::numbers{101, 202, 303, 1010, 2020, 3030});
}

TEST_CASE("regions along different axes are joined axis by axis, then added") {
  graph g;
  g.simplifying = true;
  term const row = input(g, element::f64, make_shape(1, 2), 0), column = input(g, element::f64, make_shape(2, 1), 1);
  shape const whole = make_shape(2, 2);
  term const parts[] = {embed(row, whole, region(0, 0)), embed(column, whole, region(1, 1)),
                        embed(row, whole, region(0, 1))};
  g.outputs = {sum_of(parts).id};
  CHECK(run::interpret(g, std::vector<run::numbers>{{1, 2}, {10, 20}})[0] == run::numbers{1, 1, 12, 22});
}

TEST_CASE("what is embedded is found again by its slice, whatever else the join holds") {
  four f(true);
  shape const whole = make_shape(6, 1);
  term const parts[] = {embed(f.x[0], whole, region(0, 0, 2)), embed(f.x[1], whole, region(0, 1, 2))};
  term const y = sum_of(parts);
  for (int i : {0, 1}) {
    term const back = slice(y, region(0, i, 2), 3);
    CHECK(back.extent() == make_shape(3, 1));
    CHECK((is<op::reshape>(back) && back.operand(0) == f.x[i]));
  }
  CHECK(f.value(slice(y, region(0, 1), 4)) == run::numbers{10, 2, 20, 3});
  CHECK(embed(f.x[0], make_shape(3), region(0, 0)) == f.x[0]);
  CHECK(is_constant(detail::unbroadcast(embed(constant(f.g, element::f64, 0), make_shape(4), region(0, 1))), 0));
}

namespace {

template <class Step>
struct counts {
  using executable = typename std::remove_cvref_t<Step>::executable;
  static constexpr int of(opcode code) {
    int n = 0;
    for (node const& each : executable::materialised.view().nodes) n += each.op == code;
    return n;
  }
  static constexpr int kernels = executable::schedule.kernel_count, copies = of(opcode_of<op::copy>),
                       joins = of(opcode_of<op::join>), adds = of(opcode_of<op::add>);
  static constexpr std::int64_t workspace = executable::plan.bytes;
};

}  // namespace

TEST_CASE("the gradient of a split value is one buffer, written part by part, without zeros and without additions") {
  tensor<float, 12, 5> x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7) / 8;
  auto step = compile<wrt<0>>(
      [](auto gates) {
        auto const part = split<0, 4>(gates);
        return sum(tanh(part[0])) + sum(log(part[1] + 1)) + sum(sin(part[2])) + sum(square(part[3]));
      },
      x);
  using c = counts<decltype(step)>;
  // Another kernel adds the four sums, each of which takes a line of the workspace.
  static_assert(c::copies == 0 && c::joins == 1 && c::kernels == 2 && c::workspace == 4 * 64);
  step(x);
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 3; ++i) {
      CHECK(step.grad<0>()(i + 3, j) == doctest::Approx(1 / (1 + x(i + 3, j))));
      CHECK(step.grad<0>()(i + 6, j) == doctest::Approx(std::cos(x(i + 6, j))));
      CHECK(step.grad<0>()(i + 9, j) == 2 * x(i + 9, j));
    }
}

TEST_CASE("a part that is read elsewhere too is the only one that is copied to an output") {
  tensor<float, 12, 5> x;
  auto step = compile<wrt<0>>(
      [](auto gates) {
        auto const part = split<0, 4>(gates);
        return sum(tanh(part[0])) + sum(exp(part[1])) + sum(sin(part[2])) + sum(square(part[3]));
      },
      x);
  constexpr graph_view g = decltype(step)::executable::materialised.view();
  std::int64_t copied = 0;
  for (node const& each : g.nodes)
    if (each.op == opcode_of<op::copy>) copied += each.extent.size();
  CHECK(copied <= 3 * 5);
}

TEST_CASE("what is concatenated is computed in place, products and reductions too") {
  tensor<double, 4, 4> a{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  auto join = compile<wrt<>>([](auto m) { return concat<1>(m * m, sum<1>(m), tanh(m)); }, a);
  static_assert(counts<decltype(join)>::copies == 0 && counts<decltype(join)>::workspace == 0);
  tensor<double, 4, 9> const y = join(a);
  CHECK((y.matrix().leftCols(4) - a.matrix() * a.matrix()).norm() == 0);
  CHECK((y.matrix().col(4) - a.matrix().rowwise().sum()).norm() == 0);
  // Inputs are copied to their regions, in one kernel; the rest of a padding is filled.
  auto frame = compile<wrt<>>([](auto m) { return pad<0, 1, 2>(m, 7); }, a);
  static_assert(counts<decltype(frame)>::copies == 3 && counts<decltype(frame)>::workspace == 0);
  CHECK(frame(a)(0, 3) == 7);
  CHECK(frame(a)(6, 0) == 7);
  CHECK(frame(a)(1, 3) == 13);
}

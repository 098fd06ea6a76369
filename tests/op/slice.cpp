#include <etch/op/slice.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

constexpr layout packed{0, {1, 3, 12, 12}};  // of a matrix [3, 4]

static_assert(*op::slice::project(region(1, 1, 2), packed, {}, {}) == layout{3, {1, 6, 12, 12}});
static_assert(*op::reverse::project(0b10, packed, make_shape(3, 4), {}) == layout{9, {1, -3, 12, 12}});
static_assert(op::permute::inverse(0b11'00'01'10) == 0b11'00'01'10 &&
              op::permute::inverse(0b11'01'00'10) == 0b11'00'10'01);
static_assert(op::permute::infer(0b11'01'00'10, {make_shape(2, 3, 5)}) == make_shape(5, 2, 3));
static_assert(op::diagonal::project(0, packed, {}, {})->step[0] == 4);

/// Whether `view` of a matrix [3, 4] and its simplified form have equal entries; `simple` says
/// whether the form is what it should be.
bool keeps_entries(auto view, auto simple) {
  auto const made = [&](bool simplifying) {
    graph g;
    g.simplifying = simplifying;
    term const x = input(g, element::f64, make_shape(3, 4), 0);
    term const y = view(x);
    g.outputs = {y.id};
    return std::pair{g, y.id};
  };
  auto const [raw, at] = made(false);
  auto const [short_form, id] = made(true);
  graph copy = short_form;
  if (!simple(term{&copy, id}) || !(raw[at].extent == short_form[id].extent)) return false;
  std::vector<run::numbers> const x{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
  return run::interpret(raw, x) == run::interpret(short_form, x);
}

/// The number of views between a term and what it looks at.
int depth(term x) {
  int n = 0;
  for (; facts_of(*x).is_view; x = x.operand(0)) ++n;
  return n;
}
auto at_most(int views) {
  return [=](term x) { return depth(x) <= views; };
}

}  // namespace

TEST_CASE("views of views become one view of equal entries") {
  CHECK(keeps_entries([](term x) { return slice(slice(x, region(1, 0, 2), 2), region(1, 1), 1); }, at_most(1)));
  CHECK(keeps_entries([](term x) { return slice(slice(x, region(1, 1), 3), region(1, 0, 2), 2); }, at_most(1)));
  CHECK(keeps_entries([](term x) { return slice(x, region(0, 0), 3); }, at_most(0)));
  CHECK(keeps_entries([](term x) { return emit<op::reverse>(3, emit<op::reverse>(2, x)); }, at_most(1)));
  CHECK(keeps_entries([](term x) { return emit<op::reverse>(3, emit<op::reverse>(3, x)); }, at_most(0)));
  CHECK(keeps_entries([](term x) { return emit<op::reverse>(0b1101, slice(x, region(0, 1), 1)); },
                      at_most(1)));  // axes of one entry
  CHECK(keeps_entries([](term x) { return emit<op::permute>(0b11'10'00'01, emit<op::permute>(0b11'10'00'01, x)); },
                      at_most(0)));
  CHECK(keeps_entries([](term x) { return slice(fit(slice(x, region(0, 1), 1), x.extent()), region(0, 1), 2); },
                      at_most(2)));
  CHECK(keeps_entries([](term x) { return slice(fit(slice(x, region(0, 1), 1), x.extent()), region(1, 1, 2), 2); },
                      at_most(3)));
  CHECK(keeps_entries([](term x) { return emit<op::reverse>(3, fit(slice(x, region(0, 1), 1), x.extent())); },
                      at_most(3)));
  CHECK(keeps_entries(
      [](term x) { return emit<op::permute>(0b11'10'00'01, fit(slice(x, region(0, 1), 1), x.extent())); }, at_most(4)));
  CHECK(keeps_entries(
      [](term x) { return emit<op::diagonal>(0, fit(slice(slice(x, region(0, 1), 1), region(1, 2), 1), x.extent())); },
      at_most(4)));
}

TEST_CASE("a permutation of three axes and one of them back is the identity") {
  graph g;
  g.simplifying = true;
  term const x = input(g, element::f64, make_shape(2, 3, 5), 0);
  for (attribute order : {0b11'01'00'10u, 0b11'00'10'01u, 0b11'10'01'00u, 0b11'00'01'10u}) {
    term const turned = emit<op::permute>(order, x);
    CHECK(emit<op::permute>(op::permute::inverse(order), turned) == x);
  }
}

TEST_CASE("a slice that leaves its operand is an error that names the entries") {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 4), 0);
  CHECK_THROWS_AS(slice(x, region(0, 2), 2), exception);
  CHECK_THROWS_AS(slice(x, region(0, -1), 2), exception);
  CHECK_THROWS_AS(slice(x, region(1, 0, 2), 3), exception);
  CHECK(slice(x, region(1, 3, 100), 1).extent() == make_shape(3, 1));  // the step of a single entry does not matter
}

TEST_CASE("slices, reversals and permutations are views: the loop that reads them is the only kernel") {
  tensor<double, 4, 6> x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  auto plain = compile<wrt<>>(
      [](auto m) { return sum(cwise_product(reverse<0, 1>(slice<1, 0, 4>(m)), permute<1, 0>(slice<1, 2, 4>(m)))); }, x);
  using executable = typename decltype(plain)::executable;
  static_assert(executable::schedule.kernel_count == 1 && executable::plan.bytes == 0);
  double expected = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) expected += x(3 - i, 3 - j) * x(j, i + 2);
  CHECK(plain(x) == expected);
}

TEST_CASE("the gradient of a diagonal stands on the diagonal, of wide and of tall matrices") {
  auto const [wide, by_wide] =
      value_and_grad([](auto m) { return sum(square(diagonal(m))); })(tensor<double, 2, 3>{1, 2, 3, 4, 5, 6});
  CHECK(wide == 1 + 16);
  CHECK(by_wide == tensor<double, 2, 3>{2, 0, 0, 8, 0, 0});
  auto const [tall, by_tall] =
      value_and_grad([](auto m) { return sum(square(diagonal(m))); })(tensor<double, 3, 2>{1, 2, 3, 4, 5, 6});
  CHECK(tall == 1 + 25);
  CHECK(by_tall == tensor<double, 3, 2>{2, 0, 0, 0, 10, 0});
}

TEST_CASE("a slice of what is put together from parts is one of the part that it lies in, or 0") {
  // Every region of every pair of parts: entries agree, and no join is left where the form tells.
  int simple = 0;
  for (int first_step : {1, 2, 3})
    for (int second_begin : {0, 1, 5, 6, 8})
      for (int count : {1, 2, 3})
        for (int step : {1, 2, 3, 4})
          for (int begin = 0; begin + (count - 1) * step < 12; ++begin) {
            auto const made = [&](bool simplifying) {
              graph g;
              term const a = input(g, element::f64, make_shape(2), 0), b = input(g, element::f64, make_shape(4), 1);
              term const parts[] = {embed(a, make_shape(12), region(0, 1, first_step)),
                                    embed(b, make_shape(12), region(0, second_begin))};
              term const whole = sum_of(parts);
              g.simplifying = simplifying;
              g.outputs = {slice(whole, region(0, begin, step), count).id};
              return g;
            };
            graph const raw = made(false), short_form = made(true);
            std::vector<run::numbers> const x{{1, 2}, {3, 4, 5, 6}};
            CHECK(run::interpret(raw, x) == run::interpret(short_form, x));
            simple += short_form.size() > 0 && short_form[short_form.outputs[0]].op != opcode_of<op::slice>;
            if (count == 1) {
              int id = short_form.outputs[0];
              while (facts_of(short_form[id]).is_view) id = short_form.operands(id)[0];
              CHECK(!facts_of(short_form[id]).is_assembly);
            }
          }
  CHECK(simple > 100);  // constants, and parts as a whole
}

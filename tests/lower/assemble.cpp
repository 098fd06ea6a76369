#include <etch/lower/assemble.hpp>

#include <etch/op/elementwise.hpp>
#include <etch/rewrite/expand.hpp>
#include <etch/rewrite/prune.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace etch;
using pass::detail::stretch;

namespace {

int count(graph_view g, opcode code) {
  int n = 0;
  for (node const& each : g.nodes) n += each.op == code;
  return n;
}

/// The promise of the comment on `assemble` that is broken, as a sentence.
std::string broken_promise(graph_view g) {
  std::vector<int> joins(g.nodes.size(), 0), homes(g.nodes.size(), 0);
  for (int id = 0; id < g.size(); ++id)
    for (int operand : g.operands(id)) {
      if (g[id].op == opcode_of<op::embed>) ++homes[static_cast<std::size_t>(operand)];
      if (g[operand].op != opcode_of<op::embed>) continue;
      if (g[id].op != opcode_of<op::join>) return "a part is read as a value";
      ++joins[static_cast<std::size_t>(operand)];
    }
  for (int output : g.outputs) {
    if (g[output].op == opcode_of<op::embed>) return "a part is an output";
    if (homes[static_cast<std::size_t>(output)] != 0) return "an output is computed in a join";
  }
  for (int id = 0; id < g.size(); ++id) {
    auto const at = static_cast<std::size_t>(id);
    if (homes[at] > 1) return "a value is computed in two places";
    if (homes[at] == 1 && !pass::is_stored(g[id])) return "a part is not computed";
    if (homes[at] == 1 && !facts_of(g[id]).accumulates) return "a part cannot be added to storage";
    if (g[id].op == opcode_of<op::embed> && joins[at] > 1) return "a part belongs to two joins";
    if (g[id].op != opcode_of<op::join>) continue;
    std::vector<int> writers(static_cast<std::size_t>(g[id].extent.size()), 0);
    for (int part : g.operands(id)) {
      if (g[part].op != opcode_of<op::embed>) return "a join has a part that is none";
      layout const where = region(g[part].attributes).within({0, contiguous_strides(g[id].extent)});
      for_each_index(g[g.operands(part)[0]].extent, [&](auto const& i) {
        std::int64_t entry = where.offset;
        for (std::size_t axis = 0; axis < max_rank; ++axis) entry += i[axis] * where.step[axis];
        ++writers.at(static_cast<std::size_t>(entry));
      });
    }
    for (int n : writers)
      if (n != 1) return n == 0 ? "a join leaves a gap" : "two parts of a join overlap";
  }
  return "";
}

/// The assembled graph of outputs of x[3, 4] and y[3, 4].
graph assembled(auto outputs) {
  graph g;
  term const x = input(g, element::f64, make_shape(3, 4), 0), y = input(g, element::f64, make_shape(3, 4), 1);
  for (term t : outputs(x, y)) g.outputs.push_back(t.id);
  return pass::assemble(g);
}
int copies(auto outputs) { return count(assembled(outputs), opcode_of<op::copy>); }

using terms = std::vector<term>;
term joined(terms const& parts) { return sum_of(parts); }

}  // namespace

TEST_CASE("parts and gaps together are every entry of an axis, once") {
  std::mt19937 random(5);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 3000; ++round) {
    int const end = 1 + below(24), step = 1 + below(4);
    std::vector<int> taken(static_cast<std::size_t>(end), 0);
    std::vector<stretch> parts;
    auto const mark = [&](stretch const& s) {
      for (int i = 0; i < s.count; ++i) ++taken.at(static_cast<std::size_t>(s.where.begin + i * s.where.step));
    };
    for (int tries = 0; tries < 4; ++tries) {
      stretch s{region(0, below(end), tries % 2 ? step : 1), 1};
      s.count += below((end - 1 - s.where.begin) / s.where.step + 1);
      bool free = true;
      for (int i = 0; i < s.count; ++i)
        free = free && taken[static_cast<std::size_t>(s.where.begin + i * s.where.step)] == 0;
      if (free) parts.push_back(s), mark(s);
    }
    for (stretch const& gap : pass::detail::gaps_between(parts, 0, end)) mark(gap);
    CHECK(std::ranges::all_of(taken, [](int n) { return n == 1; }));
  }
}

// An axis may be as long as all parameters of a model; steps of constant evaluation are not its entries.
static_assert([] {
  stretch const parts[] = {{region(0, 500'000'000), 1'000'000'000}, {region(0, 7, 3), 1}, {region(0, 8), 92}};
  auto const gaps = pass::detail::gaps_between(parts, 0, 1'500'000'001);
  return gaps.size() == 3 && gaps[0].where.begin == 0 && gaps[0].count == 7 && gaps[1].where.begin == 100 &&
         gaps[1].count == 499'999'900 && gaps[2].where.begin == 1'500'000'000 && gaps[2].count == 1;
}());

TEST_CASE("what lies between the entries of a strided part is one gap") {
  std::vector<stretch> const odd{{region(2, 1, 2), 50}};
  auto const gaps = pass::detail::gaps_between(odd, 2, 100);
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].where.begin == 0);
  CHECK(gaps[0].where.step == 2);
  CHECK(gaps[0].where.axis == 2);
  CHECK(gaps[0].count == 50);
}

TEST_CASE("parts that are computed for one join are not copied, and no gap is filled where there is none") {
  shape const whole = make_shape(6, 4);
  auto const halves = [&](term a, term b) {
    return joined({embed(a, whole, region(0, 0)), embed(b, whole, region(0, 3))});
  };
  auto const every_other = [&](term a, term b) {
    return joined({embed(a, whole, region(0, 1, 2)), embed(b, whole, region(0, 0, 2))});
  };
  CHECK(copies([&](term x, term y) { return terms{halves(x + y, x * y)}; }) == 0);
  CHECK(copies([&](term x, term y) { return terms{every_other(x + y, x * y)}; }) == 0);
  CHECK(copies([&](term x, term y) { return terms{halves(x, y)}; }) == 2);
  CHECK(copies([&](term x, term y) { return terms{halves(x + y, transpose(transpose(x * y)))}; }) == 1);
  CHECK(copies([&](term x, term y) { return terms{halves(x * y, x * y)}; }) == 2);
  CHECK(copies([&](term x, term y) { return terms{halves(x * y, x + y), every_other(x * y, x - y)}; }) == 2);
  CHECK(copies([&](term x, term y) { return terms{halves(x * y, emit<op::cumsum>(0, y))}; }) == 1);
  CHECK(copies([&](term x, term y) { return terms{embed(x * y, whole, region(0, 2))}; }) == 2);  // a gap on both sides
  CHECK(copies([&](term x, term y) { return terms{embed(x * y, whole, region(0, 3))}; }) == 1);
}

TEST_CASE("a join within a join is written once") {
  graph const g = assembled([](term x, term y) {
    shape const tall = make_shape(6, 4), wide = make_shape(6, 8);
    term const left = joined({embed(x + y, tall, region(0, 0)), embed(x * y, tall, region(0, 3))});
    term const right = joined({embed(x - y, tall, region(0, 0)), embed(y - x, tall, region(0, 3))});
    return terms{joined({embed(left, wide, region(1, 0)), embed(right, wide, region(1, 4))})};
  });
  CHECK(count(g, opcode_of<op::copy>) == 0);
  CHECK(count(g, opcode_of<op::join>) == 3);
  std::vector<pass::place> const storage = pass::storage_of(g);
  for (int id = 0; id < g.size(); ++id)
    if (pass::is_stored(g[id])) CHECK(storage[static_cast<std::size_t>(id)].owner == g.outputs[0]);
  CHECK(broken_promise(g) == "");
}

TEST_CASE("the promises hold for any graph, and most of what can be asked is asked") {
  int joins = 0, nested = 0, strided = 0, in_place = 0, shared = 0, outputs = 0;
  for (unsigned seed = 1; seed <= 3500; ++seed) {
    CAPTURE(seed);
    random_graphs::generator random(seed, seed % 2 ? random_graphs::style::exact : random_graphs::style::smooth,
                                    seed % 3 == 0);
    auto s = random.make(3 + random.below(30));
    for (int i = 0; i < 3; ++i) s.g.outputs.push_back(random.below(s.g.size()));
    graph const before = pass::prune(pass::expand(s.g)), g = pass::assemble(before);
    CHECK(broken_promise(g) == "");
    CHECK(broken_promise(pass::assemble(g)) == "");
    std::vector<int> readers(before.view().nodes.size(), 0);
    for (int id = 0; id < before.size(); ++id)
      for (int operand : before.operands(id)) ++readers[static_cast<std::size_t>(operand)];
    for (int id = 0; id < before.size(); ++id)
      shared += before[id].op == opcode_of<op::embed> && readers[static_cast<std::size_t>(id)] > 1;
    for (int output : before.outputs)
      outputs += before[output].op == opcode_of<op::join> || before[output].op == opcode_of<op::embed>;
    for (int id = 0; id < g.size(); ++id) {
      if (g[id].op == opcode_of<op::join>) ++joins;
      if (g[id].op != opcode_of<op::embed>) continue;
      node const& value = g[g.operands(id)[0]];
      strided += region(g[id].attributes).step > 1;
      nested += value.op == opcode_of<op::join>;
      in_place += value.op != opcode_of<op::copy>;
    }
  }
  for (int seen : {joins, nested, strided, in_place, shared, outputs}) {
    CHECK(seen > 20);
  }
}

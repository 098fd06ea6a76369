// The parts of a graph that workers compute give the whole again: of graphs that nobody would write, of loops, and of
// each rule by itself; and what cannot be shared is refused.
#include "rewrite/at_run_time.hpp"
#include "rewrite/random_graph.hpp"
#include "rewrite/random_loop.hpp"

#include <etch/op/image/convolution.hpp>
#include <etch/op/image/pool.hpp>
#include <etch/op/random.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>

namespace {

using namespace etch;
using pass::hindrance;
using pass::piece;
using pass::share;
using random_graphs::numbers;

/// The entries `first` ... `first + count` - 1 of `of` along an axis, of entries of shape `s`.
numbers block_of(numbers const& of, shape s, int axis, int first, int count) {
  numbers some;
  strides const step = contiguous_strides(s);
  s[axis] = count;
  for_each_index(s, [&](auto const& i) {
    std::int64_t at = first * step[static_cast<std::size_t>(axis)];
    for (std::size_t a = 0; a < max_rank; ++a) at += i[a] * step[a];
    some.push_back(of[static_cast<std::size_t>(at)]);
  });
  return some;
}

shape shape_of_input(graph_view g, int position) {
  for (node const& n : g.nodes)
    if (n.op == opcode_of<op::input> && static_cast<int>(n.attributes) == position) return n.extent;
  return {};
}

/// What workers compute of a graph, put together again and compared with the whole.
struct comparison {
  hindrance why = hindrance::none;
  opcode at{};
  std::vector<share> shares;
  double distance = 0;
  std::string fault;
};

comparison compare(graph_view g, std::vector<numbers> const& inputs, std::vector<int> const& axes, int whole,
                   int workers, bool adds_value = false) {
  comparison c;
  std::vector<numbers> const expected = random_graphs::values_of(g, inputs);
  std::vector<std::vector<numbers>> made;
  std::vector<piece> pieces;
  sequence<int> along;
  for (int axis : axes) along.push_back(axis);
  for (int worker = 0, first = 0; worker < workers; ++worker) {
    int const part = whole / workers + (worker < whole % workers);
    pass::shard_of_graph const s = at_run_time::shard(g, along, {whole, part, workers}, adds_value);
    if (s.why != hindrance::none && s.why != hindrance::result_is_scattered) {
      c.why = s.why, c.at = s.at;
      return c;
    }
    if (char const* fault = at_run_time::find_fault(s.part)) c.fault = fault;
    std::vector<numbers> own;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      shape const full = shape_of_input(g, static_cast<int>(i));
      int const unit = axes[i] < 0 ? 0 : full[axes[i]] / whole;
      own.push_back(axes[i] < 0 ? inputs[i] : block_of(inputs[i], full, axes[i], first * unit, part * unit));
    }
    made.push_back(random_graphs::values_of(s.part, own));
    pieces.assign(s.outputs.begin(), s.outputs.end());
    first += part;
  }
  double const scale = std::max(1.0, random_graphs::largest(expected));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    piece const p = pieces[k];
    c.shares.push_back(p.kind);
    shape const full = g[g.outputs[k]].extent;
    numbers sum(expected[k].size(), 0);
    for (int worker = 0, first = 0; worker < workers; ++worker) {
      int const part = whole / workers + (worker < whole % workers);
      numbers const& own = made[static_cast<std::size_t>(worker)][k];
      numbers want = expected[k];
      if (p.is_split()) {
        int const unit = full[p.axis] / whole;
        want = block_of(expected[k], full, p.axis, first * unit, part * unit);
      }
      if (p.is_partial())
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += own[i];
      else c.distance = std::max(c.distance, random_graphs::distance({own}, {want}, scale));
      first += part;
    }
    if (p.is_partial()) c.distance = std::max(c.distance, random_graphs::distance({sum}, {expected[k]}, scale));
  }
  return c;
}

/// The graph with node `id` as its only output. Inputs keep their positions.
graph only(graph_view g, int id) {
  graph one = pass::copy_of(g);
  one.outputs = {id};
  return at_run_time::prune(one);
}

struct tally {
  int compared = 0, split = 0, partial = 0, refused = 0;
  std::map<std::string, int> ops;  // of what was compared
};

/// Each value of a graph whose inputs are split along random axes.
void examine(graph_view g, std::vector<numbers> const& inputs, std::mt19937& random, tally& t,
             std::string const& name) {
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<int> axes(inputs.size(), -1);
  int whole = 0;
  for (std::size_t tries = 0; tries < 3 * inputs.size(); ++tries) {
    auto const i = static_cast<std::size_t>(below(static_cast<int>(inputs.size())));
    shape const s = shape_of_input(g, static_cast<int>(i));
    if (int const axis = below(max_rank); s[axis] > 1 && (whole == 0 || s[axis] % whole == 0))
      axes[i] = axis, whole = whole == 0 ? s[axis] : whole;
  }
  if (whole == 0) return;
  int const workers = 1 + below(whole);
  for (int id = 0; id < g.size(); ++id) {
    if (facts_of(g[id]).is_loop || g[id].op == opcode_of<op::input> || !is_floating(g[id].type)) continue;
    graph const one = only(g, id);
    comparison const c = compare(one, inputs, axes, whole, workers, below(4) == 0);
    if (c.why != hindrance::none) {
      ++t.refused;
      continue;
    }
    ++t.compared;
    t.split += c.shares[0] == share::split, t.partial += c.shares[0] == share::partial;
    if (c.shares[0] != share::whole) ++t.ops[facts_of(g[id]).name];
    INFO(name, ", node ", id, ", ", workers, " workers of ", whole, ", share ", static_cast<int>(c.shares[0]), ", ",
         c.fault);
    CHECK(c.fault.empty());
    CHECK(c.distance < 1e-4);
  }
}

TEST_CASE("the parts of graphs that nobody would write") {
  tally t;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    random_graphs::generator make(seed, seed % 2 ? random_graphs::style::smooth : random_graphs::style::exact, false);
    random_graphs::subject const s = make.make(6 + static_cast<int>(seed % 8));
    if (!random_graphs::moderate(random_graphs::values_of(s.g, s.inputs), 1e6)) continue;
    std::mt19937 random(seed);
    examine(s.g, s.inputs, random, t, "graph " + std::to_string(seed));
  }
  INFO(t.compared, " compared, ", t.split, " split, ", t.partial, " summands, ", t.refused, " refused");
  for (std::string const op : {"add", "mul", "div", "sum", "broadcast", "reshape", "permute", "slice", "embed", "join",
                               "matmul", "gather", "softmax", "select", "stop_gradient", "cumsum", "scatter_add"})
    CHECK(t.ops[op] > 10);
  CHECK(t.split > 1000);
  CHECK(t.partial > 1000);
}

TEST_CASE("the parts of loops that nobody would write") {
  tally t;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    random_loops::generator make(seed);
    random_loops::subject const s = make.make();
    std::mt19937 random(seed);
    examine(s.g, s.inputs, random, t, "loops " + std::to_string(seed));
  }
  INFO(t.compared, " compared, ", t.split, " split, ", t.partial, " summands, ", t.refused, " refused");
  for (std::string const op : {"last_carry", "stacked_steps", "summed_steps", "add", "sum", "matmul"})
    CHECK(t.ops[op] > 10);
  CHECK(t.split > 1000);
  CHECK(t.partial > 1000);
}

/// Values with a batch of 4 along `axis`, and a weight that all workers have.
struct one_rule {
  graph g;
  std::vector<numbers> inputs;
  std::vector<int> axes;

  term leaf(shape const& s, int axis, element type = element::f64) {
    term const x = input(g, type, s, static_cast<int>(inputs.size()));
    numbers entries;
    for (std::int64_t i = 0; i < s.size(); ++i)
      entries.push_back(is_floating(type) ? std::sin(1.7 * static_cast<double>(i) + static_cast<double>(axes.size()))
                                          : static_cast<double>(i * 7 % 3));
    inputs.push_back(entries), axes.push_back(axis);
    return x;
  }
  comparison with(term y, int workers = 2) {
    g.outputs = {y.id};
    return compare(g, inputs, axes, 4, workers);
  }
};
#define CHECK_SHARED(c, kind)          \
  do {                                 \
    comparison const d = c;            \
    CHECK(d.why == hindrance::none);   \
    REQUIRE(d.shares.size() == 1);     \
    CHECK(d.shares[0] == share::kind); \
    CHECK(d.distance < 1e-12);         \
    CHECK(d.fault.empty());            \
  } while (false)

TEST_CASE("rules that random graphs do not reach") {
  for (int workers : {1, 2, 3, 4}) {
    one_rule r;  // images come with the batch first
    term const x = r.leaf(make_shape(4, 5, 5, 2), 0), w = r.leaf(make_shape(3, 3, 2, 3), -1);
    attribute const usual = sliding({1, 1}, {0, 0}, {1, 1}, 1);
    term const y = emit<op::conv2d>(usual, x, w);
    CHECK_SHARED(r.with(y, workers), split);
    CHECK_SHARED(r.with(emit_shaped<op::conv2d_image>(x.extent(), usual, y, w), workers), split);
    CHECK_SHARED(r.with(emit_shaped<op::conv2d_kernel>(w.extent(), usual, x, y), workers), partial);
    attribute const two = windows({2, 2}, {2, 2});
    CHECK_SHARED(r.with(emit<op::max_pool>(two, x), workers), split);
  }
  one_rule r;
  term const table = r.leaf(make_shape(3, 3), -1), labels = r.leaf(make_shape(4), 0, element::i32),
             rows = r.leaf(make_shape(2, 4), 1), cubes = r.leaf(make_shape(2, 2, 4), 2);
  CHECK_SHARED(r.with(emit<op::gather>(op::index_axis(1, 1), table, labels)), split);
  CHECK_SHARED(r.with(emit_shaped<op::scatter_add>(make_shape(2, 3), op::index_axis(1, 1), rows, labels)), partial);
  CHECK(r.with(emit<op::gather>(op::index_axis(1, 1), rows, labels)).why == hindrance::entries_meet);
  CHECK_SHARED(r.with(emit<op::matmul>(0, cubes, slice(table, region(0, 0), 2)), 2), split);
  CHECK_SHARED(r.with(emit<op::matmul>(0, rows, emit<op::transpose>(0, rows))), partial);
  CHECK(r.with(emit<op::matmul>(0, emit<op::transpose>(0, rows), rows)).why == hindrance::entries_meet);
  CHECK_SHARED(r.with(emit<op::argsort>(0, rows)), split);
  CHECK(r.with(emit<op::argsort>(1, rows)).why == hindrance::entries_meet);
  CHECK_SHARED(r.with(emit<op::norm>(0b01, rows)), split);
  CHECK(r.with(emit<op::norm>(0b10, rows)).why == hindrance::entries_meet);
  // A step through time and batch: [2, 2, 4] as [2, 8], of which a worker's entries adjoin.
  CHECK_SHARED(r.with(emit_to<op::reshape>(make_shape(2, 8), cubes)), split);
  CHECK_SHARED(r.with(emit_to<op::reshape>(make_shape(4, 4), emit_to<op::reshape>(make_shape(2, 8), cubes))), split);
  CHECK(r.with(emit_to<op::reshape>(make_shape(4, 2, 2), cubes)).why == hindrance::axis_is_divided);
  CHECK(r.with(emit_to<op::reshape>(make_shape(8), emit<op::transpose>(0, rows))).why == hindrance::axis_is_divided);
  CHECK(r.with(emit<op::reverse>(0b10, rows)).why == hindrance::axis_is_divided);
  CHECK(r.with(slice(rows, region(1, 1), 3)).why == hindrance::axis_is_divided);
  CHECK(r.with(emit<op::max>(0b10, rows)).why == hindrance::entries_meet);
  CHECK(r.with(rows * r.leaf(make_shape(2, 4), -1)).why == hindrance::position_matters);
  CHECK(r.with(rows + iota(r.g, element::f64, 1, 4)).why == hindrance::position_matters);
  term const ones = fit(constant(r.g, element::f64, 1), make_shape(3, 4));
  CHECK_SHARED(r.with(rows + slice(emit<op::tanh>(0, emit<op::matmul>(0, table, ones)), region(0, 1), 2)), split);
  CHECK_SHARED(r.with(rows + fit(r.leaf(make_shape(2, 1), -1), make_shape(2, 4))), split);
  term const total = emit<op::sum>(op::reduction::whole, rows);
  CHECK(r.with(emit<op::log>(0, total)).why == hindrance::sum_is_needed);
  CHECK(r.with(total * total).why == hindrance::sum_is_needed);
  CHECK(r.with(rows - total).why == hindrance::sum_is_needed);
  CHECK(r.with(1 / total).why == hindrance::sum_is_needed);
  CHECK(r.with(emit<op::select>(0, total, total, total)).why == hindrance::sum_is_needed);
  CHECK_SHARED(r.with(total / 4 + emit<op::sum>(op::reduction::whole, emit<op::square>(0, table))), partial);
  // Random numbers depend on their position; how a system treats its right-hand sides is said nowhere.
  term const key = r.leaf(make_shape(), -1);
  CHECK(r.with(rows * emit_shaped<op::random_uniform>(make_shape(2, 4), 1, key)).why == hindrance::position_matters);
  CHECK(r.with(emit<op::triangular_solve>(0,
                                          emit<op::matmul>(0, slice(table, region(0, 0), 2),
                                                           fit(constant(r.g, element::f64, 1), make_shape(3, 2))),
                                          rows))
            .why == hindrance::op_is_not_known);
  r.g.outputs = {rows.id};
  r.axes[2] = 0;  // [2, 4] along its first axis, of a batch of 2: the parts do not adjoin
  CHECK(compare(r.g, r.inputs, {-1, -1, 0, -1, -1, -1, -1}, 2, 2).why == hindrance::none);
  sequence<int> axes;
  for (int axis : {-1, -1, 0, -1, -1, -1, -1}) axes.push_back(axis);
  CHECK(at_run_time::shard(r.g, axes, {2, 1, 2}, false).why == hindrance::result_is_scattered);
}

}  // namespace

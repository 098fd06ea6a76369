#include <etch/compile/partition.hpp>

#include "core/identical.hpp"
#include "rewrite/at_run_time.hpp"
#include "rewrite/random_graph.hpp"
#include "rewrite/random_loop.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace etch;

namespace {

using at_run_time::numbers;
using all_numbers = std::vector<numbers>;

/// A function's halves, as the passes make them.
struct divided {
  pass::halves_layout at;
  graph joint;
  sequence<char> saved;
  graph forward, backward;

  divided(graph_view g, std::size_t leaves, const_span<int> wrt)
      : at{static_cast<int>(leaves), static_cast<int>(g.outputs.size())} {
    graph const seeded = pass::with_seeds(g, at, wrt);
    joint = at_run_time::prune(at_run_time::reassociate(at_run_time::factor_sums(at_run_time::expand(seeded))));
    saved = pass::saved_between(joint, at);
    forward = at_run_time::prune(pass::forward_half(joint, at, saved));
    backward = at_run_time::prune(pass::backward_half(joint, at, saved));
  }

  int saved_count() const { return static_cast<int>(forward.outputs.size()) - at.results; }
  std::int64_t saved_bytes() const {
    std::int64_t bytes = 0;
    for (int id = 0; id < joint.size(); ++id)
      if (saved.entry[id]) bytes += pass::padded_bytes(joint[id]);
    return bytes;
  }
  /// The op of the only saved value.
  opcode only_saved() const {
    opcode found{};
    for (int id = 0; id < joint.size(); ++id)
      if (saved.entry[id]) found = joint[id].op;
    return found;
  }

  /// Gradients, zero ones left out.
  all_numbers gradients(all_numbers const& leaves, all_numbers const& seeds) const {
    all_numbers const left = at_run_time::interpret(forward, leaves);
    all_numbers inputs(leaves.begin(), leaves.begin() + at.leaves);
    inputs.insert(inputs.end(), left.begin(), left.begin() + at.results);
    inputs.insert(inputs.end(), seeds.begin(), seeds.end());
    inputs.insert(inputs.end(), left.begin() + at.results, left.end());
    return at_run_time::interpret(backward, inputs);
  }
};

/// Work that no half may do for the other: products, reductions, blocks and loops, with those in the bodies of loops.
int costly(graph_view g) {
  int count = 0;
  for (node const& n : g.nodes) {
    op_facts const& op = facts_of(n);
    count += op.is_product || op.is_reduction || op.is_block || op.is_loop;
  }
  return count;
}

/// The fault of the halves of `g`, all of whose outputs are floating; empty where nothing
/// is. `same` has the same values.
std::string examine(graph const& g, graph_view same, all_numbers const& inputs, std::vector<int> const& wrt,
                    double tolerance) {
  divided const d(g, inputs.size(), wrt);
  for (graph const* half : {&d.forward, &d.backward})
    if (char const* fault = at_run_time::find_fault(*half)) return fault;
  for (node const& n : d.forward.view().nodes)
    if (pass::is_input(n) && static_cast<int>(n.attributes) >= d.at.leaves)
      return "the forward half reads what comes later";

  // A saved value adds nothing to the forward half but outputs and results of its loops.
  graph alone = d.joint;
  alone.outputs.clear();
  for (int k = 0; k < d.at.results; ++k) alone.outputs.push_back(d.joint.outputs[static_cast<std::size_t>(k)]);
  alone = at_run_time::prune(alone);
  if (alone.pool.empty() && alone.size() != d.forward.size()) return "the forward half computes more than the results";
  if (alone.pool.empty() && costly(d.forward) + costly(d.backward) != costly(d.joint))
    return "something is computed in both halves";
  for (int id = 0; id < d.joint.size(); ++id)
    if (d.saved.entry[id] && facts_of(d.joint[id]).is_nullary) return "an argument is saved";

  // The gradient of the sum of seed times result, by way of a scalar.
  graph weighed = pass::copy_of(same);
  all_numbers seeds, all = inputs;
  term total = constant(weighed, element::f64, 0);
  for (int k = 0; k < d.at.results; ++k) {
    node const n = g[g.outputs[static_cast<std::size_t>(k)]];
    numbers entries;
    for (std::int64_t i = 0; i < n.extent.size(); ++i) entries.push_back(static_cast<double>((5 * i + 3 * k) % 7 - 2));
    seeds.push_back(entries), all.push_back(entries);
    term const seed = input(weighed, n.type, n.extent, d.at.leaves + k),
               y{&weighed, same.outputs[static_cast<std::size_t>(k)]};
    term const sum = emit<op::sum>(op::reduction::whole, seed * y);
    total = total + (n.type == element::f64 ? sum : emit<op::cast>(static_cast<attribute>(element::f64), sum));
  }
  weighed.outputs = {total.id};
  all_numbers const expected =
      at_run_time::interpret(at_run_time::prune(at_run_time::expand(at_run_time::differentiate(weighed, wrt))), all);
  if (!random_graphs::moderate(expected, 1e9)) return "";
  all_numbers const got = d.gradients(inputs, seeds);
  double const scale = std::max(1.0, random_graphs::largest(expected));
  std::size_t next = 0;
  for (std::size_t i = 0; i < wrt.size(); ++i) {
    bool const zero = pass::is_zero(d.joint, d.joint.outputs[static_cast<std::size_t>(d.at.results) + i]);
    numbers const wanted = expected[i + 1], own = zero ? numbers(wanted.size()) : got[next++];
    if (double const off = random_graphs::distance({own}, {wanted}, scale); off > tolerance)
      return "a gradient is off by " + std::to_string(off);
  }
  return next == got.size() ? "" : "there are more gradients than are wanted";
}

/// Any floating values as further outputs.
void add_outputs(graph& g, auto& random) {
  for (int i = random.below(4); i > 0; --i) {
    int id = random.below(g.size());
    while (!is_floating(g[id].type) || facts_of(g[id]).is_loop) id = random.below(g.size());
    g.outputs.push_back(id);
  }
}

/// The halves of f(x, w), with respect to both.
divided halves_of(auto f) {
  graph from;
  term const x = input(from, element::f64, make_shape(16, 8), 0), w = input(from, element::f64, make_shape(16, 16), 1);
  from.outputs = {f(x, w).id};
  sequence<int> const wanted{x.id, w.id};
  return {from, 2, wanted};
}

constexpr std::int64_t one = 16 * 8 * 8;  // bytes of a value of the shape of x

}  // namespace

TEST_CASE("nothing is saved of what follows from arguments and results") {
  CHECK(halves_of([](term x, term w) { return matmul(w, x); }).saved_count() == 0);
  CHECK(halves_of([](term x, term w) { return tanh(matmul(w, x)); }).saved_count() == 0);
  CHECK(halves_of([](term x, term w) { return transpose(tanh(matmul(w, x))); }).saved_count() == 0);
  CHECK(halves_of([](term x, term w) { return matmul(w, square(x) + 1); }).saved_count() == 0);
  CHECK(halves_of([](term x, term w) { return reshaped(exp(matmul(w, x)), make_shape(128)); }).saved_count() == 0);
}

TEST_CASE(
    "what the derivative reads is saved, and what it is cheaply made of rather than several things made of that") {
  auto const inner = halves_of([](term x, term w) { return matmul(w, tanh(matmul(w, x))); });
  CHECK(inner.saved_count() == 1);
  CHECK(inner.only_saved() == opcode_of<op::tanh>);
  CHECK(inner.saved_bytes() == one);
  // The products read y + 1 and y + 3, and nobody y.
  auto const several = halves_of([](term x, term w) {
    term const y = matmul(w, x);
    return matmul(w, y + 1) + matmul(transpose(w), y + 3);
  });
  CHECK(several.saved_bytes() == one);
  CHECK(several.only_saved() == opcode_of<op::matmul>);
}

TEST_CASE("nothing is saved that is larger than what it is cheaply made of") {
  auto const outer = halves_of([](term x, term w) {
    term const y = matmul(w, x);
    return matmul(w, slice(y, region(1, 0), 1) + slice(y, region(0, 0), 1));
  });
  CHECK(outer.saved_bytes() == 16 * 8 + 8 * 8);  // a column and a row, not their sum
}

TEST_CASE(
    "of a value of which the way back reads a part that part is saved, of one that it reads in all parts the whole") {
  CHECK(halves_of([](term x, term w) { return exp(sin(slice(matmul(w, x), region(0, 3), 4))); }).saved_bytes() ==
        one / 4);
  auto const both = halves_of([](term x, term w) {
    term const y = matmul(w, x);
    return sin(sin(slice(y, region(0, 0), 8))) + sin(cos(slice(y, region(0, 8), 8)));
  });
  CHECK(both.saved_bytes() == 2 * one);  // the product, and the sine and the cosine
}

TEST_CASE("the seed of a result that nothing influences is not read") {
  graph from;
  term const x = input(from, element::f64, make_shape(3), 0), y = input(from, element::f64, make_shape(3), 1);
  from.outputs = {exp(x).id, exp(y).id, constant(from, element::f64, 4).id, x.id, x.id};
  sequence<int> const wanted{x.id};
  divided const d(from, 2, wanted);
  sequence<int> const inputs = pass::input_nodes(d.backward, static_cast<std::size_t>(d.at.saved(0)));
  CHECK(inputs[static_cast<std::size_t>(d.at.seed(0))] >= 0);
  CHECK(inputs[static_cast<std::size_t>(d.at.seed(1))] < 0);
  CHECK(inputs[static_cast<std::size_t>(d.at.seed(2))] < 0);
  CHECK(inputs[static_cast<std::size_t>(d.at.result(1))] < 0);
  CHECK(d.gradients({{0, 0, 0}, {1, 2, 3}}, {{1, 2, 3}, {7, 7, 7}, {7}, {10, 20, 30}, {100, 200, 300}}) ==
        all_numbers{{111, 222, 333}});
}

TEST_CASE("a loop leaves for its way back what it leaves in one program") {
  graph from, body;
  term const start = input(from, element::f64, make_shape(8), 0), w = input(from, element::f64, make_shape(8, 8), 1);
  loop_body l;
  l.count = 5;
  l.in = {loop_input::carry, loop_input::captured};
  l.out = {loop_output::carry};
  term const h = input(l.body, element::f64, make_shape(8), 0),
             inside = input(l.body, element::f64, make_shape(8, 8), 1);
  l.body.outputs = {square(tanh(matmul(inside, h))).id};
  int const operands[] = {start.id, w.id};
  int const loop = insert_loop(from, l, operands);
  from.outputs = {result_of(from, l, loop, 0).id};
  sequence<int> const wanted{start.id, w.id};
  divided const d(from, 2, wanted);
  CHECK(d.saved_count() == 2);  // of every step the carry before it, and its tanh
  CHECK(d.saved_bytes() == 2 * 5 * 8 * 8);
  CHECK(costly(d.forward) == 1);
  CHECK(costly(d.backward) == 1);
}

TEST_CASE("random graphs: halves agree with the gradient of a weighed sum, and do nothing twice") {
  int used = 0;
  for (auto kind : {random_graphs::style::exact, random_graphs::style::smooth})
    for (unsigned seed = 1; seed <= 1000; ++seed) {
      random_graphs::generator random(seed, kind, seed % 3 == 0);
      random_graphs::subject s = random.make(seed % 8 == 0 ? 60 : 3 + static_cast<int>(seed % 18));
      graph everything = at_run_time::plain(s.g);
      everything.outputs.clear();
      for (int id = 0; id < everything.size(); ++id)
        if (!facts_of(everything[id]).is_nullary) everything.outputs.push_back(id);
      if (!random_graphs::moderate(at_run_time::interpret(everything, s.inputs), 1e4)) continue;
      add_outputs(s.g, random);
      bool has_float = false;
      for (int id = 0; id < s.g.size(); ++id) has_float = has_float || s.g[id].type == element::f32;
      std::string const fault = examine(s.g, s.g, s.inputs, s.leaves, has_float ? 2e-4 : 1e-11);
      CHECK_MESSAGE(fault.empty(), "seed ", seed, ": ", fault);
      ++used;
    }
  CHECK(used > 1000);
}

TEST_CASE("random loops: halves agree with the gradient of a weighed sum of their steps") {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    random_loops::generator random(seed);
    random_loops::subject s = random.make();
    add_outputs(s.g, random);
    std::string const fault = examine(s.g, random_loops::unrolled(s.g), s.inputs, {0, 1, 2, 3, 4}, 1e-11);
    CHECK_MESSAGE(fault.empty(), "seed ", seed, ": ", fault);
  }
}

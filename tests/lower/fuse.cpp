#include <etch/lower/fuse.hpp>

#include <etch/rewrite/expand.hpp>
#include <etch/lower/materialise.hpp>
#include <etch/rewrite/prune.hpp>

#include "rewrite/random_graph.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace etch;
using pass::source;

namespace {

constexpr term whole_sum(term x) { return emit<op::sum>(op::reduction::whole, x); }

/// The kernels of outputs of x[8, 6], y[8, 6], w[8, 8] and v[8], with the graph they compute.
struct fused {
  graph g;
  std::vector<pass::kernel> kernels;

  explicit fused(auto outputs) {
    graph from;
    term const x = input(from, element::f64, make_shape(8, 6), 0), y = input(from, element::f64, make_shape(8, 6), 1),
               w = input(from, element::f64, make_shape(8, 8), 2), v = input(from, element::f64, make_shape(8), 3);
    for (term t : outputs(x, y, w, v)) from.outputs.push_back(t.id);
    g = pass::materialise(pass::assemble(pass::prune(pass::expand(from))));
    kernels = pass::fuse(g);
  }
  std::size_t count() const { return kernels.size(); }
};

using terms = std::vector<term>;

/// How often an op is computed in a kernel.
int count(pass::kernel const& k, opcode code) {
  int n = 0;
  for (pass::instruction const& i : k.code) n += i.op == code;
  return n;
}

/// Calls `f(entry)` for every entry that a layout over `space` reaches.
void for_each_entry(shape const& space, layout const& where, auto f) {
  for_each_index(space, [&](auto const& i) {
    std::int64_t at = where.offset;
    for (std::size_t axis = 0; axis < max_rank; ++axis) at += i[axis] * where.step[axis];
    f(at);
  });
}

/// The fault in the order or the parts of kernels, as a sentence.
std::string fault_of(graph_view g, std::vector<pass::kernel> const& kernels) {
  std::vector<std::vector<int>> writer(g.nodes.size());  // by buffer and entry: the kernel that has written it
  for (int id = 0; id < g.size(); ++id)
    writer[static_cast<std::size_t>(id)].assign(static_cast<std::size_t>(g[id].extent.size()), -1);
  auto const entry = [&](int root, std::int64_t at) -> int& {
    return writer[static_cast<std::size_t>(root)].at(static_cast<std::size_t>(at));
  };
  for (int number = 0; number < static_cast<int>(kernels.size()); ++number) {
    pass::kernel const& k = kernels[static_cast<std::size_t>(number)];
    auto const readable = [&](pass::access const& a, shape const& space) {
      if (a.from != source::memory || pass::is_input(g[a.root])) return true;
      bool all = true;
      for_each_entry(space, a.where, [&](std::int64_t at) { all = all && entry(a.root, at) >= 0; });
      return all;
    };
    bool const is_block = k.head.computes == pass::form::block;
    if (is_block && (k.results.size() != 1 || !k.code.empty())) return "a block is not alone in its kernel";
    for (pass::access const& a : k.inputs) {
      std::size_t const o = static_cast<std::size_t>(&a - &k.inputs[0]);
      if (!readable(a, is_block ? g[g.operands(k.results[0].node)[o]].extent : k.head.space))
        return "a kernel reads what no earlier kernel has written";
      if (is_block && a.from != source::memory) return "an operand of a block does not lie in memory";
      if (a.from == source::tile && k.head.computes != pass::form::product) return "a loop reads a tile";
    }
    if (k.head.computes == pass::form::product) {
      shape a = k.head.space, b = k.head.space;
      a[1] = b[0] = k.head.product.k;
      if (!(readable(k.head.a, a) && readable(k.head.b, b)))
        return "a product reads what no earlier kernel has written";
    }
    if (k.head.computes == pass::form::product && (k.head.a.from != source::memory || k.head.b.from != source::memory))
      return "an operand of a product does not lie in memory";
    if (k.results.empty()) return "a kernel computes nothing";
    int const inputs = static_cast<int>(k.inputs.size()), steps = static_cast<int>(k.code.size());
    for (int i = 0; i < steps; ++i)
      for (int o = 0; o < op_table[k.code[static_cast<std::size_t>(i)].op].arity; ++o) {
        int const operand = k.code[static_cast<std::size_t>(i)].operand[static_cast<std::size_t>(o)];
        if (operand >= i || ~operand >= inputs) return "an instruction reads a later one";
      }
    for (pass::result const& r : k.results) {
      if (!is_block && (r.value >= steps || ~r.value >= inputs)) return "a result is not computed";
      std::string fault;
      for_each_entry(g[r.node].extent, r.where, [&](std::int64_t at) {
        if (entry(r.root, at) >= 0) fault = "an entry is written twice";
        entry(r.root, at) = number;
      });
      if (!fault.empty()) return fault;
    }
  }
  for (int output : g.outputs)
    for (int by : writer[static_cast<std::size_t>(output)])
      if (by < 0) return "an entry of an output is never written";
  return "";
}

}  // namespace

TEST_CASE("an element-wise chain and the reduction that ends it are one kernel") {
  fused const f([](term x, term y, term, term) { return terms{whole_sum(tanh(x * y + 1) - exp(y))}; });
  REQUIRE(f.count() == 1);
  CHECK(f.kernels[0].results.size() == 1);
  CHECK(f.kernels[0].results[0].reduces);
  CHECK(f.kernels[0].head.space == make_shape(8, 6));
}

TEST_CASE("several results over one space are one kernel") {
  CHECK(fused([](term x, term y, term, term) {
          return terms{whole_sum(x * y), x + y, emit<op::sum>(1, x), emit<op::sum>(2, exp(y))};
        }).count() == 1);
  CHECK(fused([](term x, term, term, term v) { return terms{x + v, v + 1}; }).count() == 2);
}

TEST_CASE("the element-wise tail of a product is its epilogue") {
  fused const f([](term x, term, term w, term v) { return terms{tanh(matmul(w, x) + v)}; });
  REQUIRE(f.count() == 1);
  CHECK(f.kernels[0].head.computes == pass::form::product);
  CHECK(f.kernels[0].head.product.k == 8);
  CHECK(f.kernels[0].results.size() == 1);
  CHECK(count(f.kernels[0], opcode_of<op::tanh>) == 1);
}

TEST_CASE("a reduction of a product is computed in its epilogue") {
  fused const f([](term x, term, term w, term v) {
    return terms{whole_sum(exp(matmul(w, x) + v)), emit<op::sum>(2, matmul(w, x))};
  });
  REQUIRE(f.count() == 1);
  CHECK(f.kernels[0].head.computes == pass::form::product);
  REQUIRE(f.kernels[0].results.size() == 2);
  CHECK(f.kernels[0].results[0].reduces);
  CHECK(f.kernels[0].results[1].reduces);
  CHECK(f.kernels[0].results[1].where.step[1] == 0);
  CHECK_FALSE(pass::only_stores(f.kernels[0]));
  CHECK(pass::only_stores(fused([](term x, term, term w, term) { return terms{matmul(w, x)}; }).kernels[0]));
}

TEST_CASE("a product of a product is two kernels, and a transposed read needs memory") {
  CHECK(fused([](term x, term, term w, term) { return terms{matmul(w, matmul(w, x))}; }).count() == 2);
  CHECK(fused([](term, term, term w, term) { return terms{exp(w) + transpose(exp(w))}; }).count() == 2);
  CHECK(fused([](term, term, term w, term) { return terms{w + transpose(w)}; }).count() == 1);
}

TEST_CASE("what is cheap is computed again, what is dear is kept") {
  // y = tanh(w x) is in memory, for products read it; 1 - y² is read by the epilogues of both.
  fused const cheap([](term x, term, term w, term) {
    term const y = tanh(matmul(w, x)), slope = 1 - y * y;
    return terms{matmul(w, y) * slope, matmul(transpose(w), y) * slope};
  });
  int slopes = 0, tanhs = 0;
  for (pass::kernel const& k : cheap.kernels)
    slopes += count(k, opcode_of<op::sub>), tanhs += count(k, opcode_of<op::tanh>);
  CHECK(slopes == 2);
  CHECK(tanhs == 1);
  fused const dear([](term x, term other, term w, term) {
    term const y = exp(tanh(x));
    return terms{matmul(w, other) * y, matmul(transpose(w), other) * y};
  });
  int exps = 0;
  for (pass::kernel const& k : dear.kernels) exps += count(k, opcode_of<op::exp>);
  CHECK(exps == 1);
}

TEST_CASE("what follows cheaply from a product that other kernels read is computed again, where it is read early too") {
  // Centred values and what they are scaled to, of a normalisation: only w x has to be kept.
  fused const f([](term x, term other, term w, term) {
    term const y = matmul(w, x), centred = y - whole_sum(y) / 48, scaled = centred / sqrt(whole_sum(centred * centred));
    return terms{relu(scaled), matmul(w, other) * centred, matmul(transpose(w), other) * scaled};
  });
  int kept = 0, centrings = 0;
  for (pass::kernel const& k : f.kernels) {
    for (pass::result const& each : k.results)
      kept += f.g[each.node].extent.size() == 48 && facts_of(f.g[each.node]).is_elementwise;
    centrings += count(k, opcode_of<op::sub>);
  }
  CHECK(kept == 3);  // what is handed out
  CHECK(centrings == 4);
}

// A value that is read twice at every step of a long chain is counted once: a count of ways to it would overflow, which
// constant evaluation refuses.
constexpr int kernels_of_a_long_chain() {
  graph from;
  term const y = matmul(input(from, element::f64, make_shape(8, 8), 0), input(from, element::f64, make_shape(8, 6), 1));
  term z = y;
  for (int i = 0; i < 40; ++i) z = z * (1 - z);
  from.outputs.push_back(z.id);
  from.outputs.push_back(whole_sum(y * y).id);
  graph const g = pass::materialise(pass::assemble(pass::prune(pass::expand(from))));
  return pass::group(g, pass::facts_of_nodes(g)).kernels;
}
static_assert(kernels_of_a_long_chain() > 0);

TEST_CASE("equal reads are one input, constants and indices need no memory") {
  fused const f([](term x, term, term, term) { return terms{x * x * 3 + (x - iota(*x.owner, element::f64, 1, 6))}; });
  REQUIRE(f.count() == 1);
  int memory = 0, constants = 0, indices = 0;
  for (pass::access const& a : f.kernels[0].inputs)
    memory += a.from == source::memory, constants += a.from == source::constant, indices += a.from == source::index;
  CHECK(memory == 1);
  CHECK(constants == 1);
  CHECK(indices == 1);
}

TEST_CASE("a chain of hundreds of instructions is divided into bodies of bounded length") {
  fused const f([](term x, term y, term, term) {
    for (int i = 0; i < 300; ++i) x = sin(x) * y;
    return terms{x};
  });
  CHECK(fault_of(f.g, f.kernels) == "");
  // Twice the limit of 64 allows for values that are computed again where they are read.
  for (pass::kernel const& k : f.kernels) CHECK(k.code.size() <= 128);
}

TEST_CASE("on any graph every kernel reads only what earlier kernels wrote, and every output is written once") {
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    random_graphs::generator random(seed, seed % 2 ? random_graphs::style::exact : random_graphs::style::smooth,
                                    seed % 3 == 0);
    auto s = random.make(random.chance(10) ? 120 : 3 + random.below(20));
    for (int i = 0; i < 3; ++i) s.g.outputs.push_back(random.below(s.g.size()));
    graph const g = pass::materialise(pass::assemble(pass::prune(pass::expand(s.g))));
    CHECK(fault_of(g, pass::fuse(g)) == "");
  }
}

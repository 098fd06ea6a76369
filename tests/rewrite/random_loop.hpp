// random_loop: loops nobody would write, and the same graph with every loop's steps one after the other.
#pragma once

#include <etch/op/loop.hpp>
#include <etch/rewrite/replay.hpp>
#include <etch/machine/interpret.hpp>

#include <random>
#include <vector>

namespace random_loops {

using namespace etch;
using run::numbers;

/// The graph `g` without loops.
inline graph unrolled(graph_view g);

namespace detail {

/// The results of loop `l` as nodes of `to`, fed from `operands`.
inline std::vector<term> steps_of(graph& to, loop_body const& l, const_span<int> operands) {
  graph const body = unrolled(l.body);
  std::vector<term> results(l.out.size());
  std::vector<sequence<term>> stacks(l.out.size());
  sequence<int> const carries = carries_in(l.out);
  for (int n = 0; n < l.count; ++n) {
    int const p = l.backward ? l.count - 1 - n : n;
    std::vector<term> const before = results;
    std::size_t carry = 0;
    std::vector<term> inputs;
    for (std::size_t i = 0; i < l.in.size(); ++i) {
      term const whole{&to, operands[i]};
      auto const entry = [&](int at) {
        shape s = whole.extent();
        s[--s.rank] = 1;
        return entry_at(whole, at, s);
      };
      loop_input const f = l.in[i];
      int const at = f == loop_input::before ? p - 1 : f == loop_input::after ? p + 1 : p;
      if (f == loop_input::captured) inputs.push_back(whole);
      else if (f == loop_input::carry) {
        std::size_t const from = static_cast<std::size_t>(carries[carry++]);
        inputs.push_back(n == 0 ? whole : before[from]);
      } else if (at < 0 || at >= l.count) inputs.push_back({&to, operands[i + 1]});
      else inputs.push_back(entry(at));
    }
    sequence<int> const ids = pass::replay(body, to, [&](graph& in, node const& node, const_span<int> of) {
      return node.op == opcode_of<op::input> ? inputs[static_cast<std::size_t>(node.attributes)]
                                             : pass::same_node(in, node, of);
    });
    for (std::size_t r = 0; r < l.out.size(); ++r) {
      term const y{&to, ids[static_cast<std::size_t>(body.outputs[r])]};
      if (l.out[r] == loop_output::stack)
        stacks[r].push_back(
            embed(fit(y, stacked(y.extent(), 1)), stacked(y.extent(), l.count), region(y->extent.rank, p)));
      else results[r] = l.out[r] == loop_output::sum && n > 0 ? results[r] + y : y;
    }
  }
  for (std::size_t r = 0; r < l.out.size(); ++r)
    if (l.out[r] == loop_output::stack) results[r] = sum_of(stacks[r]);
  return results;
}

}  // namespace detail

inline graph unrolled(graph_view g) {
  std::vector<std::vector<term>> results(static_cast<std::size_t>(g.size()));
  graph to;
  sequence<int> at, operands;
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g[id];
    operands.clear();
    for (int operand : g.operands(id)) operands.push_back(at.entry[operand]);
    if (facts_of(n).is_loop) {
      results[static_cast<std::size_t>(id)] = detail::steps_of(to, loop_at(g, id), operands);
      at.push_back(-1);
    } else if (facts_of(n).is_result) {
      at.push_back(results[static_cast<std::size_t>(g.operands(id)[0])][static_cast<std::size_t>(n.attributes)].id);
    } else {
      at.push_back(pass::same_node(to, n, operands).id);
    }
  }
  for (int output : g.outputs) to.outputs.push_back(at.entry[output]);
  return to;
}

/// A graph with loops; node i is leaf i for the first leaves.
struct subject {
  graph g;
  std::vector<numbers> inputs;
};

class generator {
 public:
  explicit generator(unsigned seed) : random_(seed) {}

  subject make() {
    subject s;
    std::vector<term> values;
    for (int i = 0; i < 5; ++i) {
      shape const extent = i == 0 ? make_shape(2, 3) : any_shape();
      values.push_back(input(s.g, element::f64, extent, i));
      numbers entries;
      for (std::int64_t e = 0; e < extent.size(); ++e) entries.push_back(below(4001) / 2000.0 - 1);
      s.inputs.push_back(entries);
    }
    for (int i = 1 + below(2); i > 0; --i) {
      for (int k = below(3); k > 0; --k) values.push_back(computed(values));
      add_loop(s.g, values, 0);
    }
    term total = constant(s.g, element::f64, 0);
    for (term x : values)
      if (!chance(6)) total = total + emit<op::sum>(op::reduction::whole, emit<op::square>(0, emit<op::sin>(0, x)));
    s.g.outputs = {total.id};
    return s;
  }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool chance(int one_in) { return below(one_in) == 0; }

 private:
  std::mt19937 random_;

  shape any_shape() {
    constexpr fixed shapes{make_shape(),     make_shape(2),       make_shape(3),         make_shape(2, 2),
                           make_shape(2, 3), make_shape(2, 2, 3), make_shape(2, 1, 2, 3)};
    return shapes[static_cast<std::size_t>(below(chance(3) ? 7 : 5))];
  }
  term any(std::vector<term> const& values) {
    return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
  }

  /// A value of shape `s`, made of some value.
  term of_shape(std::vector<term> const& values, shape s) {
    for (int tries = 0; tries < 12; ++tries) {
      term const x = any(values);
      if (x->extent == s) return x;
      if (x->extent.size() == s.size()) return emit_to<op::reshape>(s, x);
      if (broadcasts(x->extent, s) && same_extents(broadcast_shape(x->extent, s), s) && tries > 6) return fit(x, s);
    }
    return fit(emit<op::sum>(op::reduction::whole, any(values)) * 0.25, s);
  }

  term computed(std::vector<term> const& values) {
    term const x = any(values);
    switch (below(10)) {
      case 0:
        return emit<op::tanh>(0, x);
      case 1:
        return emit<op::sin>(0, x);
      case 2:
        return x * of_shape(values, x->extent);
      case 3:
        return x + of_shape(values, x->extent);
      case 4:
        return emit<op::softmax>(op::reduction::whole, x);
      case 5:
        return x->extent.rank == 2 ? emit<op::transpose>(0, x) : emit<op::sum>(op::reduction::whole, x);
      case 6:
        return x->extent[0] > 1 ? slice(x, region(0, below(2)), 1) : x;
      case 7:
        return emit<op::select>(0, emit<op::less>(0, x, of_shape(values, x->extent)), x, of_shape(values, x->extent));
      case 8:
        return emit<op::tanh>(
            0, emit<op::matmul>(0, of_shape(values, make_shape(2, 2)), of_shape(values, make_shape(2, 3))));
      default:
        return chance(4) ? emit<op::stop_gradient>(0, x) : fit(constant(*x.owner, element::f64, 0.5), make_shape(2));
    }
  }

  /// Adds a loop that reads `values` of `g`; its results are further values.
  void add_loop(graph& g, std::vector<term>& values, int depth) {
    loop_body l;
    l.count = chance(4) ? 1 : 2 + below(2);
    l.backward = chance(3);
    l.keeps_carries = chance(3);
    sequence<int> operands;
    std::vector<term> inside;
    std::vector<shape> carries;
    auto const add_input = [&](loop_input f, term operand, shape const& seen) {
      inside.push_back(input(l.body, element::f64, seen, static_cast<int>(l.in.size())));
      l.in.push_back(f);
      operands.push_back(operand.id);
    };
    for (int i = 1 + below(4); i > 0; --i) {
      term const x = any(values);
      switch (below(4)) {
        case 0:
          carries.push_back(x->extent);
          add_input(loop_input::carry, x, x->extent);
          break;
        case 1:
          add_input(loop_input::captured, x, x->extent);
          break;
        default: {
          shape s = any_shape();
          while (s.rank > 3) s = any_shape();
          term const whole = of_shape(values, stacked(s, l.count));
          loop_input const f = chance(2) ? loop_input::slice : chance(2) ? loop_input::before : loop_input::after;
          add_input(f, whole, s);
          if (f == loop_input::slice) break;
          l.in.push_back(loop_input::captured);
          operands.push_back(of_shape(values, s).id);
        }
      }
    }
    for (int i = 1 + below(6); i > 0; --i) inside.push_back(computed(inside));
    if (depth < 1 && chance(3)) add_loop(l.body, inside, depth + 1);
    for (shape const& s : carries) {
      l.out.push_back(loop_output::carry);
      l.body.outputs.push_back(of_shape(inside, s).id);
    }
    for (int i = below(4) + (carries.empty() ? 1 : 0); i > 0; --i) {
      term const y = any(inside);
      l.out.push_back(y->extent.rank < max_rank && !chance(3) ? loop_output::stack : loop_output::sum);
      l.body.outputs.push_back(y.id);
    }
    int const loop = insert_loop(g, l, operands);
    for (int r = 0; r < static_cast<int>(l.out.size()); ++r)
      if (!chance(5)) values.push_back(result_of(g, l, loop, r));
  }
};

}  // namespace random_loops

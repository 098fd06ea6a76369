// machine: runs kernels and a plan as written, entry by entry, in one arena of poisoned
// bytes. It shares no code with run/.
#pragma once

#include "lower/lowered.hpp"

#include <cstring>
#include <optional>
#include <stdexcept>
#include <vector>

namespace machine {

using namespace etch;
using numbers = std::vector<double>;

class arena {
 public:
  /// With `held`, all outputs are added to that number, which their storage holds before.
  arena(graph_view g, std::vector<pass::kernel> const& kernels, pass::buffer_plan const& buffers,
        std::vector<numbers> const& inputs, bool backwards, std::optional<double> held = std::nullopt)
      : g_(g),
        kernels_(kernels),
        plan_(buffers),
        inputs_(inputs),
        backwards_(backwards),
        accumulates_(held.has_value()),
        slot_(buffers.slot),
        workspace_(static_cast<std::size_t>(buffers.bytes)) {
    poison(0, buffers.bytes);
    for (std::size_t i = 0; i < g.outputs.size(); ++i) {
      if (slot_[index(g.outputs[i])] != static_cast<int>(i))
        throw std::runtime_error("an output is not where it belongs");
      outputs_.emplace_back(index(g[g.outputs[i]].extent.size()),
                            held.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }

  std::vector<numbers> run() {
    for (std::size_t k = 0; k < kernels_.size(); ++k) running_ = &kernels_[k], run(kernels_[k], plan_.scratch[k]);
    return outputs_;
  }

 private:
  using point = std::array<int, max_rank>;

  graph_view g_;
  std::vector<pass::kernel> const& kernels_;
  pass::buffer_plan const& plan_;
  std::vector<numbers> const& inputs_;
  bool backwards_;
  bool accumulates_;
  sequence<int> slot_;
  std::vector<unsigned char> workspace_;
  std::vector<numbers> outputs_;
  pass::kernel const* running_ = nullptr;

  template <class I>
  static std::size_t index(I i) {
    return static_cast<std::size_t>(i);
  }

  /// Every bit set: NaN in every floating type.
  void poison(std::int64_t offset, std::int64_t bytes) {
    std::fill_n(workspace_.begin() + offset, bytes, static_cast<unsigned char>(0xff));
  }

  static std::int64_t entry(layout const& where, point const& at) {
    std::int64_t e = where.offset;
    for (std::size_t axis = 0; axis < max_rank; ++axis) e += where.step[axis] * at[axis];
    return e;
  }

  double read(int root, std::int64_t at) const {
    element const type = g_[root].type;
    if (pass::is_input(g_[root])) return inputs_.at(index(g_[root].attributes)).at(index(at));
    if (int const slot = slot_[index(root)]; slot >= 0) return outputs_[index(slot)].at(index(at));
    if (plan_.offset[index(root)] < 0) throw std::runtime_error("a kernel reads a buffer that was not planned");
    unsigned char const* from = &workspace_.at(index(plan_.offset[index(root)] + at * bytes_of(type)));
    if (type == element::f32) {
      float x;
      return std::memcpy(&x, from, sizeof x), static_cast<double>(x);
    }
    double x;
    return std::memcpy(&x, from, sizeof x), x;
  }
  void write(int root, std::int64_t at, double value) {
    if (int const slot = slot_[index(root)]; slot >= 0) {
      double& entry = outputs_[index(slot)].at(index(at));
      entry = accumulates_ && !plan_.is_continued[index(root)] ? in_type(g_[root].type, entry + value) : value;
      return;
    }
    if (plan_.offset[index(root)] < 0) throw std::runtime_error("a kernel writes a buffer that was not planned");
    std::int64_t const bytes = bytes_of(g_[root].type), first = plan_.offset[index(root)] + at * bytes;
    if (first + bytes > plan_.bytes) throw std::runtime_error("a kernel writes beyond the workspace");
    float const narrow = static_cast<float>(value);
    std::memcpy(&workspace_[index(first)], bytes == 4 ? static_cast<void const*>(&narrow) : &value, index(bytes));
  }

  static double in_type(element type, double x) {
    return type == element::f32 ? static_cast<double>(static_cast<float>(x)) : x;
  }

  double product(pass::kernel const& k, point const& at) const {
    double sum = 0;
    for (int i = 0; i < k.head.product.k; ++i)
      sum =
          in_type(k.head.type, sum + read_operand(k.head.a.root, entry(k.head.a.where, {at[0], i, at[2], at[3]})) *
                                         read_operand(k.head.b.root, entry(k.head.b.where, {i, at[1], at[2], at[3]})));
    return sum;
  }

  /// Entry `at` of what a kernel reads as an operand: an output, which may hold something else before,
  /// only where the kernel continues it.
  double read_operand(int root, std::int64_t at) const {
    auto const continues = [&](pass::result const& r) {
      return plan_.is_continued[index(r.node)] && slot_[index(r.root)] == slot_[index(root)];
    };
    if (slot_[index(root)] >= 0 && std::none_of(running_->results.begin(), running_->results.end(), continues))
      throw std::runtime_error("a kernel reads an output");
    return read(root, at);
  }

  /// Combines `value` with what the storage of a reduction holds.
  void reduce(pass::kernel const& k, pass::result const& r, std::int64_t to, double value) {
    int const slot = slot_[index(r.root)];
    double const combined = rule_table[r.op].combine(k.head.type, read(r.root, to), value);
    if (slot >= 0) outputs_[index(slot)].at(index(to)) = combined;
    else write(r.root, to, combined);
  }

  void visit(pass::kernel const& k, point const& at) {
    numbers in, value;
    for (pass::access const& a : k.inputs) {
      double x = 0;
      if (a.from == pass::source::memory) x = read_operand(a.root, entry(a.where, at));
      if (a.from == pass::source::constant) x = value_of(a.bits);
      if (a.from == pass::source::index) x = static_cast<double>(entry(a.where, at));
      if (a.from == pass::source::tile) x = product(k, at);
      in.push_back(in_type(k.head.type, x));
    }
    auto const operand = [&](int o) { return o < 0 ? in.at(index(~o)) : value.at(index(o)); };
    for (pass::instruction const& c : k.code) {
      numbers x;
      for (int o = 0; o < op_table[c.op].arity; ++o) x.push_back(operand(c.operand[index(o)]));
      value.push_back(in_type(k.head.type, rule_table[c.op].value(k.head.type, x)));
    }
    for (pass::result const& r : k.results) {
      std::int64_t const to = entry(r.where, at);
      if (!r.reduces) write(r.root, to, operand(r.value));
      else reduce(k, r, to, operand(r.value));
    }
  }

  void run_block(pass::kernel const& k) {
    pass::result const& r = k.results[0];
    if (accumulates_ && slot_[index(r.root)] >= 0 && !op_table[g_[r.node].op].accumulates)
      throw std::runtime_error("a block that cannot accumulate writes an output");
    std::vector<numbers> entries;
    std::vector<shape> extents;
    for (std::size_t o = 0; o < k.inputs.size(); ++o) {
      extents.push_back(g_[g_.operands(r.node)[o]].extent);
      entries.emplace_back();
      for_each_index(extents[o], [&](auto const& i) {
        entries[o].push_back(read_operand(k.inputs[o].root, entry(k.inputs[o].where, {i[0], i[1], i[2], i[3]})));
      });
    }
    std::vector<block<double const>> x;
    for (std::size_t o = 0; o < entries.size(); ++o)
      x.push_back({entries[o].data(), extents[o], contiguous_strides(extents[o])});
    numbers y(index(g_[r.node].extent.size()));
    rule_table[g_[r.node].op].compute(g_[r.node].attributes,
                                      {y.data(), g_[r.node].extent, contiguous_strides(g_[r.node].extent)}, x);
    std::size_t at = 0;
    for_each_index(g_[r.node].extent, [&](auto const& i) {
      write(r.root, entry(r.where, {i[0], i[1], i[2], i[3]}), in_type(k.head.type, y[at++]));
    });
  }

  void run(pass::kernel const& k, std::int64_t scratch) {
    std::int64_t const packed =
        k.head.computes == pass::form::product ? k.head.product.packed_entries() * bytes_of(k.head.type) : 0;
    if (packed > 0) poison(scratch, packed);
    for (pass::result const& r : k.results) {
      bool const is_output = slot_[index(r.root)] >= 0;
      if (r.reduces && accumulates_ && is_output && !op_table[r.op].accumulates)
        throw std::runtime_error("a reduction that cannot accumulate writes an output");
      if (r.reduces && !(accumulates_ && is_output))
        for_each_index(g_[r.node].extent, [&](auto const& i) {
          write(r.root, entry(r.where, {i[0], i[1], i[2], i[3]}), op_table[r.op].start);
        });
    }
    if (k.head.computes == pass::form::block) return run_block(k);
    std::vector<point> points;
    for (int l = 0; l < k.head.space[3]; ++l)
      for (int m = 0; m < k.head.space[2]; ++m)
        for (int j = 0; j < k.head.space[1]; ++j)
          for (int i = 0; i < k.head.space[0]; ++i) points.push_back({i, j, m, l});
    if (backwards_) std::reverse(points.begin(), points.end());
    for (point const& at : points) visit(k, at);
    if (packed > 0) poison(scratch, packed);
  }
};

/// A plan that reuses nothing: every buffer and all scratch memory in a place of its own.
inline pass::buffer_plan without_reuse(graph_view g, std::vector<pass::kernel> const& kernels) {
  pass::buffer_plan p{
      filled(g.nodes.size(), std::int64_t{-1}), filled(g.nodes.size(), -1), filled(g.nodes.size(), '\0'), {}, 0, 0};
  for (std::size_t i = 0; i < g.outputs.size(); ++i)
    p.slot[static_cast<std::size_t>(g.outputs[i])] = static_cast<int>(i);
  for (pass::kernel const& k : kernels) {
    for (pass::result const& r : k.results) {
      auto const root = static_cast<std::size_t>(r.root);
      if (p.slot[root] >= 0 || p.offset[root] >= 0) continue;
      p.offset[root] = p.bytes;
      p.bytes += pass::padded_bytes(g[r.root]);
    }
    p.scratch.push_back(p.bytes);
    p.bytes += pass::padded(k.head.scratch);
  }
  return p;
}

/// The outputs of the materialised graph `g`, computed as its kernels and its plan say;
/// added to `held`, where it is given.
inline std::vector<numbers> execute(graph_view g, std::vector<numbers> const& inputs, bool backwards,
                                    std::optional<double> held = std::nullopt) {
  std::vector<pass::kernel> const kernels = lowered::kernels_of(g);
  pass::buffer_plan const buffers = lowered::plan(g, kernels);
  return arena(g, kernels, buffers, inputs, backwards, held).run();
}

/// The same, with nothing reused.
inline std::vector<numbers> execute_without_reuse(graph_view g, std::vector<numbers> const& inputs, bool backwards) {
  std::vector<pass::kernel> const kernels = lowered::kernels_of(g);
  pass::buffer_plan const buffers = without_reuse(g, kernels);
  return arena(g, kernels, buffers, inputs, backwards).run();
}

}  // namespace machine

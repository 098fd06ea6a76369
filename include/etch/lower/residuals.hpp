// residuals: the values that the forward part of a program leaves in memory for the backward part.
#pragma once

#include <etch/lower/buffer_uses.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// How many buffers, their bytes, and what each entry that counts adds to these.
struct residuals {
  int count = 0;
  std::int64_t bytes = 0, bytes_of_each = 0;
};

/// The nodes that the first output of `g` needs, and what loops among them leave besides.
constexpr sequence<char> forward_part(graph_view g) {
  sequence<char> needed = sequence<char>::zeros(g.nodes.size());
  needed.entry[g.outputs.start[0]] = 1;
  for (int id = g.size() - 1; id >= 0; --id)
    if (needed.entry[id])
      for (int operand : g.operands(id)) needed.entry[operand] = 1;
  for (int id = 0; id < g.size(); ++id)
    if (op_table.entry[g[id].op].is_result && needed.entry[g.operands(id)[0]]) needed.entry[id] = 1;
  return needed;
}

/// By node: buffers that hold a value of the forward part (what the first output needs, arguments
/// excepted) and are read from memory for the sake of any other value. What a kernel computes for both
/// parts at once, or computes again, is not saved.
constexpr sequence<char> residual_buffers(graph_view g, const_span<kernel> kernels) {
  sequence<char> const forward = forward_part(g);
  sequence<char> holds_forward = sequence<char>::zeros(g.nodes.size()), saved = holds_forward;
  auto const read = [&](access const& a) {
    if (a.from == source::memory && holds_forward.entry[a.root]) saved.entry[a.root] = 1;
  };
  sequence<char> needed;  // values of a body, inputs first
  for (kernel const& k : kernels) {
    int const inputs = static_cast<int>(k.inputs.size());
    needed = filled(k.inputs.size() + k.code.size(), '\0');
    auto const need = [&](int operand) { needed.entry[operand < 0 ? ~operand : inputs + operand] = 1; };
    bool const reads_all = reads_whole_operands(k.head.computes);
    bool backward = false;
    for (result const& r : k.results) {
      if (forward.entry[r.node]) continue;
      backward = true;
      if (!reads_all) need(r.value);
    }
    for (int i = static_cast<int>(k.code.size()) - 1; backward && i >= 0; --i) {
      if (!needed.entry[inputs + i]) continue;
      instruction const& step = k.code.entry[i];
      for (int o = 0; o < op_table.entry[step.op].arity; ++o) need(step.operand.entry[o]);
    }
    for (int i = 0; backward && i < inputs; ++i) {
      if (!reads_all && !needed.entry[i]) continue;
      access const& a = k.inputs.entry[i];
      read(a);
      if (a.from == source::tile) read(k.head.a), read(k.head.b);
    }
    for (result const& r : k.results)
      if (forward.entry[r.node]) holds_forward.entry[r.root] = 1;
  }
  return saved;
}

constexpr residuals residuals_of(graph_view g, const_span<kernel> kernels) {
  sequence<char> const is_saved = residual_buffers(g, kernels);
  residuals saved;
  for (int id = 0; id < g.size(); ++id) {
    if (!is_saved.entry[id]) continue;
    ++saved.count;
    saved.bytes += buffer_bytes(g, id);
    saved.bytes_of_each += bytes_of_each(g[id]);
  }
  return saved;
}

}  // namespace pass
ETCH_NAMESPACE_END

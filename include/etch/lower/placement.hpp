// placement: a kernel with its buffers, where the plan put them.
#pragma once

#include <etch/lower/packed_kernel.hpp>
#include <etch/lower/plan.hpp>
#include <etch/lower/loop_kernel.hpp>
#include <etch/rewrite/counted.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The location in `plan` of the buffer of node `id`, `entries` from its start.
constexpr location find_buffer(graph_view g, auto const& plan, int id, std::int64_t entries) {
  node const& n = g[id];
  std::int64_t const bytes = entries * bytes_of(n.type);
  if (n.op == opcode_of<op::count>) {
    std::int64_t const behind = n.attributes == op::count::of_all_workers ? bytes_of(n.type) : 0;
    return {location::place::argument, static_cast<int>(op::count::before_arguments), behind};
  }
  if (is_input(n)) return {location::place::argument, static_cast<int>(n.attributes), bytes};
  if (plan.slot.entry[id] >= 0) return {location::place::output, plan.slot.entry[id], bytes};
  return {location::place::workspace, 0, plan.offset.entry[id] + bytes};
}

/// The repetition `k`.
constexpr scheduled_kernel place_loop(graph_view g, auto const& plan, std::int64_t scratch, kernel const& k) {
  int const loop = loop_run_by(g, k);
  loop_kernel const r = loop_kernel_of(g, loop);
  scheduled_kernel s;
  s.computes = k.head.computes;
  s.scratch = scratch < 0 ? 0 : scratch;
  s.count = r.loop.count;
  s.backward = r.loop.backward;
  s.in_lanes = runs_in_lanes(r.loop);
  s.gate = r.loop.gate;
  s.body = etch::detail::packed_words(r.loop.body);
  s.own_inputs = static_cast<int>(r.loop.in.size());
  s.space.counted = r.loop.counted ? 1 : counts(r.loop.body) ? counts_in_steps : 0;
  auto const add = [&](std::size_t i, int node, loop_input kind, int value) {
    access const& a = k.inputs[i];
    placed p{a.from, find_buffer(g, plan, a.root, a.where.offset), {}, a.type, a.bits};
    p.extent = g[node].extent;
    p.role = static_cast<std::uint8_t>(kind);
    p.value = value;
    if (kind == loop_input::slice && s.count > 1) {
      std::int64_t const step = a.where.step.entry[p.extent.rank - 1];
      if (step != p.extent.size() / s.count) p.step = {step};
    }
    s.inputs.push_back(p);
  };
  for (std::size_t i = 0; i < r.loop.in.size(); ++i) add(i, g.operands(loop)[i], r.loop.in[i], 0);
  if (r.again.of.exists()) {
    s.snapshots = r.again.of.snapshots;
    s.again = etch::detail::packed_words(r.again.body);
    for (std::size_t q = 0; q < r.again.of.inputs.size(); ++q)
      s.inputs[static_cast<std::size_t>(r.again.of.inputs[q])].value = static_cast<int>(q) + 1;
    for (input_again const& each : r.again.in) add(s.inputs.size(), each.node, each.kind, each.sampled + 1);
  }
  if (r.kept.exists()) s.snapshots = r.kept.snapshots;
  for (std::size_t q = 0; q < r.kept.stacks.size(); ++q) {
    int const stack = r.kept.stacks[q];
    placed p{source::memory, find_buffer(g, plan, stack, 0), {}, g[stack].type};
    p.extent = g[stack].extent;
    p.role = static_cast<std::uint8_t>(loop_input::slice);
    p.value = r.kept.outputs[q] + 1;
    s.inputs.push_back(p);
  }
  for (std::size_t i = 0; i < r.out.size(); ++i) {
    step_output const& out = r.out[i];
    node const& value = r.loop.body[r.loop.body.outputs[i]];
    placed p{source::memory, {}, {}, value.type};
    p.extent = value.extent;
    p.reduces = out.result >= 0;  // whether there is a result
    if (out.result >= 0) p.at = find_buffer(g, plan, out.result, 0);
    p.value = out.carry;
    p.role = static_cast<std::uint8_t>(out.kind);
    p.accumulates = out.result >= 0 && p.at.in == location::place::output;
    s.results.push_back(p);
  }
  return s;
}

/// Kernel `k` of the materialised graph `g`, its buffers where `plan` says, its scratch memory at `scratch`.
constexpr scheduled_kernel place_buffers(graph_view g, auto const& plan, std::int64_t scratch, kernel const& k) {
  if (k.head.computes == form::loop) return place_loop(g, plan, scratch, k);
  bool const is_block = k.head.computes == form::block;
  auto const place_access = [&](access const& a) {
    placed p{a.from, {}, a.where.step, a.type, a.bits};
    if (a.from == source::memory) p.at = find_buffer(g, plan, a.root, a.where.offset);
    return p;
  };
  scheduled_kernel s;
  s.computes = k.head.computes;
  s.space = k.head.space;
  s.type = k.head.type;
  if (k.head.computes == form::product) {
    s.product = k.head.product;
    s.sliding = k.head.sliding;
    s.a = place_access(k.head.a);
    s.b = place_access(k.head.b);
    s.scratch = scratch < 0 ? 0 : scratch;
  }
  for (access const& a : k.inputs) {
    s.inputs.push_back(place_access(a));
    if (is_block) s.inputs.back().extent = g[g.operands(k.results[0].node)[s.inputs.size() - 1]].extent;
  }
  s.code = k.code;
  for (result const& r : k.results) {
    placed p{source::memory, find_buffer(g, plan, r.root, r.where.offset), r.where.step, r.type};
    p.value = r.value;
    p.reduces = r.reduces;
    p.accumulates = p.at.in == location::place::output && !plan.is_continued.entry[r.node];
    if (r.reduces || is_block) p.op = g[r.node].op;
    if (is_block) p.bits = g[r.node].attributes, p.extent = g[r.node].extent;
    s.results.push_back(p);
  }
  return s;
}

}  // namespace pass
ETCH_NAMESPACE_END

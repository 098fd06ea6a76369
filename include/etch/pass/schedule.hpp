// schedule: fused kernels with their planned buffers, packed into words, from which each becomes machine code on its own.
// (A constant of nested arrays costs compilers as much for every kernel that is read out of it as for all of them together.)
#pragma once

#include <etch/pass/fuse.hpp>
#include <etch/pass/materialise.hpp>
#include <etch/pass/packed_kernel.hpp>
#include <etch/pass/plan.hpp>
#include <etch/pass/repetition.hpp>

namespace etch::inline ETCH_ABI::pass {

/// The location of the buffer of node `id`, `entries` from its start.
constexpr location find_buffer(graph_view g, const_span<std::int64_t> offsets, int id, std::int64_t entries) {
  node const& n = g[id];
  std::int64_t const bytes = entries * bytes_of(n.type);
  if (is_input(n)) return {location::place::argument, static_cast<int>(n.attributes), bytes};
  for (std::size_t slot = 0; slot < g.outputs.size(); ++slot)
    if (g.outputs[slot] == id) return {location::place::output, static_cast<int>(slot), bytes};
  return {location::place::workspace, 0, offsets[static_cast<std::size_t>(id)] + bytes};
}

/// The repetition `k`.
constexpr scheduled_kernel place_repetition(graph_view g, const_span<std::int64_t> offsets, std::int64_t scratch, kernel const& k) {
  int const loop = g.operands(k.results[0].node)[0];
  repetition const r = repetition_of(g, loop);
  scheduled_kernel s;
  s.computes = k.head.computes;
  s.scratch = scratch < 0 ? 0 : scratch;
  s.count = r.loop.count;
  s.backward = r.loop.backward;
  s.body = etch::detail::packed_words(r.loop.body);
  for (std::size_t i = 0; i < k.inputs.size(); ++i) {
    access const& a = k.inputs[i];
    placed p{a.from, find_buffer(g, offsets, a.root, a.where.offset), {}, a.type};
    p.extent = g[g.operands(loop)[i]].extent;
    p.role = static_cast<std::uint8_t>(r.loop.in[i]);
    s.inputs.push_back(p);
  }
  for (std::size_t i = 0; i < r.out.size(); ++i) {
    step_output const& out = r.out[i];
    node const& value = r.loop.body[r.loop.body.outputs[i]];
    placed p{source::memory, {}, {}, value.type};
    p.extent = value.extent;
    p.reduces = out.result >= 0;  // whether there is a result
    if (out.result >= 0) p.at = find_buffer(g, offsets, out.result, 0);
    p.value = out.carry;
    p.role = static_cast<std::uint8_t>(out.kind);
    s.results.push_back(p);
  }
  return s;
}

/// Kernel `k` of the materialised graph `g`, its buffers at `offsets`, its scratch memory at `scratch`.
constexpr scheduled_kernel place_buffers(graph_view g, const_span<std::int64_t> offsets, std::int64_t scratch, kernel const& k) {
  bool const is_block = k.head.computes == form::block;
  if (k.head.computes == form::repetition) return place_repetition(g, offsets, scratch, k);
  auto const place_access = [&](access const& a) {
    placed p{a.from, {}, a.where.step, a.type, a.bits};
    if (a.from == source::memory) p.at = find_buffer(g, offsets, a.root, a.where.offset);
    return p;
  };
  scheduled_kernel s;
  s.computes = k.head.computes;
  s.space = k.head.space;
  s.type = k.head.type;
  if (k.head.computes == form::product) {
    s.product = k.head.product;
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
    placed p{source::memory, find_buffer(g, offsets, r.root, r.where.offset), r.where.step, r.type};
    p.value = r.value;
    p.reduces = r.reduces;
    if (r.reduces || is_block) p.op = g[r.node].op;
    if (is_block) p.bits = g[r.node].attributes, p.extent = g[r.node].extent;
    s.results.push_back(p);
  }
  return s;
}

/// The words of the body of the loop at node `loop`.
constexpr sequence<std::uint64_t> body_words(graph_view g, int loop) { return etch::detail::packed_words(repetition_of(g, loop).loop.body); }

/// A program's kernels in order, each in words of its own.
template <int Words, int Kernels>
struct static_schedule {
  static constexpr int kernel_count = Kernels;
  fixed<std::uint64_t, Words> words{};
  fixed<int, Kernels + 1> first{};             ///< word of each kernel
  fixed<int, Kernels + 1> last_output{};  ///< the last output that a kernel writes to; -1 if none

  constexpr scheduled_kernel operator[](int k) const {
    int const begin = first.entry[k];
    return unpack_kernel({words.data() + begin, static_cast<std::size_t>(first.entry[k + 1] - begin)});
  }
};

/// The facts of every node of `Program::materialised`.
template <class Program>
consteval auto make_values() {
  sequence<value> const values = values_of(Program::materialised);
  fixed<value, static_cast<int>(Program::materialised.nodes.size())> s;
  for (std::size_t i = 0; i < values.size(); ++i) s.entry[i] = values.entry[i];
  return s;
}

/// The membership of every node of the materialised graph `Program::materialised`.
template <int Nodes>
struct static_grouping {
  fixed<membership, Nodes> of{};
  int kernels = 0;
};
template <class Program>
consteval auto make_grouping() {
  grouping const g = group(Program::materialised, Program::values);
  static_grouping<static_cast<int>(Program::materialised.nodes.size())> s;
  for (std::size_t i = 0; i < g.of.size(); ++i) s.of.entry[i] = g.of[i];
  s.kernels = g.kernels;
  return s;
}

template <class Program>
constexpr sequence<kernel> kernels_of() {
  return fuse(Program::materialised, Program::values, Program::groups.of, Program::groups.kernels);
}

/// The buffers of a program: offsets in the workspace by node and by kernel, in bytes.
template <int Nodes, int Kernels>
struct static_plan {
  static constexpr int kernel_count = Kernels;
  fixed<std::int64_t, Nodes> offset{};
  fixed<std::int64_t, Kernels> scratch{};
  std::int64_t bytes = 0;
};
namespace detail {
// Loops by their nodes' order.
template <class Program>
inline constexpr int loop_count = [] {
  int loops = 0;
  for (node const& n : Program::materialised.nodes) loops += n.op == opcode_of<op::loop>;
  return loops;
}();
template <class Program, int Loop>
consteval int loop_node() {
  int seen = 0, id = 0;
  while (Program::materialised.nodes[static_cast<std::size_t>(id)].op != opcode_of<op::loop> || seen++ != Loop) ++id;
  return id;
}
template <class Program, int Loop>
inline constexpr int body_word_count = static_cast<int>(body_words(Program::materialised, loop_node<Program, Loop>()).size());

// A variable of its own for the reason given at `freeze`.
template <class Program>
inline constexpr int kernel_count = static_cast<int>(kernels_of<Program>().size());
}  // namespace detail

/// The body of loop `Loop` of `Program` as a program's content.
template <class Program, int Loop>
consteval auto packed_body() {
  packed_graph<detail::body_word_count<Program, Loop>> packed;
  sequence<std::uint64_t> const words = body_words(Program::materialised, detail::loop_node<Program, Loop>());
  for (std::size_t i = 0; i < words.size(); ++i) packed.words[i] = words[i];
  return packed;
}

/// The plan for the kernels that `Program::groups` makes.
template <class Program>
consteval auto make_plan() {
  constexpr int kernel_count = detail::kernel_count<Program>;
  buffer_plan const p = plan(Program::materialised, kernels_of<Program>(), Program::loop_bytes);
  static_plan<static_cast<int>(Program::materialised.nodes.size()), kernel_count> s;
  for (std::size_t i = 0; i < p.offset.size(); ++i) s.offset.entry[i] = p.offset[i];
  for (std::size_t i = 0; i < p.scratch.size(); ++i) s.scratch.entry[i] = p.scratch[i];
  s.bytes = p.bytes;
  return s;
}

namespace detail {

struct packed_kernels {
  sequence<std::uint64_t> words;
  sequence<int> first;
  sequence<int> last_output;
};
template <class Program>
constexpr packed_kernels pack_kernels() {
  packed_kernels packed;
  etch::detail::byte_writer out;
  std::size_t i = 0;
  for (kernel const& k : kernels_of<Program>()) {
    scheduled_kernel s = place_buffers(Program::materialised, Program::plan.offset, Program::plan.scratch.entry[i++], k);
    packed.first.push_back(static_cast<int>(out.words().size()));
    pack_kernel(out, s);
    int last_output = -1;
    for (placed const& r : s.results)
      if (r.at.in == location::place::output) last_output = std::max(last_output, r.at.position);
    packed.last_output.push_back(last_output);
  }
  packed.first.push_back(static_cast<int>(out.words().size()));
  packed.words = out.words();
  return packed;
}

template <class Program>
inline constexpr int word_count = static_cast<int>(pack_kernels<Program>().words.size());

}  // namespace detail

/// The kernels of a program, with the buffers of `Program::plan`.
template <class Program>
consteval auto make_schedule() {
  constexpr int words = detail::word_count<Program>;
  detail::packed_kernels const packed = detail::pack_kernels<Program>();
  static_schedule<words, Program::plan.kernel_count> s;
  for (std::size_t i = 0; i < packed.words.size(); ++i) s.words.entry[i] = packed.words[i];
  for (std::size_t i = 0; i < packed.first.size(); ++i) s.first.entry[i] = packed.first[i];
  for (std::size_t i = 0; i < packed.last_output.size(); ++i) s.last_output.entry[i] = packed.last_output[i];
  return s;
}

}  // namespace etch::inline ETCH_ABI::pass

// schedule: fused kernels and planned buffers as one literal, ready to become machine code.
#pragma once

#include <etch/pass/fuse.hpp>
#include <etch/pass/materialise.hpp>
#include <etch/pass/plan.hpp>

namespace etch::inline ETCH_ABI::pass {

/// Where a kernel finds a buffer: a leaf of the arguments, an output, or the workspace.
struct location {
  enum class place : std::uint8_t { argument, output, workspace } in{};
  int position = 0;         ///< leaf or output
  std::int64_t offset = 0;  ///< in bytes

  friend constexpr bool operator==(location const&, location const&) = default;
};

struct placed_access {
  access from{};
  location at{};
};
struct placed_result {
  result value{};
  location at{};
};

/// One kernel of a static schedule; its parts are ranges of the schedule's arrays.
struct static_kernel {
  bool is_product = false;
  shape space{};
  element type{};
  contraction product{};
  location a{}, b{}, scratch{};
  int first_input = 0, inputs = 0, first_instruction = 0, instructions = 0, first_result = 0, results = 0;
};

/// A program's kernels in order.
template <int Kernels, int Inputs, int Instructions, int Results>
struct static_schedule {
  static constexpr int kernel_count = Kernels;
  std::array<static_kernel, Kernels> kernels{};
  std::array<placed_access, Inputs == 0 ? 1 : Inputs> inputs{};
  std::array<instruction, Instructions == 0 ? 1 : Instructions> code{};
  std::array<placed_result, Results> results{};
  std::int64_t workspace_bytes = 0;
};

/// Fuses and plans the materialised graph `Program::materialised`, as a literal.
template <class Program>
consteval auto make_schedule() {
  constexpr auto count = [] {
    std::array<int, 4> n{};
    for (kernel const& k : fuse(Program::materialised)) {
      ++n[0];
      n[1] += static_cast<int>(k.inputs.size());
      n[2] += static_cast<int>(k.code.size());
      n[3] += static_cast<int>(k.results.size());
    }
    return n;
  }();
  graph_view const g = Program::materialised;
  std::vector<kernel> const kernels = fuse(g);  // constexpr data
  buffer_plan const buffers = plan(g, kernels);

  std::vector<int> slot = filled(g.nodes.size(), -1);  // constexpr data: by node, the output it is
  for (std::size_t i = 0; i < g.outputs.size(); ++i) slot[static_cast<std::size_t>(g.outputs[i])] = static_cast<int>(i);
  auto const find = [&](int id, std::int64_t entries) {
    std::int64_t const bytes = entries * bytes_of(g[id].type);
    if (is_input(g[id])) return location{location::place::argument, static_cast<int>(g[id].attributes), bytes};
    if (int const output = slot[static_cast<std::size_t>(id)]; output >= 0) return location{location::place::output, output, bytes};
    return location{location::place::workspace, 0, buffers.offset[static_cast<std::size_t>(id)] + bytes};
  };

  static_schedule<count[0], count[1], count[2], count[3]> s;
  s.workspace_bytes = buffers.bytes;
  std::array<std::size_t, 3> next{};
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    kernel const& k = kernels[i];
    static_kernel& out = s.kernels[i];
    out.is_product = k.is_product;
    out.space = k.space;
    out.type = k.type;
    if (k.is_product) {
      out.product = k.product;
      out.a = find(k.a.root, k.a.where.offset);
      out.b = find(k.b.root, k.b.where.offset);
      if (out.product.transposed) std::swap(out.a, out.b);
      out.scratch = {location::place::workspace, 0, std::max(buffers.scratch[i], std::int64_t{0})};
    }
    out.first_input = static_cast<int>(next[0]);
    out.inputs = static_cast<int>(k.inputs.size());
    out.first_instruction = static_cast<int>(next[1]);
    out.instructions = static_cast<int>(k.code.size());
    out.first_result = static_cast<int>(next[2]);
    out.results = static_cast<int>(k.results.size());
    for (access const& a : k.inputs) s.inputs[next[0]++] = {a, a.from == source::memory ? find(a.root, a.where.offset) : location{}};
    for (instruction const& c : k.code) s.code[next[1]++] = c;
    for (result const& r : k.results) s.results[next[2]++] = {r, find(r.node, 0)};
  }
  return s;
}

}  // namespace etch::inline ETCH_ABI::pass

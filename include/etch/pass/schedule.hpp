// schedule: fused kernels, and planned buffers, as literals ready to become machine code.
#pragma once

#include <etch/pass/fuse.hpp>
#include <etch/pass/materialise.hpp>
#include <etch/pass/plan.hpp>

namespace etch::inline ETCH_ABI::pass {

/// A program's kernels in order; the parts of a kernel are ranges of the arrays.
template <int Kernels, int Inputs, int Instructions, int Results>
struct static_schedule {
  static constexpr int kernel_count = Kernels;
  struct entry {
    kernel_head head{};
    int first_input = 0, inputs = 0, first_instruction = 0, instructions = 0, first_result = 0, results = 0;
  };
  fixed<entry, Kernels> kernels{};
  fixed<access, Inputs> inputs{};
  fixed<instruction, Instructions> code{};
  fixed<result, Results> results{};

  constexpr kernel_view operator[](int k) const {
    entry const& e = kernels[static_cast<std::size_t>(k)];
    return {e.head,
            {inputs.data() + e.first_input, static_cast<std::size_t>(e.inputs)},
            {code.data() + e.first_instruction, static_cast<std::size_t>(e.instructions)},
            {results.data() + e.first_result, static_cast<std::size_t>(e.results)}};
  }
};

/// The kernels of the materialised graph `Program::materialised`.
template <class Program>
consteval auto make_schedule() {
  constexpr auto count = [] {
    fixed<int, 4> n{};
    for (kernel const& k : fuse(Program::materialised)) {
      ++n[0];
      n[1] += static_cast<int>(k.inputs.size());
      n[2] += static_cast<int>(k.code.size());
      n[3] += static_cast<int>(k.results.size());
    }
    return n;
  }();
  static_schedule<count[0], count[1], count[2], count[3]> s;
  std::size_t kernels = 0;
  int inputs = 0, instructions = 0, results = 0;
  for (kernel const& k : fuse(Program::materialised)) {
    auto const sizes = fixed{static_cast<int>(k.inputs.size()), static_cast<int>(k.code.size()), static_cast<int>(k.results.size())};
    s.kernels[kernels++] = {k.head, inputs, sizes[0], instructions, sizes[1], results, sizes[2]};
    for (access const& a : k.inputs) s.inputs.entry[inputs++] = a;
    for (instruction const& c : k.code) s.code.entry[instructions++] = c;
    for (result const& r : k.results) s.results.entry[results++] = r;
  }
  return s;
}

/// The buffers of a program: offsets in the workspace by node and by kernel, in bytes.
template <int Nodes, int Kernels>
struct static_plan {
  fixed<std::int64_t, Nodes> offset{};
  fixed<std::int64_t, Kernels> scratch{};
  std::int64_t bytes = 0;
};

/// The plan for `Program::schedule`.
template <class Program>
consteval auto make_plan() {
  constexpr auto const& schedule = Program::schedule;
  buffer_plan const p = plan(Program::materialised, schedule.kernel_count, [](int k) { return schedule[k]; });
  static_plan<static_cast<int>(Program::materialised.nodes.size()), schedule.kernel_count> s;
  for (std::size_t i = 0; i < p.offset.size(); ++i) s.offset[i] = p.offset[i];
  for (std::size_t i = 0; i < p.scratch.size(); ++i) s.scratch[i] = p.scratch[i];
  s.bytes = p.bytes;
  return s;
}

/// Where a kernel finds a buffer: a leaf of the arguments, an output, or the workspace.
struct location {
  enum class place : std::uint8_t { argument, output, workspace } in{};
  int position = 0;         ///< leaf or output
  std::int64_t offset = 0;  ///< in bytes

  friend constexpr bool operator==(location const&, location const&) = default;
};

/// The location of the value of node `id`, `entries` from its start.
template <class Program>
constexpr location find_buffer(int id, std::int64_t entries) {
  node const& n = Program::materialised.nodes[static_cast<std::size_t>(id)];
  std::int64_t const bytes = entries * bytes_of(n.type);
  if (is_input(n)) return {location::place::argument, static_cast<int>(n.attributes), bytes};
  for (std::size_t slot = 0; slot < Program::materialised.outputs.size(); ++slot)
    if (Program::materialised.outputs[slot] == id) return {location::place::output, static_cast<int>(slot), bytes};
  return {location::place::workspace, 0, Program::plan.offset[static_cast<std::size_t>(id)] + bytes};
}

}  // namespace etch::inline ETCH_ABI::pass

// schedule: fused kernels with their planned buffers, packed into words, from which each becomes machine code on its own.
// (A constant of nested arrays costs compilers as much for every kernel that is read out of it as for all of them together.)
#pragma once

#include <etch/core/packed_graph.hpp>
#include <etch/pass/fuse.hpp>
#include <etch/pass/materialise.hpp>
#include <etch/pass/plan.hpp>

namespace etch::inline ETCH_ABI::pass {

/// Where a kernel finds a buffer: a leaf of the arguments, an output, or the workspace.
struct location {
  enum class place : std::uint8_t { argument, output, workspace } in{};
  int position = 0;         ///< leaf or output
  std::int64_t offset = 0;  ///< in bytes

  /// Outputs are the value, then the gradients.
  constexpr bool is_gradient() const { return in == place::output && position > 0; }
  friend constexpr bool operator==(location const&, location const&) = default;
};

/// One operand of a scheduled kernel, or one value that it leaves in memory.
struct placed {
  source from{};
  location at{};
  strides step{};     ///< over the axes of the iteration space; for blocks, of the value itself
  element type{};
  attribute bits{};   ///< of a constant; of the block's op, in a block's result
  shape extent{};     ///< of a block's operands and result
  int value = 0;      ///< of a result: numbered as an instruction's operand
  bool reduces = false;
  opcode op{};        ///< of a reduction, or of the block
  friend constexpr bool operator==(placed const&, placed const&) = default;
};

/// A kernel with its buffers.
struct scheduled_kernel {
  form computes{};
  shape space{};
  element type{};
  contraction product{};
  placed a{}, b{};
  std::int64_t scratch = 0;  ///< of a product: offset in the workspace, in bytes
  sequence<placed> inputs;
  sequence<instruction> code;
  sequence<placed> results;
};

namespace detail {

/// Writes and reads scheduled kernels, one field after the other. `put` stands for both directions.
template <class Stream>
class kernel_stream {
 public:
  constexpr explicit kernel_stream(Stream& s) : stream_(s) {}

  constexpr void put(scheduled_kernel& k) {
    stream_.number(k.computes), stream_.number(k.type), stream_.count(k.inputs), stream_.count(k.code), stream_.count(k.results);
    put(k.space);
    if (k.computes == form::product) {
      stream_.number(k.product.k), put(k.a), put(k.b), stream_.number(k.scratch);
    }
    for (placed& each : k.inputs) put(each), put_extent(each, k);
    for (instruction& each : k.code) {
      stream_.number(each.op);
      for (int i = 0; i < op_table.entry[each.op].arity; ++i) stream_.number(each.operand.entry[i]);
    }
    for (placed& each : k.results) {
      put(each), put_extent(each, k);
      stream_.number(each.value), stream_.number(each.reduces), stream_.number(each.op);
    }
  }

 private:
  Stream& stream_;

  constexpr void put(shape& s) {
    stream_.number(s.rank);
    for (int axis = 0; axis < s.rank; ++axis) stream_.number(s.extent.entry[axis]);
  }
  constexpr void put_extent(placed& p, scheduled_kernel const& k) {
    if (k.computes == form::block) put(p.extent);
  }
  constexpr void put(placed& p) {
    // Small fields share a number; strides end with the last that is not 0.
    int last = max_rank;
    while (last > 0 && p.step.entry[last - 1] == 0) --last;
    attribute head = static_cast<attribute>(p.from) | static_cast<attribute>(p.at.in) << 2 | static_cast<attribute>(last) << 4 |
                     static_cast<attribute>(p.bits != 0) << 7 | static_cast<attribute>(p.type) << 8 |
                     static_cast<attribute>(p.at.position) << 12;
    stream_.number(head);
    p.from = static_cast<source>(head & 3);
    p.at.in = static_cast<location::place>((head >> 2) & 3);
    last = static_cast<int>((head >> 4) & 7);
    p.type = static_cast<element>((head >> 8) & 15);
    p.at.position = static_cast<int>(head >> 12);
    if (p.from == source::memory) stream_.number(p.at.offset);
    for (int axis = 0; axis < last; ++axis) stream_.number(p.step.entry[axis]);
    if ((head & 128) == 0) return;
    p.bits = std::rotl(p.bits, etch::detail::attribute_rotation);
    stream_.number(p.bits);
    p.bits = std::rotr(p.bits, etch::detail::attribute_rotation);
  }
};

/// Negative numbers become odd ones.
constexpr std::uint64_t folded(std::int64_t x) { return (static_cast<std::uint64_t>(x) << 1) ^ static_cast<std::uint64_t>(x >> 63); }
constexpr std::int64_t unfolded(std::uint64_t x) { return static_cast<std::int64_t>(x >> 1) ^ -static_cast<std::int64_t>(x & 1); }

struct kernel_writer {
  etch::detail::byte_writer out;
  template <class T>
  constexpr void number(T& x) {
    if constexpr (std::is_same_v<T, attribute>) out.put(x);
    else out.put(folded(static_cast<std::int64_t>(x)));
  }
  template <class T>
  constexpr void count(sequence<T>& s) {
    out.put(s.size());
  }
};
struct kernel_reader {
  etch::detail::byte_reader in;
  template <class T>
  constexpr void number(T& x) {
    if constexpr (std::is_same_v<T, attribute>) x = in.get();
    else x = static_cast<T>(unfolded(in.get()));
  }
  template <class T>
  constexpr void count(sequence<T>& s) {
    s = filled(static_cast<std::size_t>(in.get()), T{});
  }
};

}  // namespace detail

/// The location of the buffer of node `id`, `entries` from its start.
constexpr location find_buffer(graph_view g, const_span<std::int64_t> offsets, int id, std::int64_t entries) {
  node const& n = g[id];
  std::int64_t const bytes = entries * bytes_of(n.type);
  if (is_input(n)) return {location::place::argument, static_cast<int>(n.attributes), bytes};
  for (std::size_t slot = 0; slot < g.outputs.size(); ++slot)
    if (g.outputs[slot] == id) return {location::place::output, static_cast<int>(slot), bytes};
  return {location::place::workspace, 0, offsets[static_cast<std::size_t>(id)] + bytes};
}

/// Kernel `k` of the materialised graph `g`, its buffers at `offsets`, its scratch memory at `scratch`.
constexpr scheduled_kernel place_buffers(graph_view g, const_span<std::int64_t> offsets, std::int64_t scratch, kernel const& k) {
  bool const is_block = k.head.computes == form::block;
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

/// Reads a kernel back from its words.
constexpr scheduled_kernel unpack_kernel(const_span<std::uint64_t> words) {
  scheduled_kernel k;
  detail::kernel_reader reader{etch::detail::byte_reader(words)};
  detail::kernel_stream<detail::kernel_reader>(reader).put(k);
  if (k.computes == form::product) k.product = contraction_of(k.type, k.space, k.product.k, k.a.step, k.b.step);
  return k;
}

/// A program's kernels in order, each in words of its own.
template <int Words, int Kernels>
struct static_schedule {
  static constexpr int kernel_count = Kernels;
  fixed<std::uint64_t, Words> words{};
  fixed<int, Kernels + 1> first{};           ///< word of each kernel
  fixed<bool, Kernels + 1> writes_gradient{};  ///< whether a kernel computes an output after the first

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
// A variable of its own for the reason given at `freeze`.
template <class Program>
inline constexpr int kernel_count = static_cast<int>(kernels_of<Program>().size());
}  // namespace detail

/// The plan for the kernels that `Program::groups` makes.
template <class Program>
consteval auto make_plan() {
  constexpr int kernel_count = detail::kernel_count<Program>;
  buffer_plan const p = plan(Program::materialised, kernels_of<Program>());
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
  sequence<bool> writes_gradient;
};
template <class Program>
constexpr packed_kernels pack_kernels() {
  packed_kernels packed;
  kernel_writer writer;
  std::size_t i = 0;
  for (kernel const& k : kernels_of<Program>()) {
    scheduled_kernel s = place_buffers(Program::materialised, Program::plan.offset, Program::plan.scratch.entry[i++], k);
    packed.first.push_back(static_cast<int>(writer.out.words().size()));
    kernel_stream<kernel_writer>(writer).put(s);
    writer.out.align();
    bool writes_gradient = false;
    for (placed const& r : s.results) writes_gradient = writes_gradient || r.at.is_gradient();
    packed.writes_gradient.push_back(writes_gradient);
  }
  packed.first.push_back(static_cast<int>(writer.out.words().size()));
  packed.words = writer.out.words();
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
  for (std::size_t i = 0; i < packed.writes_gradient.size(); ++i) s.writes_gradient.entry[i] = packed.writes_gradient[i];
  return s;
}

}  // namespace etch::inline ETCH_ABI::pass

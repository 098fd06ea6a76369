// packed_kernel: a kernel with its buffers, and the same as a few words.
#pragma once

#include <etch/graph/packed_graph.hpp>
#include <etch/lower/kernel.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The place where a kernel finds a buffer: a leaf of the arguments, an output, or the workspace.
struct location {
  enum class place : std::uint8_t { argument, output, workspace } in{};
  int position = 0;         ///< leaf or output
  std::int64_t offset = 0;  ///< in bytes
  friend constexpr bool operator==(location const&, location const&) = default;
};

/// One operand of a scheduled kernel, or one value that it leaves in memory.
struct placed {
  source from{};
  location at{};
  /// Over the axes of the iteration space; for blocks, of the value itself. The first of a repetition's operand is that
  /// from one slice to the next, 0 where they adjoin.
  strides step{};
  element type{};
  attribute
      bits{};      ///< of a constant; of the block's op, in a block's result; of a repetition's operand, as in `access`
  shape extent{};  ///< of a block's operands and result
  int value = 0;   ///< of a result: numbered as an instruction's operand
  bool reduces = false;
  bool accumulates =
      false;    ///< of an output: whether it is added to what its storage holds, where the caller wants that
  opcode op{};  ///< of a reduction, or of the block
  /// Of a repetition: which `loop_input` an operand is, and in `value` 1 + which sampled carry, 0 for none; of its
  /// results, whether there is one, which `loop_output` it is, and in `value` which carry.
  std::uint8_t role = 0;
  friend constexpr bool operator==(placed const&, placed const&) = default;
};

/// A kernel with its buffers.
struct scheduled_kernel {
  form computes{};
  shape space{};
  element type{};
  contraction product{};
  convolution sliding{};
  placed a{}, b{};
  std::int64_t scratch = 0;  ///< of a product: offset in the workspace, in bytes
  sequence<placed> inputs;
  sequence<instruction> code;
  sequence<placed> results;
  // Of a repetition: its steps and its body's words.
  int count = 0;
  bool backward = false, in_lanes = false;  ///< whether it is one of points, several at a time
  int gate = -1;
  sequence<std::uint64_t> body;
  // Where carries are sampled: how many steps', and of `inputs` those that the body has. Behind them come the stacks of
  // the snapshots, in `value` 1 + the output that is copied there; or the operands of steps that run again, and their
  // body's words.
  int snapshots = 0, own_inputs = 0;
  sequence<std::uint64_t> again;
};

namespace detail {

/// Writes and reads scheduled kernels, one field after the other. `put` stands for both directions.
template <class Stream>
class kernel_stream {
 public:
  constexpr explicit kernel_stream(Stream& s) : stream_(s) {}

  constexpr void put(scheduled_kernel& k) {
    // First what `kernel_size` reads.
    stream_.number(k.computes), stream_.count(k.inputs), stream_.count(k.code), stream_.count(k.results),
        stream_.number(k.sliding.exists);
    stream_.number(k.type), put(k.space);
    if (k.computes == form::loop) {
      stream_.number(k.count), stream_.number(k.backward), stream_.number(k.in_lanes), stream_.number(k.gate),
          stream_.number(k.scratch);
      stream_.words(k.body);
      for (placed& each : k.inputs) stream_.number(each.role);
      stream_.number(k.snapshots), stream_.number(k.own_inputs);
      if (k.snapshots > 0) {
        stream_.words(k.again);
        for (placed& each : k.inputs) stream_.number(each.value);
      }
      for (placed& each : k.results) stream_.number(each.role);
    }
    if (k.computes == form::product) {
      stream_.number(k.product.k), put(k.a), put(k.b), stream_.number(k.scratch);
      if (k.sliding.exists) put(k.sliding);
    }
    for (placed& each : k.inputs) put(each), put_extent(each, k);
    for (instruction& each : k.code) {
      stream_.number(each.op);
      for (int i = 0; i < op_table.entry[each.op].arity; ++i) stream_.number(each.operand.entry[i]);
    }
    for (placed& each : k.results) {
      put(each), put_extent(each, k);
      stream_.number(each.value), stream_.number(each.reduces), stream_.number(each.accumulates),
          stream_.number(each.op);
    }
  }

  constexpr void put(contraction& c) {
    stream_.number(c.m), stream_.number(c.n), stream_.number(c.k), stream_.number(c.width), stream_.number(c.packets);
    stream_.number(c.columns), stream_.number(c.chains), stream_.number(c.k_block), stream_.number(c.n_block);
    for (bool* each : {&c.transposed, &c.inner, &c.pack_a, &c.pack_b, &c.in_parts}) stream_.number(*each);
    for (auto* each : {&c.a, &c.b, &c.a_batch, &c.b_batch})
      for (std::int64_t& step : each->entry) stream_.number(step);
    for (int& each : c.batch.entry) stream_.number(each);
    stream_.number(c.tail.rows), stream_.number(c.tail.columns), stream_.number(c.tail.chains);
  }
  constexpr void put(convolution& c) {
    stream_.number(c.exists);
    stream_.number(c.contracts_batch), stream_.number(c.rows_are_channels), stream_.number(c.batch),
        stream_.number(c.channels);
    stream_.number(c.columns), stream_.number(c.groups), stream_.number(c.rows_of_tile),
        stream_.number(c.columns_of_tile);
    stream_.number(c.places_of_tile), stream_.number(c.taps_of_block), stream_.number(c.channels_of_block),
        stream_.number(c.scratch_entries);
    for (sliding_axis& each : c.axis) {
      stream_.number(each.positions), stream_.number(each.taps), stream_.number(each.entries);
      stream_.number(each.of_position), stream_.number(each.of_tap), stream_.number(each.of_entry),
          stream_.number(each.offset);
    }
    for (std::int64_t& step : c.a) stream_.number(step);
    for (std::int64_t& step : c.b) stream_.number(step);
    stream_.number(c.a_group), stream_.number(c.b_group);
    stream_.number(c.copy.images);
    if (c.copy.images == 0) return;
    stream_.number(c.copy.before), stream_.number(c.copy.entries), stream_.number(c.copy.after);
    stream_.number(c.copy.lines), stream_.number(c.copy.channels);
    for (std::int64_t& step : c.copy.step) stream_.number(step);
  }

 private:
  Stream& stream_;

  constexpr void put(shape& s) {
    int head = s.rank + 8 * s.counted;
    stream_.number(head);
    s.rank = head % 8;
    s.counted = head / 8;
    for (int axis = 0; axis < s.rank; ++axis) stream_.number(s.extent.entry[axis]);
  }
  constexpr void put_extent(placed& p, scheduled_kernel const& k) {
    if (reads_whole_operands(k.computes)) put(p.extent);
  }
  constexpr void put(placed& p) {
    // Small fields share a number; strides end with the last that is not 0.
    int last = max_rank;
    while (last > 0 && p.step.entry[last - 1] == 0) --last;
    attribute head = static_cast<attribute>(p.from) | static_cast<attribute>(p.at.in) << 2 |
                     static_cast<attribute>(last) << 4 | static_cast<attribute>(p.bits != 0) << 7 |
                     static_cast<attribute>(p.type) << 8 | static_cast<attribute>(p.at.position) << (8 + element_bits);
    stream_.number(head);
    p.from = static_cast<source>(head & 3);
    p.at.in = static_cast<location::place>((head >> 2) & 3);
    last = static_cast<int>((head >> 4) & 7);
    p.type = static_cast<element>((head >> 8) & ((1 << element_bits) - 1));
    p.at.position = static_cast<int>(head >> (8 + element_bits));
    if (p.from == source::memory) stream_.number(p.at.offset);
    for (int axis = 0; axis < last; ++axis) stream_.number(p.step.entry[axis]);
    if ((head & 128) == 0) return;
    p.bits = std::rotl(p.bits, etch::detail::attribute_rotation);
    stream_.number(p.bits);
    p.bits = std::rotr(p.bits, etch::detail::attribute_rotation);
  }
};

/// Negative numbers become odd ones.
constexpr std::uint64_t folded(std::int64_t x) {
  return (static_cast<std::uint64_t>(x) << 1) ^ static_cast<std::uint64_t>(x >> 63);
}
constexpr std::int64_t unfolded(std::uint64_t x) {
  return static_cast<std::int64_t>(x >> 1) ^ -static_cast<std::int64_t>(x & 1);
}

struct kernel_writer {
  etch::detail::byte_writer& out;
  template <class T>
  constexpr void number(T& x) {
    if constexpr (std::is_same_v<T, attribute>) out.put(x);
    else out.put(folded(static_cast<std::int64_t>(x)));
  }
  template <class T>
  constexpr void count(sequence<T>& s) {
    out.put(s.size());
  }
  constexpr void words(sequence<std::uint64_t>& s) {
    out.put(s.size());
    out.put_words(s);
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
  constexpr void words(sequence<std::uint64_t>& s) {
    const_span<std::uint64_t> const all = in.words(static_cast<std::size_t>(in.get()));
    s = {all.begin(), all.end()};
  }
};

}  // namespace detail

/// Kind and sizes of a kernel; a few numbers at the beginning of its words.
struct kernel_size {
  form computes{};
  int inputs = 0, steps = 0, results = 0;
  bool slides = false;

  constexpr explicit kernel_size(const_span<std::uint64_t> words) {
    detail::kernel_reader reader{etch::detail::byte_reader(words)};
    reader.number(computes);
    for (int* each : {&inputs, &steps, &results}) *each = reader.in.number();
    reader.number(slides);
  }
};

/// The words of a kernel, behind those already in `out`.
constexpr void pack_kernel(etch::detail::byte_writer& out, scheduled_kernel& k) {
  detail::kernel_writer writer{out};
  detail::kernel_stream<detail::kernel_writer>(writer).put(k);
  out.align();
}
/// Chooses how kernel `k`, if it is a product, is computed where it is compiled for `set`.
constexpr void choose_tiles(scheduled_kernel& k, vectors set) {
  if (k.computes != form::product) return;
  if (k.sliding.exists) k.sliding = for_registers(k.sliding, k.type, set);
  else k.product = contraction_of(k.type, k.space, k.product.k, k.a.step, k.b.step, only_stores(k), set);
}
/// Reads a kernel back from its words.
constexpr scheduled_kernel unpack_kernel(const_span<std::uint64_t> words) {
  scheduled_kernel k;
  detail::kernel_reader reader{etch::detail::byte_reader(words)};
  detail::kernel_stream<detail::kernel_reader>(reader).put(k);
  if (!k.sliding.exists) choose_tiles(k, machine_vectors);
  return k;
}

}  // namespace pass
ETCH_NAMESPACE_END

// plan: gives every value that is kept an offset in one workspace, from lifetimes, and reuses what has died.
#pragma once

#include <etch/pass/repetition.hpp>

namespace etch::inline ETCH_ABI::pass {

/// Where the buffers of a program lie.
struct buffer_plan {
  sequence<std::int64_t> offset;   // by node, in bytes; -1 where the node has no buffer in the workspace
  sequence<std::int64_t> scratch;  // by kernel; -1 where it needs none
  std::int64_t bytes = 0;
};

/// Buffers start at multiples of this many bytes.
inline constexpr std::int64_t buffer_alignment = 64;

namespace detail {

/// Free memory below a growing end, as disjoint blocks in address order.
class free_list {
 public:
  constexpr std::int64_t end() const { return end_; }

  /// The smallest block that fits, else new memory at the end.
  constexpr std::int64_t take(std::int64_t bytes) {
    std::size_t best = blocks_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i].bytes >= bytes && (best == blocks_.size() || blocks_[i].bytes < blocks_[best].bytes)) best = i;
    if (best == blocks_.size()) {
      bool const touches_end = !blocks_.empty() && blocks_.back().offset + blocks_.back().bytes == end_;
      std::int64_t const start = touches_end ? blocks_.back().offset : end_;
      if (touches_end) blocks_.pop_back();
      end_ = start + bytes;
      return start;
    }
    std::int64_t const start = blocks_[best].offset;
    blocks_[best].offset += bytes;
    blocks_[best].bytes -= bytes;
    if (blocks_[best].bytes == 0) blocks_.erase(best);
    return start;
  }

  constexpr void give_back(std::int64_t offset, std::int64_t bytes) {
    std::size_t i = 0;
    while (i < blocks_.size() && blocks_[i].offset < offset) ++i;
    blocks_.insert(i, block{offset, bytes});
    if (i + 1 < blocks_.size() && blocks_[i].offset + blocks_[i].bytes == blocks_[i + 1].offset) {
      blocks_[i].bytes += blocks_[i + 1].bytes;
      blocks_.erase(i + 1);
    }
    if (i > 0 && blocks_[i - 1].offset + blocks_[i - 1].bytes == blocks_[i].offset) {
      blocks_[i - 1].bytes += blocks_[i].bytes;
      blocks_.erase(i);
    }
  }

 private:
  struct block {
    std::int64_t offset, bytes;
  };
  sequence<block> blocks_;
  std::int64_t end_ = 0;
};

constexpr std::int64_t padded(std::int64_t bytes) { return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment; }

constexpr std::int64_t buffer_bytes(node const& n) { return padded(n.extent.size() * bytes_of(n.type)); }

/// Whether `r` may overwrite the buffer of `a` entry by entry: same places, and the kernel reads that buffer in no other way.
constexpr bool overwrites(kernel_view const& body, result const& r, access const& a) {
  if (r.reduces || a.from != source::memory || !(a.where == r.where) || a.type != r.type) return false;
  if (body.head.computes == form::block || body.head.computes == form::repetition || r.root != r.node) return false;
  if (body.head.computes == form::product && (body.head.a.root == a.root || body.head.b.root == a.root)) return false;
  for (access const& other : body.inputs)
    if (other.root == a.root && !(other == a)) return false;
  return true;
}

/// Memory that a kernel needs while it runs. `loop_bytes` is the workspace of every loop's body, in the order of the loops' nodes.
constexpr std::int64_t scratch_bytes(graph_view g, kernel_view const& k, const_span<std::int64_t> loop_bytes) {
  if (k.head.computes == form::product) return padded(k.head.product.packed_entries() * bytes_of(k.head.type));
  if (k.head.computes != form::repetition) return 0;
  int const loop = g.operands(k.results[0].node)[0];
  std::size_t before = 0;
  for (int id = 0; id < loop; ++id) before += g[id].op == opcode_of<op::loop>;
  std::int64_t bytes = padded(loop_bytes[before]);
  repetition const r = repetition_of(g, loop);
  for (std::size_t i = 0; i < r.out.size(); ++i)
    bytes += spare_buffers(r.out[i].kind, r.out[i].result >= 0, r.loop.count) * buffer_bytes(r.loop.body[r.loop.body.outputs[i]]);
  return bytes;
}

}  // namespace detail

/// Offsets for all kept values that are neither arguments nor outputs. `kernel_at(k)` gives kernel k of `kernel_count`,
/// `loop_bytes` the workspace of every loop's body.
constexpr buffer_plan plan(graph_view g, int kernel_count, auto kernel_at, const_span<std::int64_t> loop_bytes) {
  auto const at = [](int i) { return static_cast<std::size_t>(i); };
  buffer_plan p;
  p.offset = filled(g.nodes.size(), std::int64_t{-1});
  sequence<int> last_use = filled(g.nodes.size(), -1);  // by buffer: the last kernel that reads or writes it
  sequence<char> in_workspace = filled(g.nodes.size(), '\1');
  for (int output : g.outputs) in_workspace[at(output)] = 0;
  for (int id = 0; id < g.size(); ++id)
    if (is_input(g[id])) in_workspace[at(id)] = 0;
  auto const read = [&](access const& a, int k) {
    if (a.from == source::memory) last_use[at(a.root)] = k;
  };
  for (int k = 0; k < kernel_count; ++k) {
    kernel_view const body = kernel_at(k);
    for (access const& a : body.inputs) read(a, k);
    if (body.head.computes == form::product) read(body.head.a, k), read(body.head.b, k);
    for (result const& r : body.results) last_use[at(r.root)] = std::max(last_use[at(r.root)], k);
  }

  detail::free_list memory;
  sequence<int> dying;
  for (int k = 0; k < kernel_count; ++k) {
    kernel_view const body = kernel_at(k);
    dying.clear();
    auto const dies = [&](access const& a) {
      if (a.from != source::memory || !in_workspace[at(a.root)] || last_use[at(a.root)] != k) return;
      if (std::find(dying.begin(), dying.end(), a.root) == dying.end()) dying.push_back(a.root);
    };
    for (access const& a : body.inputs) dies(a);
    if (body.head.computes == form::product) dies(body.head.a), dies(body.head.b);

    for (result const& r : body.results) {
      if (!in_workspace[at(r.root)] || p.offset[at(r.root)] >= 0) continue;
      for (access const& a : body.inputs) {
        auto const d = a.from == source::memory ? std::find(dying.begin(), dying.end(), a.root) : dying.end();
        if (d == dying.end() || !detail::overwrites(body, r, a) || !same_extents(g[a.root].extent, g[r.node].extent)) continue;
        p.offset[at(r.root)] = p.offset[at(a.root)];
        dying.erase(static_cast<std::size_t>(d - dying.begin()));
        break;
      }
      if (p.offset[at(r.root)] < 0) p.offset[at(r.root)] = memory.take(detail::buffer_bytes(g[r.root]));
    }
    std::int64_t const scratch = detail::scratch_bytes(g, body, loop_bytes);
    p.scratch.push_back(scratch > 0 ? memory.take(scratch) : -1);

    if (scratch > 0) memory.give_back(p.scratch.back(), scratch);
    for (int id : dying) memory.give_back(p.offset[at(id)], detail::buffer_bytes(g[id]));
  }
  p.bytes = memory.end();
  return p;
}

constexpr buffer_plan plan(graph_view g, const_span<kernel> kernels, const_span<std::int64_t> loop_bytes = {}) {
  auto const at = [&](int k) {
    kernel const& body = kernels[static_cast<std::size_t>(k)];
    return kernel_view{body.head, body.inputs, body.code, body.results};
  };
  return plan(g, static_cast<int>(kernels.size()), at, loop_bytes);
}

}  // namespace etch::inline ETCH_ABI::pass

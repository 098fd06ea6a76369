// lifetime: from when to when each buffer of the workspace is in use, once results have taken over
// operands, and how much is in use at once.
#pragma once

#include <etch/lower/in_place.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// A stretch of memory that is in use from one kernel to another, both included.
struct lifetime {
  std::int64_t bytes = 0;
  int from = 0, to = 0;

  constexpr bool meets(lifetime const &other) const { return from <= other.to && other.from <= to; }
};

/// Bytes in use by each of `kernels` kernels.
constexpr sequence<std::int64_t> live_by_kernel(const_span<lifetime> lives, int kernels) {
  sequence<std::int64_t> live = sequence<std::int64_t>::zeros(static_cast<std::size_t>(kernels) + 1);
  for (lifetime const &life : lives) {
    live.entry[life.from] += life.bytes;
    live.entry[life.to + 1] -= life.bytes;
  }
  for (int k = 1; k < kernels; ++k) live.entry[k] += live.entry[k - 1];
  live.pop_back();
  return live;
}

/// The contents of a workspace.
struct lifetimes {
  sequence<lifetime> of;       ///< of buffers in the order in which they end, then of scratch memory
  sequence<int> by_node;       ///< which of them a node's buffer is, -1 where it is none
  sequence<int> by_kernel;     ///< which of them is a kernel's scratch memory
  std::int64_t most_live = 0;  ///< bytes in use at once, at least: no arrangement can be smaller
};

/// The lifetimes when kernels run in `order`. A result takes the buffer of an operand that
/// dies in its kernel, where it may.
constexpr lifetimes lifetimes_of(graph_view g, const_span<kernel> kernels, buffer_uses const &t, const_span<int> slot,
                                 const_span<int> order) {
  lifetimes all;
  all.by_node = filled(g.nodes.size(), -1);
  all.by_kernel = filled(kernels.size(), -1);
  sequence<int> first_writes = filled(g.nodes.size(), t.kernels), last_writes = filled(g.nodes.size(), -1),
                last_uses = last_writes;
  int *const first = first_writes.entry, *const last_write = last_writes.entry, *const last = last_uses.entry,
             *const by_node = all.by_node.entry;
  int const *const read = t.read.entry.entry, *const read_from = t.read.first.entry,
                   *const written = t.written.entry.entry, *const written_from = t.written.first.entry;
  for (int at = t.kernels - 1; at >= 0; --at) {
    int const k = order.start[at];
    for (int i = written_from[k]; i < written_from[k + 1]; ++i) {
      int const buffer = written[i];
      first[buffer] = at;
      if (last_write[buffer] < 0) last_write[buffer] = at;
      if (last[buffer] < at) last[buffer] = at;
    }
    for (int i = read_from[k]; i < read_from[k + 1]; ++i)
      if (last[read[i]] < at) last[read[i]] = at;
  }
  for (int at = t.kernels - 1; at >= 0; --at) {
    int const k = order.start[at];
    for (int w = written_from[k]; w < written_from[k + 1]; ++w) {
      int const to = written[w];
      if (slot.start[to] >= 0) continue;
      if (by_node[to] < 0) {
        by_node[to] = static_cast<int>(all.of.count);
        all.of.push_back({buffer_bytes(g, to), first[to], last[to]});
      }
      if (first[to] != at) continue;
      lifetime &life = all.of.entry[by_node[to]];
      life.from = at;
      // Of several operands that die here, the one that has lived longest.
      int taken = -1;
      for (int i = read_from[k]; i < read_from[k + 1]; ++i)
        if (int const from = read[i]; last[from] == at && last_write[from] < at && by_node[from] < 0 &&
                                      slot.start[from] < 0 && (taken < 0 || first[from] < first[taken]) &&
                                      padded_bytes(g.nodes.start[from]) == life.bytes &&
                                      detail::overwrites(kernels.start[k], to, from))
          taken = from;
      if (taken >= 0) by_node[taken] = by_node[to];
    }
  }
  for (int at = 0; at < t.kernels; ++at)
    if (int const k = order.start[at]; t.scratch.entry[k] > 0) {
      all.by_kernel.entry[k] = static_cast<int>(all.of.size());
      all.of.push_back({t.scratch.entry[k], at, at});
    }
  for (std::int64_t live : live_by_kernel(all.of, t.kernels))
    if (live > all.most_live) all.most_live = live;
  return all;
}

}  // namespace pass
ETCH_NAMESPACE_END

// order: the order in which kernels run, so that what is large dies early, and how long buffers live then.
#pragma once

#include <etch/lower/fuse.hpp>
#include <etch/lower/lifetime.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// Marks the kernels of the body of a loop in lanes that leave nothing but a product which the body does not read. They
/// run last: where they are sums over points, a loop of points runs them for several registers of points at once
/// (machine/unroll_and_jam.hpp).
constexpr sequence<char> kernels_that_run_last(const_span<kernel> kernels, buffer_uses const& t) {
  sequence<char> last = sequence<char>::zeros(static_cast<std::size_t>(t.kernels));
  for (int k = 0; k < t.kernels; ++k)
    if (kernel const& each = kernels.start[k];
        leaves_product_in_lanes(each) && t.readers.count(each.results.entry[0].root) == 0)
      last.entry[k] = 1;
  return last;
}

/// List scheduling. Kernels run in the given order, except that a ready one which frees as much
/// memory as it takes runs at once, and that the `last` run last.
class scheduler {
 public:
  constexpr scheduler(graph_view g, buffer_uses const& t, const_span<int> slot, const_span<char> last)
      : t_(t),
        last_(last),
        bytes_(sequence<std::int64_t>::zeros(g.nodes.size())),
        left_(sequence<int>::zeros(g.nodes.size())),
        to_write_(sequence<int>::zeros(g.nodes.size())),
        missing_(sequence<int>::zeros(static_cast<std::size_t>(t.kernels))),
        done_(last.begin(), last.end()) {
    for (int id = 0; id < g.size(); ++id) {
      to_write_.entry[id] = t.writers.count(id);
      left_.entry[id] = t.readers.count(id);
      if (slot.start[id] < 0 && to_write_.entry[id] > 0) bytes_.entry[id] = buffer_bytes(g, id);
    }
    for (int k = 0; k < t.kernels; ++k) missing_.entry[k] = t.read.count(k);
  }

  constexpr sequence<int> run() {
    sequence<int> order;
    order.reserve(static_cast<std::size_t>(t_.kernels));
    for (int k = 0; k < t_.kernels; ++k) {
      if (done_.entry[k]) continue;
      take(k, order);
      for (int next = best_candidate(); next >= 0; next = best_candidate()) take(next, order);
    }
    for (int k = 0; k < t_.kernels; ++k)
      if (last_.start[k]) order.push_back(k);
    return order;
  }

 private:
  buffer_uses const& t_;
  const_span<char> last_;
  sequence<std::int64_t> bytes_;  // by buffer; 0 for those outside the workspace
  sequence<int> left_;            // readers that have not run, by buffer
  sequence<int> to_write_;        // writers that have not run, by buffer
  sequence<int> missing_;         // incomplete operands, by kernel
  sequence<char> done_;
  sequence<int>
      candidates_;  // kernels that may have become worth running, and are looked at anew only when that changes

  static constexpr int candidates_compared = 16;

  /// Bytes that kernel `k` takes.
  constexpr std::int64_t taken(int k) const {
    std::int64_t bytes = 0;
    for (int i = t_.written.first.entry[k]; i < t_.written.first.entry[k + 1]; ++i)
      if (int const buffer = t_.written.entry.entry[i];
          bytes_.entry[buffer] > 0 && to_write_.entry[buffer] == t_.writers.count(buffer))
        bytes += bytes_.entry[buffer];
    return bytes;
  }
  /// Bytes that it frees.
  constexpr std::int64_t freed(int k) const {
    std::int64_t bytes = 0;
    for (int i = t_.read.first.entry[k]; i < t_.read.first.entry[k + 1]; ++i)
      if (int const buffer = t_.read.entry.entry[i]; left_.entry[buffer] == 1) bytes += bytes_.entry[buffer];
    return bytes;
  }

  /// Takes the best of the candidates from their list: one that takes no memory, or else the one that leaves the least
  /// in use; -1 if all leave more than they found.
  constexpr int best_candidate() {
    int const count = static_cast<int>(candidates_.size()), from = std::max(count - candidates_compared, 0);
    int* const in = candidates_.begin();
    int best = -1, kept = from;
    std::int64_t most = -1;
    bool takes_nothing = false;
    for (int i = from; i < count; ++i) {
      int const k = in[i];
      if (done_.entry[k] || missing_.entry[k] > 0) continue;
      std::int64_t const takes = takes_nothing ? 0 : taken(k), saves = takes_nothing ? 0 : freed(k) - takes;
      if (saves < 0) continue;
      in[kept++] = k;
      if (takes_nothing || (takes > 0 && saves <= most)) continue;
      best = k;
      most = saves;
      takes_nothing = takes == 0;
    }
    while (static_cast<int>(candidates_.size()) > kept) candidates_.pop_back();
    return best;
  }

  constexpr void take(int k, sequence<int>& order) {
    order.push_back(k);
    done_.entry[k] = 1;
    for (int i = t_.written.first.entry[k]; i < t_.written.first.entry[k + 1]; ++i) {
      int const buffer = t_.written.entry.entry[i], writers = t_.writers.count(buffer);
      // Where a part is, the other parts take no more.
      if (writers > 1 && to_write_.entry[buffer] == writers)
        for (int writer : t_.writers[buffer])
          if (!done_.entry[writer]) candidates_.push_back(writer);
      if (--to_write_.entry[buffer] > 0) continue;
      int const* const readers = t_.readers.entry.entry;
      for (int r = t_.readers.first.entry[buffer + 1]; r-- > t_.readers.first.entry[buffer];)
        if (--missing_.entry[readers[r]] == 0) candidates_.push_back(readers[r]);
    }
    for (int i = t_.read.first.entry[k]; i < t_.read.first.entry[k + 1]; ++i)
      if (int const buffer = t_.read.entry.entry[i]; --left_.entry[buffer] == 1)
        for (int reader : t_.readers[buffer])
          if (!done_.entry[reader]) candidates_.push_back(reader);
  }
};

}  // namespace detail

/// An order of the kernels in which what is large dies early.
constexpr sequence<int> order(graph_view g, const_span<kernel> kernels) {
  buffer_uses const t = buffer_uses_of(g, kernels);
  output_storage const outputs = storage_in_outputs(g, kernels, t);
  return detail::scheduler(g, t, outputs.slot, detail::kernels_that_run_last(kernels, t)).run();
}

/// The order in which the kernels of a program run, and what follows from it for their buffers.
struct arrangement {
  sequence<int> order;     ///< by position: the kernel
  output_storage outputs;  ///< buffers that lie in outputs,
  lifetimes lives;         ///< and from which position to which the others live
};

/// Arranges the kernels as they are listed, but for those that run last, or in the order `found` where then no more
/// memory is in use at once.
constexpr arrangement arrange(graph_view g, const_span<kernel> kernels, const_span<int> found) {
  buffer_uses const t = buffer_uses_of(g, kernels);
  arrangement best{{}, storage_in_outputs(g, kernels, t), {}};
  const_span<int> const slot = best.outputs.slot;
  sequence<char> const last = detail::kernels_that_run_last(kernels, t);
  best.order.reserve(kernels.size());
  for (bool late : {false, true})
    for (int k = 0; k < t.kernels; ++k)
      if ((last.entry[k] != 0) == late) best.order.push_back(k);
  bool as_listed = true;
  for (int k = 0; k < t.kernels; ++k) as_listed = as_listed && found.start[k] == best.order.entry[k];
  best.lives = lifetimes_of(g, kernels, t, slot, best.order);
  if (as_listed) return best;
  if (lifetimes lives = lifetimes_of(g, kernels, t, slot, found); lives.most_live <= best.lives.most_live)
    best.order = sequence<int>(found.begin(), found.end()), best.lives = std::move(lives);
  return best;
}
constexpr arrangement arrange(graph_view g, const_span<kernel> kernels) {
  return arrange(g, kernels, order(g, kernels));
}

/// The membership of nodes in kernels that are numbered as they run. A kernel is known by what it leaves in memory.
constexpr sequence<membership> renumbered(sequence<membership> of, const_span<kernel> kernels, const_span<int> order) {
  int last = -1;
  for (membership const& each : of) last = each.kernel > last ? each.kernel : last;
  sequence<int> position = filled(static_cast<std::size_t>(last + 1), -1);
  for (std::size_t at = 0; at < order.size(); ++at)
    position.entry[of.entry[kernels.start[order.start[at]].results.entry[0].node].kernel] = static_cast<int>(at);
  for (membership& each : of)
    if (each.kernel >= 0) each.kernel = position.entry[each.kernel];
  return of;
}

}  // namespace pass
ETCH_NAMESPACE_END

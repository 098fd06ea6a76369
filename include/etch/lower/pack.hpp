// pack: gives every lifetime a place in one workspace, by a few simple rules of which the best counts.
#pragma once

#include <etch/lower/lifetime.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The begin of each lifetime, and the end of the last.
struct packing {
  sequence<std::int64_t> offset;
  std::int64_t bytes = 0;
};

namespace detail {

/// Free memory below a growing end, as disjoint blocks in address order.
class free_list {
 public:
  constexpr std::int64_t end() const { return end_; }

  /// The smallest block that fits, else new memory at the end.
  constexpr std::int64_t take(std::int64_t bytes) {
    block* const in = blocks_.begin();
    std::size_t const count = blocks_.size();
    std::size_t best = count;
    for (std::size_t i = 0; i < count; ++i)
      if (in[i].bytes >= bytes && (best == count || in[i].bytes < in[best].bytes)) best = i;
    if (best == count) {
      bool const touches_end = count != 0 && in[count - 1].offset + in[count - 1].bytes == end_;
      std::int64_t const start = touches_end ? in[count - 1].offset : end_;
      if (touches_end) blocks_.pop_back();
      end_ = start + bytes;
      return start;
    }
    std::int64_t const start = in[best].offset;
    in[best].offset += bytes;
    in[best].bytes -= bytes;
    if (in[best].bytes == 0) blocks_.erase(best);
    return start;
  }

  constexpr void give_back(std::int64_t offset, std::int64_t bytes) {
    std::size_t i = 0;
    while (i < blocks_.size() && blocks_.entry[i].offset < offset) ++i;
    bool const joins_next = i < blocks_.size() && offset + bytes == blocks_.entry[i].offset;
    bool const joins_last = i > 0 && blocks_.entry[i - 1].offset + blocks_.entry[i - 1].bytes == offset;
    if (joins_last) {
      blocks_.entry[i - 1].bytes += bytes;
      if (!joins_next) return;
      blocks_.entry[i - 1].bytes += blocks_.entry[i].bytes;
      blocks_.erase(i);
    } else if (joins_next) {
      blocks_.entry[i].offset = offset;
      blocks_.entry[i].bytes += bytes;
    } else {
      blocks_.insert(i, block{offset, bytes});
    }
  }

 private:
  struct block {
    std::int64_t offset, bytes;
  };
  sequence<block> blocks_;
  std::int64_t end_ = 0;
};

/// One lifetime after the other as they begin (`backwards`: as they end, from the last), each in
/// the smallest free block that fits.
constexpr packing pack_in_time(const_span<lifetime> of, int kernels, bool backwards) {
  // Lists of the lifetimes that begin and end with each kernel.
  std::size_t const steps = static_cast<std::size_t>(kernels);
  sequence<int> begins = filled(steps, -1), ends = begins, next = filled(of.size(), -1), next_end = next;
  for (int i = static_cast<int>(of.size()) - 1; i >= 0; --i) {
    int const from = backwards ? kernels - 1 - of.start[i].to : of.start[i].from;
    int const to = backwards ? kernels - 1 - of.start[i].from : of.start[i].to;
    next.entry[i] = begins.entry[from], begins.entry[from] = i;
    next_end.entry[i] = ends.entry[to], ends.entry[to] = i;
  }
  packing p{sequence<std::int64_t>::zeros(of.size()), 0};
  free_list memory;
  for (int k = 0; k < kernels; ++k) {
    for (int i = begins.entry[k]; i >= 0; i = next.entry[i]) p.offset.entry[i] = memory.take(of.start[i].bytes);
    for (int i = ends.entry[k]; i >= 0; i = next_end.entry[i]) memory.give_back(p.offset.entry[i], of.start[i].bytes);
  }
  p.bytes = memory.end();
  return p;
}

/// Orders lifetimes that are placed regardless of time.
enum class priority { bytes, area, duration };

/// One lifetime after the other, the most important first, each at the lowest offset that
/// is free for as long as it lasts.
constexpr packing pack_by(const_span<lifetime> of, priority first) {
  struct item {
    std::int64_t important = 0;
    int which = 0;
  };
  struct settled {
    std::int64_t from = 0, to = 0;
    int which = 0;
  };
  sequence<item> items;
  items.reserve(of.size());
  for (std::size_t i = 0; i < of.size(); ++i) {
    lifetime const& x = of.start[i];
    std::int64_t const duration = x.to - x.from + 1;
    items.push_back({first == priority::bytes  ? x.bytes
                     : first == priority::area ? x.bytes * duration
                                               : duration,
                     static_cast<int>(i)});
  }
  std::sort(items.begin(), items.end(), [](item const& a, item const& b) {
    return a.important != b.important ? a.important > b.important : a.which < b.which;
  });
  packing p{sequence<std::int64_t>::zeros(of.size()), 0};
  sequence<settled> placed;  // in the order of their offsets
  placed.reserve(of.size());
  for (item const& each : items) {
    lifetime const& x = of.start[each.which];
    std::int64_t offset = 0;
    settled const* const at = placed.begin();
    std::size_t const count = placed.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (at[i].to <= offset) continue;
      lifetime const& y = of.start[at[i].which];
      if (y.to < x.from || y.from > x.to) continue;
      if (at[i].from >= offset + x.bytes) break;
      offset = at[i].to;
    }
    p.offset.entry[each.which] = offset;
    std::size_t i = count;
    while (i > 0 && at[i - 1].from > offset) --i;
    placed.insert(i, {offset, offset + x.bytes, each.which});
    if (offset + x.bytes > p.bytes) p.bytes = offset + x.bytes;
  }
  return p;
}

}  // namespace detail

/// How many rules there are to pack by; those from the third on look at all pairs of lifetimes,
/// so they are for no more than some.
inline constexpr int packing_rules = 5;
inline constexpr std::size_t most_lifetimes_in_pairs = 256;

/// The lifetimes packed by one rule.
constexpr packing pack(const_span<lifetime> of, int kernels, int rule) {
  if (rule < 2) return detail::pack_in_time(of, kernels, rule == 1);
  return detail::pack_by(of, static_cast<detail::priority>(rule - 2));
}

/// Whether rule `rule` may still improve on a packing of `bytes`.
constexpr bool is_worth_trying(int rule, std::size_t lifetimes, std::int64_t bytes, std::int64_t most_live) {
  return bytes > most_live && rule < packing_rules && (rule < 2 || lifetimes <= most_lifetimes_in_pairs);
}

/// The best of all rules, as soon as one needs no more than is in use at once.
constexpr packing pack(lifetimes const& all, int kernels) {
  packing best = pack(all.of, kernels, 0);
  for (int rule = 1; is_worth_trying(rule, all.of.size(), best.bytes, all.most_live); ++rule)
    if (packing other = pack(all.of, kernels, rule); other.bytes < best.bytes) best = std::move(other);
  return best;
}

}  // namespace pass
ETCH_NAMESPACE_END

// memory_map: a program's workspace as rectangles: which bytes each buffer has, and from which kernel to which.
#pragma once

#include <etch/compile/lowering.hpp>

ETCH_NAMESPACE_BEGIN

/// One buffer's place and time.
struct memory_box {
  int node = -1;            ///< of the materialised graph; -1: what a kernel needs while it runs
  std::int64_t offset = 0;  ///< in the workspace, in bytes
  std::int64_t bytes = 0;   ///< that its entries need; the next buffer starts at a multiple of `pass::buffer_alignment`
  int first = 0, last = 0;  ///< kernels: the one that writes first, and the last that reads or writes
  bool takes_over = false;  ///< its first kernel writes it over another buffer, entry by entry
  bool is_overwritten = false;  ///< its last kernel does that to it
  friend constexpr bool operator==(memory_box const&, memory_box const&) = default;
};

/// Read access to a memory map, whoever stores it.
struct memory_map_view {
  const_span<memory_box> boxes;  ///< in the order in which their lives begin
  int kernels = 0;
  std::int64_t bytes = 0;  ///< of the workspace
};

/// The buffers of a program and the times of their use, as boxes that it owns.
struct memory_map {
  sequence<memory_box> boxes;
  int kernels = 0;
  std::int64_t bytes = 0;
  constexpr operator memory_map_view() const { return {boxes, kernels, bytes}; }
};

/// The map of the materialised graph `g`, computed by `kernels`, with the buffers of nodes at `offset` (-1: not in the
/// workspace) and the scratch memory of kernels at `scratch` (-1: none).
constexpr memory_map map_memory(graph_view g, const_span<pass::kernel> kernels, const_span<std::int64_t> offset,
                                const_span<std::int64_t> scratch, std::int64_t bytes) {
  memory_map map{{}, static_cast<int>(kernels.size()), bytes};
  sequence<int> box = filled(g.nodes.size(), -1);  // by node
  for (int k = 0; k < map.kernels; ++k) {
    pass::kernel const& body = kernels.start[k];
    auto const touch = [&](int root) {
      if (box.entry[root] >= 0) map.boxes.entry[box.entry[root]].last = k;
    };
    pass::for_each_read(body, [&](pass::access const& a) { touch(a.root); });
    for (pass::result const& r : body.results) {
      touch(r.root);
      if (box.entry[r.root] >= 0 || offset.start[r.root] < 0) continue;
      box.entry[r.root] = static_cast<int>(map.boxes.size());
      map.boxes.push_back({r.root, offset.start[r.root], pass::bytes_in_memory(g, r.root), k, k});
    }
    if (scratch.start[k] >= 0) map.boxes.push_back({-1, scratch.start[k], body.head.scratch, k, k});
  }
  for (int k = 0; k < map.kernels; ++k) {
    pass::kernel const& body = kernels.start[k];
    for (pass::result const& r : body.results) {
      int const written = box.entry[r.root];
      if (written < 0 || map.boxes.entry[written].first != k) continue;
      memory_box& later = map.boxes.entry[written];
      pass::for_each_read(body, [&](pass::access const& a) {
        if (a.root == r.root || box.entry[a.root] < 0) return;
        memory_box& earlier = map.boxes.entry[box.entry[a.root]];
        if (earlier.last != k || earlier.offset >= later.offset + later.bytes ||
            later.offset >= earlier.offset + earlier.bytes)
          return;
        later.takes_over = earlier.is_overwritten = true;
      });
    }
  }
  return map;
}

/// The most that is alive at once, every buffer rounded up to whole cache lines: no plan for these
/// kernels in this order takes less.
constexpr std::int64_t live_bytes(memory_map_view map) {
  sequence<std::int64_t> change = filled(static_cast<std::size_t>(map.kernels) + 1, std::int64_t{0});  // by kernel
  for (memory_box const& b : map.boxes) {
    change.entry[b.first] += pass::padded(b.bytes);
    change.entry[b.is_overwritten ? b.last : b.last + 1] -= pass::padded(b.bytes);
  }
  std::int64_t alive = 0, most = 0;
  for (std::int64_t each : change) most = std::max(most, alive += each);
  return most;
}

/// A memory map of known size: a literal.
template <int Boxes>
struct static_memory_map {
  fixed<memory_box, Boxes> boxes{};
  int kernels = 0;
  std::int64_t bytes = 0;
  constexpr operator memory_map_view() const { return {boxes, kernels, bytes}; }
};

namespace detail {

template <class Executable>
constexpr memory_map map_memory_of() {
  return map_memory(Executable::materialised, run::kernels_of<Executable>(), Executable::plan.offset,
                    {Executable::plan.scratch.data(), Executable::plan.scratch.size()}, Executable::plan.bytes);
}
// A variable of its own for the reason given at `freeze`.
template <class Executable>
inline constexpr int box_count = static_cast<int>(map_memory_of<Executable>().boxes.size());

}  // namespace detail

/// The memory map of a compiled program's executable.
template <class Executable>
inline constexpr auto memory_map_of = [] {
  memory_map const map = detail::map_memory_of<Executable>();
  static_memory_map<detail::box_count<Executable>> s{{}, map.kernels, map.bytes};
  for (std::size_t i = 0; i < map.boxes.size(); ++i) s.boxes.entry[i] = map.boxes[i];
  return s;
}();

ETCH_NAMESPACE_END

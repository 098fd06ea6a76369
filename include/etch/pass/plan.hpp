// plan: gives every value that is kept a place: in the storage of an output, or at an offset in one workspace.
#pragma once

#include <etch/pass/pack.hpp>

namespace etch::inline ETCH_ABI::pass {

/// Where the buffers of a program lie.
struct buffer_plan {
  sequence<std::int64_t> offset;   ///< by node, in bytes; -1 where the node has no buffer in the workspace
  sequence<int> slot;              ///< by node: the output in whose storage its buffer lies, or -1
  sequence<char> is_continued;     ///< by node: whether its kernel finds there, and reads, what it adds to
  sequence<std::int64_t> scratch;  ///< by kernel; -1 where it needs none
  std::int64_t bytes = 0;
  std::int64_t live_bytes = 0;  ///< in use at once, at least: no plan can be smaller
};

/// The plan that arranges the lifetimes `all` as `packed`.
constexpr buffer_plan plan_of(output_storage outputs, lifetimes const& all, packing const& packed) {
  buffer_plan p{{}, std::move(outputs.slot), std::move(outputs.is_continued), {}, packed.bytes, all.most_live};
  auto const offset = [&](int life) { return life < 0 ? -1 : packed.offset.entry[life]; };
  p.offset.reserve(all.by_node.size());
  for (int life : all.by_node) p.offset.push_back(offset(life));
  p.scratch.reserve(all.by_kernel.size());
  for (int life : all.by_kernel) p.scratch.push_back(offset(life));
  return p;
}

/// Lifetimes of kernels that run as they are listed.
constexpr lifetimes lifetimes_of(graph_view g, const_span<kernel> kernels, traffic const& t, const_span<int> slot) {
  sequence<int> as_listed;
  as_listed.reserve(kernels.size());
  for (int k = 0; k < t.kernels; ++k) as_listed.push_back(k);
  return lifetimes_of(g, kernels, t, slot, as_listed);
}

/// Places for all kept values that are neither arguments nor outputs, for kernels that run as they are listed.
constexpr buffer_plan plan(graph_view g, const_span<kernel> kernels) {
  traffic const t = traffic_of(g, kernels);
  output_storage outputs = storage_in_outputs(g, kernels, t);
  lifetimes const all = lifetimes_of(g, kernels, t, outputs.slot);
  return plan_of(std::move(outputs), all, pack(all, t.kernels));
}

}  // namespace etch::inline ETCH_ABI::pass

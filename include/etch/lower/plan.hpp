// plan: gives every value that is kept a place: in the storage of an output, or at an offset in one workspace.
#pragma once

#include <etch/lower/order.hpp>
#include <etch/lower/pack.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The places of the buffers of a program, in a workspace of `bytes` bytes.
struct buffer_plan {
  sequence<std::int64_t> offset;   ///< by node, in bytes; -1 where the node has no buffer in the workspace
  sequence<int> slot;              ///< by node: the output in whose storage its buffer lies, or -1
  sequence<char> is_continued;     ///< by node: whether its kernel finds there, and reads, what it adds to
  sequence<std::int64_t> scratch;  ///< by kernel in the order in which they run; -1 where it needs none
  std::int64_t bytes = 0;
  std::int64_t live_bytes = 0;  ///< in use at once, at least: no plan can be smaller
};

/// The plan that packs the lifetimes of the arrangement `a` as `packed`; either may be a constant of the same members.
constexpr buffer_plan plan_of(auto const& a, auto const& packed) {
  buffer_plan p{{},
                {a.outputs.slot.begin(), a.outputs.slot.end()},
                {a.outputs.is_continued.begin(), a.outputs.is_continued.end()},
                {},
                packed.bytes,
                a.lives.most_live};
  auto const offset = [&](int life) { return life < 0 ? -1 : packed.offset.entry[life]; };
  p.offset.reserve(a.lives.by_node.size());
  for (int life : a.lives.by_node) p.offset.push_back(offset(life));
  p.scratch.reserve(a.order.size());
  for (int k : a.order) p.scratch.push_back(offset(a.lives.by_kernel.entry[k]));
  return p;
}

}  // namespace pass
ETCH_NAMESPACE_END

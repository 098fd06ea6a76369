// lowered: a graph lowered at run time, step by step, by the passes that lower programs.
#pragma once

#include <etch/lower/fuse.hpp>
#include <etch/lower/plan.hpp>

namespace lowered {

using namespace etch;

/// The kernels that compute the materialised graph `g`, in the order in which they run.
inline sequence<pass::kernel> kernels_of(graph_view g) {
  sequence<pass::kernel> const fused = pass::fuse(g);
  sequence<pass::kernel> kernels;
  for (int k : pass::arrange(g, fused, pass::order(g, fused)).order) kernels.push_back(fused.entry[k]);
  return kernels;
}

/// Their buffers, if they run as they are listed.
inline pass::arrangement as_listed(graph_view g, const_span<pass::kernel> kernels) {
  pass::buffer_uses const t = pass::buffer_uses_of(g, kernels);
  pass::arrangement a{{}, pass::storage_in_outputs(g, kernels, t), {}};
  for (int k = 0; k < t.kernels; ++k) a.order.push_back(k);
  a.lives = pass::lifetimes_of(g, kernels, t, a.outputs.slot, a.order);
  return a;
}
inline pass::buffer_plan plan(graph_view g, const_span<pass::kernel> kernels) {
  pass::arrangement const a = as_listed(g, kernels);
  return pass::plan_of(a, pass::pack(a.lives, static_cast<int>(kernels.size())));
}

}  // namespace lowered

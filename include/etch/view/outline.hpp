// outline: what a page shows of a program, as plain lists: which values each kernel computes, with names.
#pragma once

#include <etch/view/text.hpp>
#include <etch/view/value_names.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// A value as a statement: of a program or of the body of a loop.
struct stated_value {
  int id = -1;             ///< in its graph
  std::string key;         ///< unique in a page: `6`, within the loop at node 5 `5-2`
  std::string name;        ///< `tanh`, `gradient hidden.weight`
  std::string expression;  ///< `tanh(add)`
  std::string type;        ///< `f32[32, 128]`, of a loop `8 steps`
  std::string place;
  std::string kind;                 ///< `given`, `constant`, `forward`, `saved`, `backward`
  std::vector<int> sources;         ///< the computed values that it is made of, seen through views and joins
  std::vector<int> again;           ///< further kernels that compute it
  std::int64_t flops = 0;           ///< of a call; within a loop, of a step
  std::int64_t bytes = 0;           ///< in memory of its own; arguments, views and results take none
  std::int64_t saved = 0;           ///< bytes kept for the gradients
  int box = -1;                     ///< its own in the memory map, or the one that it lies in
  bool is_computed = false;         ///< a kernel computes it
  std::vector<stated_value> steps;  ///< of a loop
};

/// A kernel of a program.
struct stated_kernel {
  std::string title;        ///< `product over 784`
  std::vector<int> values;  ///< that it computes, each after its operands
  std::vector<int> listed;  ///< that stand with it in a list: its values, if no kernel before has them, and views
  bool forward = false, backward = false;  ///< for which it leaves anything in memory
};

/// All that a page shows.
struct outline {
  std::vector<stated_value> values;
  std::vector<stated_kernel> kernels;
  std::vector<int> others;  ///< values listed with no kernel: arguments, and what nobody computes
  int statements = 0;       ///< with those of loops
};

inline std::string title_of_kernel(anatomy const& a, pass::kernel const& k) {
  if (int const loop = loop_of_kernel(a, k); loop >= 0) return "loop of " + kind_of(a.graph, loop);
  if (k.head.computes == pass::form::block) return "whole operands";
  if (k.head.computes != pass::form::product && k.head.space.rank == 0) return "one number";
  if (k.head.computes != pass::form::product) {
    std::string extents;
    for (int axis = 0; axis < k.head.space.rank; ++axis)
      extents += (axis == 0 ? "" : " x ") + std::to_string(k.head.space[axis]);
    return "each of " + extents;
  }
  return "product over " + std::to_string(k.head.sliding.exists ? k.head.sliding.terms() : k.head.product.k);
}

/// Makes the outline of a program.
class outliner {
 public:
  explicit outliner(anatomy const& a) : a_(a), names_(names_of_values(a)) {
    for (std::size_t slot = 0; slot < a.outputs.size(); ++slot) {
      std::string const& output = a.outputs[slot];
      bool const is_gradient = output.starts_with("gradient ");
      std::string const leaf = is_gradient ? name_of_argument(a, "argument " + output.substr(9)) : "";
      names_[static_cast<std::size_t>(a.graph.outputs[slot])] = is_gradient ? "gradient " + leaf : output;
    }
    for (int id = 0; id < a.graph.size(); ++id) {  // views are seldom thought of by names of their own
      op_facts const& op = facts_of(a.graph[id]);
      std::string& name = names_[static_cast<std::size_t>(id)];
      if (op.is_view || op.is_assembly)
        if (std::string const whole = expression_of(a.graph, id, names_); whole.size() <= 60) name = whole;
    }
  }

  outline run() {
    for (int id = 0; id < a_.graph.size(); ++id) made_.values.push_back(value_at(id));
    std::vector<bool> is_listed(made_.values.size());
    for (std::size_t k = 0; k < a_.kernels.size(); ++k) {
      made_.kernels.push_back({title_of_kernel(a_, a_.kernels[k]), {}, {}});
      reached_.assign(made_.values.size(), false);
      for (pass::result const& r : a_.kernels[k].results) reach(made_.kernels.back(), r.node, true);
      stated_kernel& kernel = made_.kernels.back();
      std::sort(kernel.values.begin(), kernel.values.end());
      std::sort(kernel.listed.begin(), kernel.listed.end());
      std::erase_if(kernel.listed, [&](int id) {
        bool const before = is_listed[static_cast<std::size_t>(id)];
        if (before && made_.values[static_cast<std::size_t>(id)].is_computed)
          made_.values[static_cast<std::size_t>(id)].again.push_back(static_cast<int>(k));
        is_listed[static_cast<std::size_t>(id)] = true;
        return before;
      });
      for (pass::result const& r : a_.kernels[k].results)
        (made_.values[static_cast<std::size_t>(r.node)].kind == "backward" ? kernel.backward : kernel.forward) = true;
    }
    for (std::size_t id = 0; id < made_.values.size(); ++id)
      if (!is_listed[id]) made_.others.push_back(static_cast<int>(id));
    return std::move(made_);
  }

 private:
  stated_value value_at(int id) {
    graph_view const g = a_.graph;
    shown_value const& v = a_.values[static_cast<std::size_t>(id)];
    stated_value s = stated(g, id, std::to_string(id), names_);
    s.place = with_names(v.place, names_);
    // Parts that lie in a saved join are what is saved of it: the join itself is computed by no kernel.
    bool const in_saved = s.is_computed && v.owner >= 0 && a_.values[static_cast<std::size_t>(v.owner)].saved;
    // A loop that leaves value and gradients at once, as over strips, counts as forward with all that it leaves.
    bool const is_forward = v.forward && !s.name.starts_with("gradient ");
    s.kind = v.given               ? "given"
             : v.constant          ? "constant"
             : v.saved || in_saved ? "saved"
             : is_forward          ? "forward"
                                   : "backward";
    bool const is_output = std::find(g.outputs.begin(), g.outputs.end(), id) != g.outputs.end();
    if (!(is_output && s.is_computed && !facts_of(g[id]).is_result)) s.bytes = bytes_alone(g, id);
    if (v.saved) s.saved = pass::buffer_bytes(g, id);
    for (std::size_t b = 0; b < a_.memory.boxes.size(); ++b)
      if (a_.memory.boxes[b].node >= 0 && a_.memory.boxes[b].node == v.owner) s.box = static_cast<int>(b);
    if (facts_of(g[id]).is_loop) s.steps = steps_at(g, id, s.key, names_, s.kind);
    return s;
  }

  stated_value stated(graph_view g, int id, std::string key, name_list const& names) {
    ++made_.statements;
    stated_value s;
    s.id = id, s.key = std::move(key), s.name = names[static_cast<std::size_t>(id)];
    s.expression = g[id].op == opcode_of<op::input> ? "" : expression_of(g, id, names);
    s.type = kind_of(g, id);
    s.flops =
        g[id].op == opcode_of<op::copy> ? 0 : pass::flops_as_run(g, id);  // copies are lowering's, and compute nothing
    s.is_computed = pass::is_computed(g[id]);
    for (int operand : g.operands(id)) add_sources(g, operand, s.sources);
    return s;
  }
  std::vector<stated_value> steps_at(graph_view g, int loop, std::string const& key, name_list const& outside,
                                     std::string const& kind) {
    loop_body const l = loop_at(g, loop);
    graph_view const body = l.body;
    name_list const names = names_of_steps(g, loop, l, outside);
    std::vector<stated_value> steps;
    for (int id = 0; id < body.size(); ++id) {
      steps.push_back(stated(body, id, key + "-" + std::to_string(id), names));
      stated_value& s = steps.back();
      s.place = "in each step";
      s.kind = body[id].op == opcode_of<op::input> ? "given" : facts_of(body[id]).is_nullary ? "constant" : kind;
      if (body[id].op == opcode_of<op::input>)
        s.expression = with_names(fed_from(g, loop, l, static_cast<std::size_t>(body[id].attributes)), outside);
      for (std::size_t r = 0; r < l.out.size(); ++r)
        if (body.outputs[r] == id) s.place += "; " + with_names(becomes(g, loop, l, r), outside);
      if (facts_of(body[id]).is_loop) s.steps = steps_at(body, id, s.key, names, kind);
    }
    return steps;
  }

  /// Memory that a value takes where every value has its own, as `program_facts::unplanned_bytes` counts it.
  static std::int64_t bytes_alone(graph_view g, int id) {
    if (facts_of(g[id]).is_loop) {
      loop_body const l = loop_at(g, id);
      return l.count * pass::count_computed_bytes(l.body).all;
    }
    return pass::is_computed(g[id]) && !facts_of(g[id]).is_result ? pass::padded_bytes(g[id]) : 0;
  }
  static void add_sources(graph_view g, int id, std::vector<int>& sources) {
    op_facts const& op = facts_of(g[id]);
    if (op.is_view || op.is_assembly) {
      for (int operand : g.operands(id)) add_sources(g, operand, sources);
    } else if (!op.is_nullary && std::find(sources.begin(), sources.end(), id) == sources.end()) {
      sources.push_back(id);
    }
  }

  /// Adds what a kernel computes for the sake of node `id`: from its results back to what lies in memory.
  void reach(stated_kernel& kernel, int id, bool is_result) {
    auto const at = static_cast<std::size_t>(id);
    stated_value const& s = made_.values[at];
    if (reached_[at] || s.kind == "given") return;
    if (s.is_computed && !is_result && a_.values[at].place != "in registers" && !facts_of(a_.graph[id]).is_loop) return;
    reached_[at] = true;
    kernel.listed.push_back(id);
    if (s.is_computed) kernel.values.push_back(id);
    for (int operand : a_.graph.operands(id)) reach(kernel, operand, false);
  }

  anatomy const& a_;
  name_list names_;
  outline made_;
  std::vector<bool> reached_;  // of one kernel
};

}  // namespace detail
ETCH_NAMESPACE_END

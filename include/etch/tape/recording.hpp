// recording: how a recorder computes nodes and goes back through them, by the kernels and rules of all ops.
#pragma once

#include <etch/tape/recorder.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

template <class T>
int recorder<T>::compute(node const& n, const_span<int> operands) {
  op_facts const& facts = facts_of(n);
  if (facts.is_result) return graph().operands(operands.start[0])[static_cast<std::size_t>(n.attributes)];
  if (facts.is_loop)  // the operands of its node are its results, where they are then looked up
    return put(n, recorded_op_of<T>(n).unroll(graph(), n, operands), {}, false);
  bool is_active = false;
  for (int i = 0; i < n.arity; ++i) {
    expect(operands.start[i]);
    bool const each = records[operands.start[i]].is_active;
    is_active = is_active || (each && i < facts.active_operands);
  }
  if (values_wait_) {
    int const id = put(n, operands, {}, false);
    records[id].is_computed = false;
    return id;
  }
  strided_value const value = value_of(n, operands, nullptr);
  is_active = is_active && facts.differentiable && is_floating(n.type);
  if (is_active && n.op == opcode_of<op::select>) records.choose_next();
  return put(n, operands, value, is_active);
}

template <class T>
strided_value recorder<T>::computed(int wanted, int first, T* to) {
  if (wanted < first || records[wanted].is_computed) return records.at(wanted);
  records[wanted].is_wanted = true;
  for (int id = wanted; id >= first; --id)
    if (records[id].is_wanted && !records[id].is_computed)
      for (int operand : graph().operands(id)) records[operand].is_wanted = true;
  for (int id = first; id <= wanted; ++id) {
    if (!records[id].is_wanted || records[id].is_computed) continue;
    node const n = graph()[id];
    sequence<int>& operands = operands_of_computed_;
    operands.clear();
    for (int operand : graph().operands(id)) operands.push_back(operand);
    strided_value const value = value_of(n, operands, id == wanted ? to : nullptr);
    records[id].entries = value.entries;
    records[id].where = value.where;
    records[id].is_computed = true;
  }
  return records.at(wanted);
}

template <class T>
strided_value recorder<T>::value_of(node const& n, const_span<int> operands, T* to) {
  op_facts const& facts = facts_of(n);
  if (n.op == opcode_of<op::stop_gradient>) return records.at(operands.start[0]);
  if (facts.is_view) {
    strided_value x = records.at(operands.start[0]);
    std::optional<layout> where = facts.project(n.attributes, x.where, x.extent, n.extent);
    if (!where) {
      x = packed(x);
      where = facts.project(n.attributes, x.where, x.extent, n.extent);
    }
    return {n.type, n.extent, *where, x.entries};
  }
  strided_value const y =
      contiguous(n.type, n.extent, to != nullptr ? reinterpret_cast<std::byte*>(to) : room(n.type, n.extent));
  if (facts.is_composite) {  // its definition leaves nothing but the value
    stretch const definition(*this, graph().simplifying);
    copy(y, records.at(recorded_op_of<T>(n).expand(graph(), n, operands).id));
  } else if (facts.is_opaque) {
    call_opaque(n, operands, y);
  } else {
    arena::position const here = memory_.here();
    fixed<strided_value, 4> few;
    strided_value* const x = operands.size() <= 4 ? few.entry : memory_.template give<strided_value>(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) x[i] = records.at(operands.start[i]);
    dynamic::compute<T>(recorded_op_of<T>(n), n, y, {x, operands.size()});
    memory_.rewind(here);
  }
  return y;
}

template <class T>
void recorder<T>::call_opaque(node const& n, const_span<int> operands, strided_value const& y) {
  if (n.type != element_of<T>) error::tape_holds_one_floating_type(name_of(element_of<T>), name_of(n.type));
  opaque_call const f(n.attributes);
  opaque_function const* const function = function_named(f, graph().functions);
  if (!function->has(f)) error::kernel_lacks_a_derivative();
  arena::position const here = memory_.here();
  std::byte const* x[opaque_call::most_operands];
  std::byte* results[opaque_call::most_operands]{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    strided_value const from = records.at(operands.start[i]), at = from.is_contiguous() ? from : packed(from);
    x[i] = at.entries + at.where.offset * bytes_of(at.type);
  }
  results[f.result()] = y.entries;
  function->run(f, x, results);
  memory_.rewind(here);
}

template <class T>
void recorder<T>::through(int id) {
  node const n = graph()[id];
  op_facts const& facts = facts_of(n);
  operands_.clear();
  x_.clear();
  for (int operand : graph().operands(id)) operands_.push_back(operand), x_.push_back({&graph(), operand});
  int const active = std::min(n.arity, facts.active_operands);
  bool const chooses = n.op == opcode_of<op::select>, is_guarded = records.choose();
  gaps const incoming = facts.is_elementwise || records[id].gaps == gaps::of_choice ? records[id].gaps : gaps::none;

  stretch rule(*this, true);
  int const first = records.size();
  // The rule sees values, not what they follow from: an identity that is worth its while in a program, such as of the
  // transpose of a product, would compute here again what is computed.
  // A constant stays one, but not what a select chooses by: what was not taken would be 0 that arrived.
  auto const opaque = [&](int of) {
    node const& from = graph()[of];
    if (from.op == opcode_of<op::fill> && !chooses) return term{&graph(), of};
    return term{&graph(), put({opcode_of<op::input>, from.type, from.extent, 0, 0, 0}, {}, records.at(of), false)};
  };
  auto const as_node = [&](T* entries) {
    return term{&graph(), leaf(element_of<T>, n.extent, reinterpret_cast<std::byte*>(entries), false)};
  };
  term const g = as_node(records[id].adjoint), y = opaque(id);
  for (term& each : x_) each = opaque(each.id);
  auto const for_each_wanted = [&](auto f) {
    for (int i = 0; i < active; ++i)
      if (int const operand = operands_.entry[i]; records[operand].is_active) f(operand, contribution_.entry[i], i);
  };
  // First all nodes, then memory for what outlives them, then the values of those that somebody wants.
  values_wait_ = true;
  recorded_op_of<T>(n).pullback(n, g, y, x_, contribution_);
  term const mask = incoming != gaps::none ? emit<op::arrived>(0, g) : term{};
  gaps_.clear();
  for (std::size_t i = 0; i < contribution_.size(); ++i) gaps_.push_back(incoming);
  for_each_wanted([&](int operand, term& c, int i) {
    gaps& left = gaps_.entry[i];
    term m = mask;
    pass::detail::mask const own = facts.is_elementwise ? pass::detail::mask_of(c) : pass::detail::mask{};
    if (own.exists()) {
      m = pass::detail::both(m, pass::detail::indicator(own.condition, own.chosen_if_true, n.type));
      c = own.value;
      left = chooses ? gaps::of_choice : std::max(left, gaps::of_rule);
    }
    shape const& target = graph()[operand].extent;
    bool const is_whole_entry = same_extents(target, c.extent());
    if (facts.is_elementwise && !is_whole_entry) c = pass::detail::gated(m, c);
    c = pass::detail::sum_to(c, target);
    if (left == gaps::of_rule && !is_whole_entry) m = {};
    else if (m.exists() || is_guarded)
      m = pass::detail::reached(
          pass::detail::reach_of(graph(), n), n, x_, static_cast<std::size_t>(i), m,
          [&](term ones, sequence<term>& counts) { recorded_op_of<T>(n).pullback(n, ones, y, x_, counts); });
    left = !m.exists() ? gaps::none : left == gaps::of_rule ? left : gaps::of_choice;
    if (m.exists()) c = emit<op::mark_arrival>(0, fit(m, target), c);
  });
  values_wait_ = false;
  for_each_wanted([&](int operand, term, int) {
    adjoints.hold_for(operand);
    rule.keep_memory();  // at once: if there is none for the next, this one is held
  });
  rule.keep_memory();
  for_each_wanted([&](int operand, term c, int i) { deliver(operand, c, first, gaps_.entry[i]); });
}

template <class T>
void recorder<T>::deliver(int operand, term c, int first, gaps in_c) {
  bool const is_first = !records[operand].has_arrived;
  if (!is_first && c.id >= first && !records[c.id].is_computed)
    if (auto const add = recorded_op_of<T>(graph()[c.id]).add; add != nullptr) {
      fixed<int, 2> const factors{graph().operands(c.id)[0], graph().operands(c.id)[1]};
      fixed<strided_value, 2> const x{computed(factors[0], first), computed(factors[1], first)};
      adjoints.has_arrived(operand, in_c);
      return add(adjoints.at(operand), x);
    }
  strided_value const value = computed(c.id, first, is_first ? adjoints.hold_for(operand) : nullptr);
  if (is_first && value.entries == reinterpret_cast<std::byte*>(records[operand].adjoint))
    adjoints.has_arrived(operand, in_c);
  else adjoints.arrive(operand, value, in_c);
}

}  // namespace dynamic
ETCH_NAMESPACE_END

// recorder: computes what operations insert into the graph of a tape, at once, and goes back through it by the rules of the ops: as
// `pass/differentiate.hpp` does, with values in the place of nodes.
#pragma once

#include <etch/tape/adjoints.hpp>
#include <etch/tape/kernel.hpp>
#include <etch/tape/recorded_op.hpp>
#include <etch/tape/unroll.hpp>

namespace etch::inline ETCH_ABI::dynamic {

template <class T>
class recorder : public node_recorder {
 public:
  dynamic::records<T> records;
  dynamic::adjoints<T> adjoints;

  recorder(ledger<T>& of, arena& memory) : records(memory), adjoints(records, memory), of_(of), memory_(memory) {
    insert = [](node_recorder& self, opcode op, element type, shape const& extent, attribute attributes, const_span<int> operands) {
      return static_cast<recorder&>(self).compute({op, type, extent, attributes, 0, static_cast<int>(operands.size())}, operands);
    };
    settle = [](node_recorder& self, int id) { return static_cast<recorder&>(self).settled(id); };
    holds = element_of<T>;
    records.nodes.recorder = this;
  }
  recorder(recorder const&) = delete;

  etch::graph& graph() { return records.nodes; }
  etch::graph const& graph() const { return records.nodes; }
  ledger<T>& owner() { return of_; }

  /// The recorder of a graph, which must be one of the element type `T`.
  static recorder& of(etch::graph* g) {
    if (g->recorder == nullptr) error::value_is_not_known();
    if (g->recorder->holds != element_of<T>) error::tape_holds_one_floating_type(name_of(g->recorder->holds), name_of(element_of<T>));
    return static_cast<recorder&>(*g->recorder);
  }
  /// Of the ledger whose graph this is. Labels and indices, which a tape of either type holds, ask in its type.
  static std::uint32_t epoch_of(etch::graph* g) {
    if (g == nullptr || g->recorder == nullptr) return 0;
    if constexpr (std::floating_point<T>) return of(g).of_.epoch();
    else return g->recorder->holds == element::f32 ? recorder<float>::epoch_of(g) : recorder<double>::epoch_of(g);
  }
  /// Whether node `id`, made in `epoch`, still exists; else the mistake.
  static void check(etch::graph* g, int id, std::uint32_t epoch) {
    if (g == nullptr || g->recorder == nullptr) return;
    if constexpr (std::floating_point<T>) {
      if (epoch != of(g).of_.epoch()) of(g).of_.look_at_node(id, epoch);
    } else if (g->recorder->holds == element::f32) {
      recorder<float>::check(g, id, epoch);
    } else {
      recorder<double>::check(g, id, epoch);
    }
  }

  /// Memory for a value.
  std::byte* room(element type, shape const& extent) {
    return memory_.give(static_cast<std::size_t>(extent.size()) * static_cast<std::size_t>(bytes_of(type)));
  }
  /// A node for the value at `entries`, side by side.
  int leaf(element type, shape const& extent, std::byte* entries, bool is_active) {
    return put({opcode_of<op::input>, type, extent, 0, 0, 0}, {}, contiguous(type, extent, entries), is_active && type == element_of<T>);
  }
  /// A node without a value, whose turn on the way back calls `source`.
  int entry(external<T>& source) {
    int const id = put({opcode_of<op::input>, element::f32, shape{}, 0, 0, 0}, {}, {}, false);
    records[id].source = &source;
    return id;
  }
  /// The value of node `id` side by side at a multiple of 64: where it is already, or moved there.
  std::byte* settled(int id) {
    if (id >= records.size()) error::variable_is_gone();
    located const from = records.at(id);
    std::byte* const first = from.entries + from.where.offset * bytes_of(from.type);
    if (from.is_contiguous() && reinterpret_cast<std::uintptr_t>(first) % 64 == 0) return first;
    located const to = packed(from);
    records.move(id, to);
    return to.entries;
  }

  /// Hands the adjoint of node `id` on.
  void go_back_through(int id) {
    record<T> const r = records[id];
    if (r.source != nullptr) return r.source->go_back(*r.source, of_);
    if (!r.has_arrived || r.is_kept) return;
    if (T const* const arrived = adjoints.of(id); arrived != nullptr) {
      if (r.of_scalar != 0) of_.scalars.arrive(r.of_scalar, *arrived);
      else through(id);
    }
    adjoints.release(id);
  }

  /// Whether node `id` exists and may take part in what is recorded; else the mistake.
  void expect(int id) {
    if (id >= records.size()) error::variable_is_gone();
    if (id < first_allowed_ && records[id].is_active) error::checkpoint_captures_a_variable();
  }

  /// From now on only nodes from number `first` on may take part in what derivatives flow through. Returns the number before.
  int confine(int first) { return std::exchange(first_allowed_, first); }
  int first_allowed() const { return first_allowed_; }

  /// While it lives, nodes are made that are taken back when it ends.
  class stretch {
   public:
    explicit stretch(recorder& r, bool simplifying)
        : of_(r), nodes_(r.records.here()), memory_(r.memory_.here()), simplified_(std::exchange(r.graph().simplifying, simplifying)),
          waits_(std::exchange(r.values_wait_, false)) {}
    stretch(stretch const&) = delete;
    /// What memory was given out so far is not taken back; nor, where the graph has moved there, does it move once more.
    void keep_memory() {
      memory_ = of_.memory_.here();
      nodes_.room = of_.records.here().room;
    }
    ~stretch() {
      of_.graph().simplifying = simplified_;
      of_.values_wait_ = waits_;
      of_.memory_.rewind(memory_);
      of_.records.rewind(nodes_);
    }

   private:
    recorder& of_;
    typename dynamic::records<T>::position nodes_;
    arena::position memory_;
    bool const simplified_, waits_;
  };

 private:
  ledger<T>& of_;
  arena& memory_;
  int first_allowed_ = 0;
  bool values_wait_ = false;  ///< whether nodes get their values only when these are wanted
  sequence<term> x_, contribution_;  // of the rule at hand
  sequence<gaps> gaps_;              // in its contributions
  sequence<int> operands_, operands_of_computed_;

  int put(node const& n, const_span<int> operands, located const& value, bool is_active) {
    record<T> r;
    r.entries = value.entries;
    r.where = value.where;
    r.scalars = of_.scalars.boundary();
    r.is_active = is_active;
    return records.append(n, operands, r);
  }

  /// A copy, side by side.
  located packed(located const& from) {
    located const to = contiguous(from.type, from.extent, room(from.type, from.extent));
    copy(to, from);
    return to;
  }

  /// The node, with its value.
  int compute(node const& n, const_span<int> operands) {
    recorded_op const& facts = recorded_ops[n.op];
    if (facts.is_result) return graph().operands(operands.start[0])[static_cast<std::size_t>(n.attributes)];
    if (facts.is_loop)  // the operands of its node are its results, where they are then looked up
      return put(n, unroll(graph(), loop_of(words_at(graph().pool, n.attributes)), operands), {}, false);
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
    located const value = value_of(n, facts, operands, nullptr);
    is_active = is_active && facts.differentiable && is_floating(n.type);
    if (is_active && n.op == opcode_of<op::select>) records.choose_next();
    return put(n, operands, value, is_active);
  }

  /// Gives node `wanted`, and what it follows from, their values; `wanted` itself in `to`, if that is given and it is no view. Nodes before
  /// `first` have theirs. Returns where the value is.
  located computed(int wanted, int first, T* to = nullptr) {
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
      located const value = value_of(n, recorded_ops[n.op], operands, id == wanted ? to : nullptr);
      records[id].entries = value.entries;
      records[id].where = value.where;
      records[id].is_computed = true;
    }
    return records.at(wanted);
  }

  /// Where the value of a node lies; `to` is memory for it, if given.
  located value_of(node const& n, recorded_op const& facts, const_span<int> operands, T* to) {
    if (n.op == opcode_of<op::stop_gradient>) return records.at(operands.start[0]);
    if (facts.is_view) {
      located x = records.at(operands.start[0]);
      std::optional<layout> where = facts.project(n.attributes, x.where, x.extent, n.extent);
      if (!where) {
        x = packed(x);
        where = facts.project(n.attributes, x.where, x.extent, n.extent);
      }
      return {n.type, n.extent, *where, x.entries};
    }
    located const y = contiguous(n.type, n.extent, to != nullptr ? reinterpret_cast<std::byte*>(to) : room(n.type, n.extent));
    if (facts.is_composite) {  // its definition leaves nothing but the value
      stretch const definition(*this, graph().simplifying);
      copy(y, records.at(recorded_rule_table[n.op].expand(graph(), n, operands).id));
    } else {
      arena::position const here = memory_.here();
      fixed<located, 4> few;
      located* const x = operands.size() <= 4 ? few.entry : memory_.template give<located>(operands.size());
      for (std::size_t i = 0; i < operands.size(); ++i) x[i] = records.at(operands.start[i]);
      dynamic::compute<T>(n, y, {x, operands.size()});
      memory_.rewind(here);
    }
    return y;
  }

  /// The rule of node `id`, from its adjoint to those of its operands.
  void through(int id) {
    node const n = graph()[id];
    recorded_op const& facts = recorded_ops[n.op];
    operands_.clear();
    x_.clear();
    for (int operand : graph().operands(id)) operands_.push_back(operand), x_.push_back({&graph(), operand});
    int const active = std::min(n.arity, facts.active_operands);
    bool const chooses = n.op == opcode_of<op::select>, is_guarded = records.choose();
    gaps const incoming = facts.is_elementwise || records[id].gaps == gaps::of_choice ? records[id].gaps : gaps::none;

    stretch rule(*this, true);
    int const first = records.size();
    // The rule sees values, not what they follow from: an identity that is worth its while in a program, such as of the transpose of a
    // product, would compute here again what is computed.
    auto const opaque = [&](int of) {
      node const& from = graph()[of];
      if (from.op == opcode_of<op::fill>) return term{&graph(), of};
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
    recorded_rule_table[n.op].pullback(n, g, y, x_, contribution_);
    term const mask = incoming != gaps::none ? emit<op::arrived>(0, g) : term{};
    gaps_.clear();
    for (std::size_t i = 0; i < contribution_.size(); ++i) gaps_.push_back(incoming);
    for_each_wanted([&](int operand, term& c, int i) {
      gaps& left = gaps_.entry[i];
      term m = mask;
      std::optional<pass::detail::mask> const own = facts.is_elementwise ? pass::detail::mask_of(c) : std::nullopt;
      if (own) {
        m = pass::detail::both(m, pass::detail::indicator(own->condition, own->chosen_if_true, n.type));
        c = own->value;
        left = chooses ? gaps::of_choice : std::max(left, gaps::of_rule);
      }
      shape const& target = graph()[operand].extent;
      bool const is_whole_entry = same_extents(target, c.extent());
      if (facts.is_elementwise && !is_whole_entry) c = pass::detail::gated(m, c);
      c = pass::detail::sum_to(c, target);
      if (left == gaps::of_rule && !is_whole_entry) m = {};
      else if (m.exists() || is_guarded)
        m = pass::detail::reached(facts.reaches, n, x_, static_cast<std::size_t>(i), m, [&](term ones, sequence<term>& counts) {
          recorded_rule_table[n.op].pullback(n, ones, y, x_, counts);
        });
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
  /// Adds the contribution `c` to the adjoint of `operand`. The first one is computed where the adjoint lies; a product is added there.
  void deliver(int operand, term c, int first, gaps in_c) {
    bool const is_first = !records[operand].has_arrived;
    if (!is_first && c.id >= first && !records[c.id].is_computed)
      if (auto const add = kernels<T>.entry[graph()[c.id].op].add; add != nullptr) {
        fixed<int, 2> const factors{graph().operands(c.id)[0], graph().operands(c.id)[1]};
        fixed<located, 2> const x{computed(factors[0], first), computed(factors[1], first)};
        adjoints.has_arrived(operand, in_c);
        return add(adjoints.at(operand), x);
      }
    located const value = computed(c.id, first, is_first ? adjoints.hold_for(operand) : nullptr);
    if (is_first && value.entries == reinterpret_cast<std::byte*>(records[operand].adjoint)) adjoints.has_arrived(operand, in_c);
    else adjoints.arrive(operand, value, in_c);
  }
};

}  // namespace etch::inline ETCH_ABI::dynamic

// recorder: the graph of a tape. Whatever operations insert into it is computed at once; its reverse sweep is that of `pass/differentiate.hpp`,
// with values in the place of nodes.
#pragma once

#include <etch/op/table.hpp>
#include <etch/pass/activity.hpp>
#include <etch/pass/adjoint.hpp>
#include <etch/tape/arena.hpp>
#include <etch/tape/kernel.hpp>

#include <cstring>

namespace etch::inline ETCH_ABI {

namespace dynamic {

template <class T>
class ledger;

/// An entry of a graph that is no node of it: a block of values that come from elsewhere. `go_back` hands the adjoints of its results on.
template <class T>
struct external {
  void (*go_back)(external&, ledger<T>&) = nullptr;
};

template <class T>
class recorder : public node_recorder {
 public:
  /// What is known of each node of the graph.
  struct record {
    std::byte* entries = nullptr;  ///< of its value
    layout where{};
    std::uint32_t scalars = 0;  ///< entries of scalars that the tape had when the node was made
    std::uint32_t of_scalar = 0;      ///< the scalar whose value it is, if not 0
    external<T>* source = nullptr;    ///< the block that it stands for
    bool active = false;        ///< whether derivatives flow to it
    bool is_kept = false;       ///< whether its adjoint is kept: of a leaf, for who asks, or of a result of a block, for the block
    bool is_watched = false;    ///< whether one may ask for its adjoint
    bool arrived = false;       ///< whether its adjoint holds anything yet
    bool counts_if_true = false;
    T* adjoint = nullptr;
    T* condition = nullptr;     ///< the adjoint counts only where this is not 0, or, if not `counts_if_true`, is 0; see `pass::detail::mask`
  };

  graph nodes;

  explicit recorder(ledger<T>& of, arena& memory) : of_(of), memory_(memory) {
    node_recorder::insert = [](node_recorder& self, opcode op, element type, shape const& extent, attribute attributes, const_span<int> operands) {
      return static_cast<recorder&>(self).compute(op, type, shape{extent}, attributes, operands);
    };
    node_recorder::settle = [](node_recorder& self, int id) { return static_cast<recorder&>(self).settled(id); };
    node_recorder::holds = element_of<T>;
    nodes.recorder = this;
  }
  recorder(recorder const&) = delete;

  ledger<T>& owner() { return of_; }
  /// The recorder whose graph this is.
  static recorder& of(graph* g) {
    if (g->recorder == nullptr) error::value_is_not_known();
    if (g->recorder->holds != element_of<T>) error::element_types_differ("of a value", "of its tape");
    return static_cast<recorder&>(*g->recorder);
  }
  /// Of the ledger whose graph this is. Labels and indices, which a tape of either type holds, look for the type of theirs.
  static std::uint32_t epoch_of(graph* g) {
    if (g == nullptr || g->recorder == nullptr) return 0;
    if constexpr (std::floating_point<T>) return of(g).of_.epoch();
    else return g->recorder->holds == element::f32 ? recorder<float>::epoch_of(g) : recorder<double>::epoch_of(g);
  }
  static void check(graph* g, int id, std::uint32_t epoch) {
    if (g == nullptr || g->recorder == nullptr) return;
    if constexpr (std::floating_point<T>) {
      if (epoch != of(g).of_.epoch()) of(g).of_.look_at_node(id, epoch);
    } else if (g->recorder->holds == element::f32) {
      recorder<float>::check(g, id, epoch);
    } else {
      recorder<double>::check(g, id, epoch);
    }
  }

  int size() const { return nodes.size(); }
  record& operator[](int id) { return records_[static_cast<std::size_t>(id)]; }
  located at(int id) {
    node const& n = nodes[id];
    record const& r = (*this)[id];
    return {n.type, n.extent, r.where, r.entries};
  }

  /// A node that stands for the value at `entries`, side by side.
  int leaf(element type, shape const& extent, std::byte* entries, bool active) {
    return put(opcode_of<op::input>, type, extent, 0, {}, contiguous(type, extent, entries), active);
  }
  /// A node without a value, whose turn in the reverse sweep calls `source`.
  int block(external<T>& source) {
    int const id = put(opcode_of<op::input>, element::f32, shape{}, 0, {}, {}, false);
    (*this)[id].source = &source;
    return id;
  }
  /// Memory for a value.
  std::byte* room(element type, shape const& extent) {
    return memory_.give(static_cast<std::size_t>(extent.size()) * static_cast<std::size_t>(bytes_of(type)));
  }
  /// The value of node `id` side by side at a multiple of 64: where it is already, or moved there.
  std::byte* settled(int id) {
    if (id >= size()) of_.lost();
    located const from = at(id);
    std::byte* const first = from.entries + from.where.offset * bytes_of(from.type);
    if (from.is_contiguous() && reinterpret_cast<std::uintptr_t>(first) % 64 == 0) return first;
    std::byte* const entries = room(from.type, from.extent);
    located const to = contiguous(from.type, from.extent, entries);
    copy(to, from);
    moves_.push_back({id, from});
    (*this)[id].entries = entries;
    (*this)[id].where = to.where;
    return entries;
  }

  void truncate(int first) {
    nodes.truncate(first);
    records_.shrink(static_cast<std::size_t>(first));
  }
  /// How many values were moved. Before memory is taken back, those that were moved there go where they came from.
  std::size_t moves() const { return moves_.size(); }
  void move_back(std::size_t to) {
    for (std::size_t i = moves_.size(); i > to; --i) {
      moved const& each = moves_.entry[i - 1];
      if (each.id < size()) (*this)[each.id].entries = each.from.entries, (*this)[each.id].where = each.from.where;
    }
    moves_.shrink(to);
  }

  // ---- the way back ----

  /// Forgets all adjoints.
  void forget() {
    nodes.simplifying = false;  // the last way back may have ended in an exception
    for (record& each : records_) each.adjoint = each.condition = nullptr, each.arrived = false;
    free_ = nullptr;
  }
  /// Adds `g` to the adjoint of the scalar node `id`.
  void arrive(int id, T g) { arrive(id, contiguous(element_of<T>, shape{}, &g)); }
  /// Adds `x` to the adjoint of node `id`.
  void arrive(int id, located const& x) {
    if (!(*this)[id].active) return;
    hold_adjoint(id);
    add_to_adjoint(id, x);
  }
  /// The adjoint of node `id`, which is zero where nothing arrived.
  T* adjoint_or_zeros(int id) {
    if (T* const found = adjoint(id); found != nullptr) return found;
    hold_adjoint(id);
    std::memset((*this)[id].adjoint, 0, adjoint_bytes(id));
    return (*this)[id].adjoint;
  }
  /// The adjoint of node `id`, side by side; null where nothing arrived.
  T* adjoint(int id) {
    record& r = (*this)[id];
    if (!r.arrived) return nullptr;
    unmask(id);
    return r.adjoint;
  }
  std::size_t adjoint_bytes(int id) { return static_cast<std::size_t>(nodes[id].extent.size()) * sizeof(T); }
  /// Sees to it that the adjoint of node `id` has memory.
  void hold_adjoint(int id) {
    if (T*& adjoint = (*this)[id].adjoint; adjoint == nullptr) adjoint = hold(adjoint_bytes(id));
  }
  /// Hands the adjoint of node `id` on to its operands.
  void go_back_through(int id) {
    record const& r = (*this)[id];
    if (r.source != nullptr) return r.source->go_back(*r.source, of_);
    if (!r.arrived || r.is_kept) return;
    if (r.of_scalar != 0) of_.scalars.arrive(r.of_scalar, *adjoint(id));
    else through(id);
    release(id);
  }
  /// Gives the memory of an adjoint to the next that is wanted.
  void release(int id) {
    record& r = (*this)[id];
    std::size_t const bytes = adjoint_bytes(id);
    give_back(r.adjoint, bytes);
    give_back(r.condition, bytes);
    r.adjoint = r.condition = nullptr;
    r.arrived = false;
  }

 private:
  /// Memory of an adjoint that is not needed any more.
  struct unused {
    unused* next;
    std::size_t bytes;
  };

  /// A value that `settled` moved.
  struct moved {
    int id;
    located from;
  };

  ledger<T>& of_;
  arena& memory_;
  sequence<record> records_;  // by node
  sequence<moved> moves_;
  unused* free_ = nullptr;
  sequence<term> x_, contribution_;
  sequence<int> operands_;

  int put(opcode op, element type, shape const& extent, attribute attributes, const_span<int> operands, located const& value, bool active) {
    record r;
    r.entries = value.entries;
    r.where = value.where;
    r.scalars = of_.scalars.size();
    r.active = active;
    records_.push_back(r);
    return nodes.append(op, type, extent, attributes, operands);
  }

  /// The node, with its value.
  int compute(opcode op, element type, shape extent, attribute attributes, const_span<int> operands) {
    for (int operand : operands)
      if (operand >= size()) of_.lost();
    op_facts const& facts = op_table.entry[op];
    node const n{op, type, extent, attributes, 0, static_cast<int>(operands.size())};
    if (facts.is_loop) return run_loop(n, operands);
    if (facts.is_result) return result_of_loop(n, operands.start[0]);
    bool active = false;
    for (int i = 0; i < std::min(n.arity, facts.active_operands); ++i) active = active || (*this)[operands.start[i]].active;
    return put(op, type, extent, attributes, operands, value_of(n, facts, operands), active && facts.differentiable && is_floating(type));
  }

  located value_of(node const& n, op_facts const& facts, const_span<int> operands) {
    if (n.op == opcode_of<op::stop_gradient>) return at(operands.start[0]);
    if (facts.is_view) {
      located const x = at(operands.start[0]);
      if (auto const where = facts.project(n.attributes, x.where, x.extent, n.extent)) return {n.type, n.extent, *where, x.entries};
      settled(operands.start[0]);
      located const packed = at(operands.start[0]);
      return {n.type, n.extent, *facts.project(n.attributes, packed.where, packed.extent, n.extent), packed.entries};
    }
    located const y = contiguous(n.type, n.extent, room(n.type, n.extent));
    if (facts.is_composite) {  // its definition leaves nothing but the value
      arena::position const here = memory_.here();
      int const first = size();
      std::size_t const moves_before = moves();
      copy(y, at(rules_of(n).expand(nodes, n, operands).id));
      truncate(first);
      move_back(moves_before);
      memory_.rewind(here);
    } else {
      fixed<located, most_operands> few;
      sequence<located> many;
      located* x = few.entry;
      if (operands.size() > most_operands) many = filled(operands.size(), located{}), x = many.entry;
      for (std::size_t i = 0; i < operands.size(); ++i) x[i] = at(operands.start[i]);
      dynamic::compute<T>(n, y, {x, operands.size()});
    }
    return y;
  }
  static constexpr int most_operands = 8;

  // ---- loops: their steps one after the other ----

  int run_loop(node const& n, const_span<int> operands) {
    loop_body const l = loop_of(words_at(nodes.pool, n.attributes));
    sequence<int> const carries = carries_in(l.out);
    sequence<int> inputs(operands.begin(), operands.end()), last, at;
    sequence<sequence<int>> steps;  // of each result, by position
    for (std::size_t r = 0; r < l.out.size(); ++r) steps.push_back(filled(static_cast<std::size_t>(l.count), -1));
    auto const entry = [&](std::size_t i, shape const& s, int p) { return entry_at({&nodes, operands.start[i]}, p, s).id; };
    for (int step = 0; step < l.count; ++step) {
      int const p = l.backward ? l.count - 1 - step : step;
      std::size_t carry = 0;
      sequence<int> const leaves = pass::input_nodes(l.body, l.in.size());
      for (std::size_t i = 0; i < l.in.size(); ++i) {
        feed const f = l.in.entry[i];
        if (f == feed::carry) {
          std::size_t const from = static_cast<std::size_t>(carries.entry[carry++]);
          if (step > 0) inputs.entry[i] = last.entry[from];
        }
        if (has_companion(f)) inputs.entry[i] = operands.start[i + 1];
        if (leaves.entry[i] < 0) continue;  // not read
        shape const s = l.body[leaves.entry[i]].extent;
        if (f == feed::slice) inputs.entry[i] = entry(i, s, p);
        if (f == feed::before && p > 0) inputs.entry[i] = entry(i, s, p - 1);
        if (f == feed::after && p < l.count - 1) inputs.entry[i] = entry(i, s, p + 1);
      }
      at = run_body(l.body, inputs);
      last.clear();
      for (std::size_t r = 0; r < l.out.size(); ++r) {
        last.push_back(at.entry[l.body.outputs.entry[r]]);
        steps.entry[r].entry[p] = last.back();
      }
    }
    sequence<int> results;
    for (std::size_t r = 0; r < l.out.size(); ++r) {
      shape const s = l.body[l.body.outputs.entry[r]].extent;
      if (l.out.entry[r] == yield::stack) results.push_back(stack(steps.entry[r], s).id);
      else if (l.out.entry[r] == yield::carry) results.push_back(last.entry[r]);
      else {
        term sum{&nodes, steps.entry[r].entry[0]};
        for (int p = 1; p < l.count; ++p) sum = sum + term{&nodes, steps.entry[r].entry[p]};
        results.push_back(sum.id);
      }
    }
    // The node's operands are its results, which is where they are looked up.
    return put(n.op, n.type, n.extent, n.attributes, results, {}, false);
  }
  int result_of_loop(node const& n, int loop) { return nodes.operands(loop)[static_cast<std::size_t>(n.attributes)]; }

  /// The nodes that those of `body` become.
  sequence<int> run_body(graph_view body, sequence<int> const& inputs) {
    sequence<int> at, operands;
    for (int id = 0; id < body.size(); ++id) {
      node n = body[id];
      operands.clear();
      for (int operand : body.operands(id)) operands.push_back(at.entry[operand]);
      if (n.op == opcode_of<op::input>) at.push_back(inputs.entry[n.attributes]);
      else {
        if (facts_of(n).is_loop) n.attributes = nodes.keep(words_at(body.pool, n.attributes));
        at.push_back(compute(n.op, n.type, n.extent, n.attributes, operands));
      }
    }
    return at;
  }
  /// Values of shape `s` side by side along a new last axis.
  term stack(const_span<int> parts, shape const& s) {
    shape const whole = stacked(s, static_cast<int>(parts.size()));
    shape const one = stacked(s, 1);
    sequence<term> placed;
    for (std::size_t p = 0; p < parts.size(); ++p)
      placed.push_back(embed(fit({&nodes, parts.start[p]}, one), whole, region(s.rank, static_cast<int>(p))));
    return sum_of(placed);
  }

  // ---- adjoints ----

  T* hold(std::size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    for (unused** each = &free_; *each != nullptr; each = &(*each)->next)
      if ((*each)->bytes == bytes) {
        unused* const found = *each;
        *each = found->next;
        return reinterpret_cast<T*>(found);
      }
    return reinterpret_cast<T*>(memory_.give(bytes));
  }
  void give_back(T* memory, std::size_t bytes) {
    if (memory != nullptr) free_ = new (memory) unused{free_, (bytes + 63) / 64 * 64};
  }
  located adjoint_at(int id) { return contiguous(element_of<T>, nodes[id].extent, (*this)[id].adjoint); }

  /// Adds to an adjoint that has memory.
  void add_to_adjoint(int id, located const& x) {
    record& r = (*this)[id];
    unmask(id);
    if (r.arrived) add<T>(adjoint_at(id), x);
    else copy(adjoint_at(id), stretched(x, nodes[id].extent));
    r.arrived = true;
  }
  /// Where the adjoint is masked, zeros where it does not count.
  void unmask(int id) {
    record& r = (*this)[id];
    if (r.condition == nullptr) return;
    std::size_t const n = static_cast<std::size_t>(nodes[id].extent.size());
    for (std::size_t i = 0; i < n; ++i)
      if ((r.condition[i] != 0) != r.counts_if_true) r.adjoint[i] = 0;
    give_back(r.condition, n * sizeof(T));
    r.condition = nullptr;
  }

  void through(int id) {
    node const n = nodes[id];
    op_facts const& facts = facts_of(n);
    operands_.clear();
    x_.clear();
    for (int operand : nodes.operands(id)) operands_.push_back(operand), x_.push_back({&nodes, operand});
    int const active = std::min(n.arity, facts.active_operands);
    // Memory that outlives the rule's own values is taken before them. Only element-wise rules mask what they hand on.
    fixed<T*, 3> spare;
    for (int i = 0; i < active; ++i) {
      int const operand = operands_.entry[i];
      if (!(*this)[operand].active) continue;
      hold_adjoint(operand);
      if (facts.is_elementwise && !(*this)[operand].arrived) spare.entry[i] = hold(adjoint_bytes(operand));
    }

    arena::position const here = memory_.here();
    int const first = size();
    std::size_t const moves_before = moves();
    nodes.simplifying = true;
    if (!facts.is_elementwise) unmask(id);
    term const g{&nodes, leaf(element_of<T>, n.extent, adjoint_at(id).entries, false)};
    std::optional<pass::detail::mask> masked;
    if (T* const condition = (*this)[id].condition; condition != nullptr) {
      term const c{&nodes, leaf(element_of<T>, n.extent, reinterpret_cast<std::byte*>(condition), false)};
      masked = pass::detail::mask{c, g, (*this)[id].counts_if_true};
    }
    rules_of(n).pullback(n, g, {&nodes, id}, x_, contribution_);
    for (int i = 0; i < active; ++i) {
      int const operand = operands_.entry[i];
      if (!(*this)[operand].active) continue;
      term c = contribution_.entry[i];
      if (masked) c = masked->apply(c);
      deliver(operand, pass::detail::sum_to(c, nodes[operand].extent), spare.entry[i < 3 ? i : 2]);
    }
    nodes.simplifying = false;
    truncate(first);
    move_back(moves_before);
    memory_.rewind(here);
    for (int i = 0; facts.is_elementwise && i < active; ++i)
      if (spare.entry[i] != nullptr) give_back(spare.entry[i], adjoint_bytes(operands_.entry[i]));
  }

  /// Adds the contribution `c` to the adjoint of `operand`. The first one stays masked if it is, with the condition in `spare`.
  void deliver(int operand, term c, T*& spare) {
    std::optional<pass::detail::mask> const mask = pass::detail::mask_of(c);
    if (!mask || spare == nullptr || (*this)[operand].arrived || mask->condition->type != element_of<T>)
      return add_to_adjoint(operand, at(c.id));
    shape const& s = nodes[operand].extent;
    add_to_adjoint(operand, stretched(at(mask->value.id), s));
    copy(contiguous(element_of<T>, s, spare), stretched(at(mask->condition.id), s));
    (*this)[operand].condition = std::exchange(spare, nullptr);
    (*this)[operand].counts_if_true = mask->chosen_if_true;
  }
};

}  // namespace dynamic

}  // namespace etch::inline ETCH_ABI

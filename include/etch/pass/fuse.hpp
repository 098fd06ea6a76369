// fuse: groups nodes into kernels. Element-wise chains and the reductions that end them become one loop;
// the element-wise tail of a product becomes its epilogue.
#pragma once

#include <etch/pass/kernel.hpp>

#include <algorithm>
#include <limits>

namespace etch::inline ETCH_ABI::pass {

namespace detail {

/// Works on a materialised graph in three steps: `assign` puts every node into the earliest kernel that can compute it, `settle` decides
/// which values are kept in memory, moved to where they are used, or computed again there, `emit` writes the kernels' bodies.
class fusion {
 public:
  constexpr explicit fusion(graph_view g)
      : g_(g),
        places_(places_of(g)),
        group_(filled(g.nodes.size(), -1)),
        needed_(filled(g.nodes.size(), -1)),
        stored_(filled(g.nodes.size(), '\0')),
        repeated_(filled(g.nodes.size(), '\0')),
        whole_(filled(g.nodes.size(), '\0')) {
    for (int id = 0; id < g.size(); ++id) {
      facts_.push_back(&facts_of(g[id]));
      place const& p = places_[at(id)];
      shape const& extent = g[p.root].extent;
      // Views come after what they look at, so the root's own place is known.
      whole_[at(id)] = is_computed(g[p.root]) && !facts_of(g[p.root]).is_reduction && same_extents(g[id].extent, extent) &&
                       same_layout(p.where, places_[at(p.root)].where, extent);
    }
  }

  constexpr sequence<kernel> run() {
    assign();
    settle();
    return emit();
  }

 private:
  static constexpr int largest_body = 64;      ///< instructions in one kernel
  static constexpr int cheap = 6;              ///< cost up to which a value is rather computed again than kept
  static constexpr int groups_looked_at = 16;  ///< how far back a node looks for a kernel to join

  struct group_facts {
    shape space;
    element type;
    form computes;
    int instructions = 0;
  };

  graph_view g_;
  sequence<place> places_;
  sequence<group_facts> groups_;
  sequence<int> group_;              // by node, -1 for what is not computed
  sequence<int> needed_;             // the last kernel whose body holds the node
  sequence<char> stored_;            // kept in memory
  sequence<char> repeated_;          // computed in every kernel that reads it
  sequence<char> whole_;             // by node: it is all of a computed value, in its own order
  sequence<op_facts const*> facts_;  // by node

  static constexpr std::size_t at(int id) { return static_cast<std::size_t>(id); }
  constexpr op_facts const& facts(int id) const { return *facts_[at(id)]; }
  constexpr int root(int id) const { return places_[at(id)].root; }
  constexpr int owner(int id) const { return places_[at(places_[at(id)].root)].owner; }
  constexpr bool computed(int id) const { return !facts(id).is_nullary && !facts(id).is_view && !facts(id).is_assembly; }
  constexpr bool stored_somewhere(int id) const { return computed(id) || g_[id].op == opcode_of<op::join>; }
  constexpr form form_of(int id) const { return facts(id).is_product ? form::product : facts(id).is_block ? form::block : form::loop; }

  /// The iteration space in which a node is computed.
  constexpr shape const& space(int id) const { return facts(id).is_reduction ? g_[g_.operands(id)[0]].extent : g_[id].extent; }
  constexpr element type(int id) const { return g_[id].type; }

  /// Whether operand `o` of node `id` is, entry for entry, what a kernel over the space of `id` has in a register when it computes the root
  /// of `o`.
  constexpr bool aligned(int o, int id) const {
    return whole_[at(o)] != 0 && form_of(id) == form::loop && form_of(root(o)) != form::block && type(root(o)) == type(id) &&
           same_extents(g_[o].extent, space(id));
  }

  constexpr bool fits(int k, int id) const {
    group_facts const& group = groups_[at(k)];
    return group.computes != form::block && same_extents(group.space, space(id)) && group.type == type(id) && has_room(k);
  }

  constexpr bool has_room(int k) const { return groups_[at(k)].instructions < largest_body; }

  /// Moves a node from kernel `k` to kernel `to`.
  constexpr void move(int& k, int to) {
    --groups_[at(k)].instructions;
    ++groups_[at(to)].instructions;
    k = to;
  }

  constexpr void assign() {
    for (int id = 0; id < g_.size(); ++id) {
      if (g_[id].op == opcode_of<op::join>)
        for (int part : g_.operands(id)) group_[at(id)] = std::max(group_[at(id)], group_[at(g_.operands(part)[0])]);
      if (!computed(id)) continue;
      int earliest = 0;
      int producer = -1;  // the kernel that has an operand in a register
      for (int o : g_.operands(id)) {
        if (!stored_somewhere(root(o))) continue;
        int const k = group_[at(root(o))];
        bool const in_register = aligned(o, id) && fits(k, id) && !(groups_[at(k)].computes == form::product && facts(id).is_reduction);
        if (in_register) producer = std::max(producer, k);
        earliest = std::max(earliest, in_register ? k : k + 1);
      }
      int chosen = producer == earliest ? producer : -1;
      if (form_of(id) == form::loop)
        for (int k = static_cast<int>(groups_.size()) - 1, tries = groups_looked_at; chosen < 0 && k >= earliest && tries > 0; --k, --tries)
          if (fits(k, id) && groups_[at(k)].computes == form::loop) chosen = k;
      if (chosen < 0) {
        chosen = static_cast<int>(groups_.size());
        groups_.push_back({space(id), type(id), form_of(id)});
      }
      ++groups_[at(chosen)].instructions;
      group_[at(id)] = chosen;
    }
  }

  constexpr void settle() {
    // What must be in memory whoever reads it: outputs, reductions, and whatever is read other than entry for entry.
    for (int output : g_.outputs) stored_[at(output)] = 1;
    for (int id = 0; id < g_.size(); ++id) {
      if (g_[id].op == opcode_of<op::join>)
        for (int part : g_.operands(id)) stored_[at(g_.operands(part)[0])] = 1;
      if (!computed(id)) continue;
      if (facts(id).is_reduction || facts(id).is_block) stored_[at(id)] = 1;
      for (int o : g_.operands(id))
        if (computed(root(o)) && !aligned(o, id)) stored_[at(root(o))] = 1;
    }
    // What can be computed at any later point from memory alone, and at what cost.
    sequence<char> free = filled(g_.nodes.size(), '\0');
    sequence<int> cost = filled(g_.nodes.size(), 0);
    for (int id = 0; id < g_.size(); ++id) {
      if (!facts(id).is_elementwise) continue;
      free[at(id)] = 1;
      cost[at(id)] = facts(id).cost;
      for (int o : g_.operands(id)) {
        if (!computed(root(o)) || stored_[at(root(o))]) continue;
        if (!free[at(root(o))]) free[at(id)] = 0;
        cost[at(id)] = std::min(cost[at(id)] + cost[at(root(o))], 1000);
      }
    }
    // From the outputs down: every reader's place is known when a node is reached.
    sequence<int> first = filled(g_.nodes.size(), std::numeric_limits<int>::max());  // first and last kernel that reads it
    sequence<int> last = filled(g_.nodes.size(), -1);
    for (int id = g_.size() - 1; id >= 0; --id) {
      if (!computed(id)) continue;
      int& k = group_[at(id)];
      int const from = first[at(id)], to = last[at(id)];
      bool const read_elsewhere = to >= 0 && !(from == k && to == k);
      if (!stored_[at(id)] && read_elsewhere) {
        bool const movable = free[at(id)] != 0 && from > k && has_room(from);
        if (movable && from == to) move(k, from);
        else if (free[at(id)] && cost[at(id)] <= cheap && has_room(from) && has_room(to)) {
          repeated_[at(id)] = 1;
          ++groups_[at(from)].instructions;
          ++groups_[at(to)].instructions;
        } else {
          stored_[at(id)] = 1;
          if (movable) move(k, from);
        }
      }
      for (int o : g_.operands(id)) {
        int const r = root(o);
        if (!computed(r)) continue;
        first[at(r)] = std::min(first[at(r)], repeated_[at(id)] ? from : k);
        last[at(r)] = std::max(last[at(r)], repeated_[at(id)] ? to : k);
      }
    }
  }

  /// Whether kernel `k` has operand `o` of `id` in a register.
  constexpr bool in_register(int o, int id, int k) const {
    int const r = root(o);
    return computed(r) && aligned(o, id) && (repeated_[at(r)] || group_[at(r)] == k);
  }

  constexpr access access_to(int o, int id) const {
    node const& from = g_[root(o)];
    layout where = places_[at(o)].where;
    for (std::size_t axis = 0; axis < max_rank; ++axis)
      if (g_[o].extent.extent[axis] != space(id).extent[axis] || space(id).extent[axis] == 1) where.step[axis] = 0;
    if (from.op == opcode_of<op::fill>) return {source::constant, -1, {}, from.type, from.attributes};
    if (from.op == opcode_of<op::iota>) return {source::index, -1, where, from.type, static_cast<attribute>(where.offset)};
    return {source::memory, owner(o), where, from.type, 0};
  }

  static constexpr int add_input(kernel& body, access const& a) {
    for (std::size_t i = 0; i < body.inputs.size(); ++i)
      if (body.inputs[i] == a) return ~static_cast<int>(i);
    body.inputs.push_back(a);
    return ~(static_cast<int>(body.inputs.size()) - 1);
  }

  constexpr sequence<kernel> emit() {
    sequence<sequence<int>> members = filled(groups_.size(), sequence<int>{});  // what each kernel leaves in memory
    sequence<int> heavy = filled(groups_.size(), -1);                           // the product or block of each kernel
    for (int id = 0; id < g_.size(); ++id) {
      if (!computed(id)) continue;
      if (stored_[at(id)]) members[at(group_[at(id)])].push_back(id);
      if (form_of(id) != form::loop) heavy[at(group_[at(id)])] = id;
    }
    sequence<kernel> kernels;
    sequence<int> value = filled(g_.nodes.size(), 0);  // of each node in the present body
    for (int k = 0; k < static_cast<int>(groups_.size()); ++k)
      if (!members[at(k)].empty()) kernels.push_back(body_of(k, members[at(k)], heavy[at(k)], value));
    return kernels;
  }

  /// The nodes that kernel `k` computes in registers for the sake of `results`, in order.
  constexpr sequence<int> needed_in(int k, const_span<int> results) {
    sequence<int> body, stack;
    auto const need = [&](int id) {
      if (needed_[at(id)] == k) return;
      needed_[at(id)] = k;
      stack.push_back(id);
    };
    for (int id : results) need(id);
    while (!stack.empty()) {
      int const id = stack.back();
      stack.pop_back();
      body.push_back(id);
      if (form_of(id) != form::loop) continue;
      for (int o : g_.operands(id))
        if (in_register(o, id, k)) need(root(o));
    }
    std::sort(body.begin(), body.end());
    return body;
  }

  constexpr access in_memory(int o) const { return {source::memory, owner(o), places_[at(o)].where, g_[o].type, 0}; }

  constexpr kernel body_of(int k, const_span<int> results, int heavy, sequence<int>& value) {
    kernel body;
    body.head.computes = groups_[at(k)].computes;
    body.head.space = groups_[at(k)].space;
    body.head.type = groups_[at(k)].type;
    if (body.head.computes == form::block) {
      for (int o : g_.operands(heavy)) body.inputs.push_back(in_memory(o));
      body.results.push_back({0, heavy, owner(heavy), places_[at(heavy)].where, type(heavy)});
      return body;
    }
    if (body.head.computes == form::product) {
      fixed const o{g_.operands(heavy)[0], g_.operands(heavy)[1]};
      body.head.a = in_memory(o[0]);
      body.head.b = in_memory(o[1]);
      kernel_head& head = body.head;
      for (std::size_t axis = 2; axis < max_rank; ++axis) {
        if (g_[o[0]].extent.extent[axis] != head.space.extent[axis]) head.a.where.step[axis] = 0;
        if (g_[o[1]].extent.extent[axis] != head.space.extent[axis]) head.b.where.step[axis] = 0;
      }
      head.product = choose_contraction(head.type, head.space[0], head.space[1], g_[o[0]].extent[1], head.a.where, head.b.where);
      head.product.batch = {head.space[2], head.space[3]};
      head.product.a_batch = {head.a.where.step[2], head.a.where.step[3]};
      head.product.b_batch = {head.b.where.step[2], head.b.where.step[3]};
      if (head.product.transposed) std::swap(head.product.a_batch, head.product.b_batch);
    }
    auto const operand = [&](int o, int id) { return in_register(o, id, k) ? value[at(root(o))] : add_input(body, access_to(o, id)); };
    for (int id : needed_in(k, results)) {
      if (facts(id).is_product) value[at(id)] = add_input(body, {source::tile, -1, {}, type(id), 0});
      if (facts(id).is_reduction) value[at(id)] = operand(g_.operands(id)[0], id);
      if (!facts(id).is_elementwise) continue;
      instruction step{g_[id].op, g_[id].attributes, {}};
      std::size_t i = 0;
      for (int o : g_.operands(id)) step.operand[i++] = operand(o, id);
      body.code.push_back(step);
      value[at(id)] = static_cast<int>(body.code.size()) - 1;
    }
    for (int id : results) {
      result r{value[at(id)], id, owner(id), places_[at(id)].where, type(id), facts(id).is_reduction, g_[id].op, g_[id].attributes};
      for (int axis = 0; axis < max_rank; ++axis)
        if (body.head.space[axis] == 1 || (r.reduces && op::reduction::reduces(r.axes, axis))) r.where.step[at(axis)] = 0;
      body.results.push_back(r);
    }
    return body;
  }
};

}  // namespace detail

/// The kernels that compute a materialised graph, in an order in which every kernel finds its operands in memory.
constexpr sequence<kernel> fuse(graph_view g) { return detail::fusion(g).run(); }

}  // namespace etch::inline ETCH_ABI::pass

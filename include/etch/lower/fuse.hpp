// fuse: writes the kernels of a grouped graph: what each loads, computes and stores.
#pragma once

#include <etch/lower/group.hpp>
#include <etch/lower/loop_kernel.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

class fusion {
 public:
  constexpr fusion(graph_view g, const_span<node_facts> values, const_span<membership> of, int kernels,
                   const_span<loop_room> rooms)
      : g_(g),
        values_(values),
        member_(of.start),
        kernels_(kernels),
        rooms_(rooms),
        body_(sequence<in_body>::zeros(g.nodes.size())) {}

  constexpr sequence<kernel> run() {
    // Results that each kernel leaves in memory, as lists through the nodes: the kernels' heads, and for
    // each node the next of its kernel.
    sequence<int> first = filled(static_cast<std::size_t>(kernels_), -1), next = filled(g_.nodes.size(), -1);
    sequence<int> heavy = filled(static_cast<std::size_t>(kernels_), -1);  // the product or block of each kernel
    for (int id = g_.size() - 1; id >= 0; --id) {
      if (!values_.start[id].computed) continue;
      int const k = member_[id].kernel;
      if (member_[id].stored) {
        next.begin()[id] = first.begin()[k];
        first.begin()[k] = id;
      }
      if (values_.start[id].computes != form::elementwise) heavy.begin()[k] = id;
    }
    sequence<kernel> kernels;
    kernels.reserve(static_cast<std::size_t>(kernels_));
    sequence<int> results;
    for (int k = 0; k < kernels_; ++k) {
      if (first.begin()[k] < 0) continue;
      results.clear();
      for (int id = first.begin()[k]; id >= 0; id = next.begin()[id]) results.push_back(id);
      kernels.push_back({});
      write(kernels.back(), k, results, heavy.begin()[k]);
    }
    add_buffers_of_loops(kernels);
    return kernels;
  }

 private:
  /// A node in the body that is being written, and the buffer of the same number.
  struct in_body {
    int needed = -1;  ///< the last kernel whose body holds it
    int number = 0;   ///< of its value
    int read = -1;    ///< the last kernel that reads the buffer of the same number
    int input = 0;    ///< its last input from there
  };

  /// A product, as far as the choice of its kernel depends on it.
  struct known_product {
    element type{};
    bool stores = false;
    shape space{};
    int k = 1;
    strides a{}, b{};
    vectors set = machine_vectors;
    contraction way{};
  };

  graph_view g_;
  const_span<node_facts> values_;
  membership const* member_;
  int kernels_;
  const_span<loop_room> rooms_;
  sequence<in_body> body_;
  sequence<int> needed_;
  sequence<known_product> products_;

  /// Whether kernel `k` has operand `o` of `reader` in a register.
  constexpr bool in_register(node_facts const& o, node_facts const& reader, int k) const {
    return (member_[o.root].repeated || member_[o.root].kernel == k) && values_.start[o.root].computed &&
           aligned(o, values_.start[o.root], reader);
  }

  constexpr access in_memory(int o) const {
    node_facts const& v = values_.start[o];
    return {source::memory, v.owner, v.where, v.type, 0};
  }

  constexpr access access_to(int o, node_facts const& reader) const {
    node_facts const& v = values_.start[o];
    node const& from = g_.nodes.start[v.root];
    if (from.op == opcode_of<op::fill>) return {source::constant, -1, {}, from.type, from.attributes};
    layout where = v.where;
    for (int axis = 0; axis < max_rank; ++axis)
      if (v.extent.extent.entry[axis] != reader.space.extent.entry[axis] || reader.space.extent.entry[axis] == 1)
        where.step.entry[axis] = 0;
    if (from.op == opcode_of<op::iota>)
      return {source::index, -1, where, from.type, static_cast<attribute>(where.offset)};
    return {source::memory, v.owner, where, from.type, 0};
  }

  /// The number of input `a` of kernel `k`. Nearly all are found, or missed, by the last input from the same buffer.
  constexpr int add_input(kernel& body, int k, access const& a) {
    access const* const in = body.inputs.begin();
    int const n = static_cast<int>(body.inputs.count);
    in_body* const from = a.root < 0 ? nullptr : body_.entry + a.root;
    int const last = from == nullptr ? n - 1 : from->read != k ? -1 : from->input;
    for (int i = last; i >= 0; --i)
      if (in[i].root == a.root && in[i].bits == a.bits && in[i] == a) return ~i;
    body.inputs.push_back(a);
    if (from != nullptr) from->read = k, from->input = n;
    return ~n;
  }

  /// The nodes that kernel `k` computes in registers for the sake of `results`, in order.
  constexpr const_span<int> needed_in(int k, const_span<int> results) {
    in_body* const in = body_.begin();
    sequence<int>& list = needed_;
    list.clear();
    for (std::size_t i = results.count; i-- > 0;) list.push_back(results.start[i]), in[results.start[i]].needed = k;
    for (std::size_t next = 0; next < list.count; ++next) {
      node_facts const& v = values_.start[list.entry[next]];
      if (v.computes != form::elementwise) continue;
      node const& n = g_.nodes.start[list.entry[next]];
      for (int i = n.first_operand; i < n.first_operand + n.arity; ++i)
        if (node_facts const& o = values_.start[g_.edges.start[i]]; in[o.root].needed != k && in_register(o, v, k))
          in[o.root].needed = k, list.push_back(o.root);
    }
    // A walk down is nearly the reverse of the order.
    std::reverse(list.begin(), list.end());
    for (std::size_t i = 1; i < list.count; ++i) {
      int const id = list.entry[i];
      std::size_t at = i;
      for (; at > 0 && list.entry[at - 1] > id; --at) list.entry[at] = list.entry[at - 1];
      list.entry[at] = id;
    }
    return list;
  }

  /// The workspace of the body of the loop at node `loop`.
  constexpr loop_room room_of_body(int loop) const {
    std::size_t before = 0;
    for (int id = 0; id < loop; ++id) before += g_[id].op == opcode_of<op::loop>;
    return before < rooms_.size() ? rooms_[before] : loop_room{};
  }

  /// Adds the buffers between steps to the scratch memory of loops. An operand that nobody else reads
  /// is one of them, where it can be.
  constexpr void add_buffers_of_loops(sequence<kernel>& kernels) const {
    bool any = false;
    for (kernel const& k : kernels) any = any || k.head.computes == form::loop;
    if (!any) return;
    sequence<int> reads = filled(g_.nodes.size(), 0);
    int* const count = reads.begin();
    for (kernel const& k : kernels) for_each_read(k, [&](access const& a) { ++count[a.root]; });
    for (int output : g_.outputs) ++count[values_.start[output].owner];
    for (kernel& k : kernels) {
      if (k.head.computes != form::loop) continue;
      loop_kernel const r = loop_kernel_of(g_, loop_run_by(g_, k));
      sequence<int> const carries = carries_in(r.loop.in);
      if (runs_in_lanes(r.loop)) {
        element const points = r.loop.body[r.loop.body.outputs.entry[0]].type;
        loop_room const room = room_of_body(loop_run_by(g_, k));
        std::int64_t strips = 0, sums = 0;
        for (std::size_t i = 0; i < r.loop.in.size(); ++i)
          if (node const& n = g_[g_.operands(loop_run_by(g_, k))[i]]; r.loop.in.entry[i] == loop_input::slice)
            strips += strip_bytes(n.extent.size() / r.loop.count, lanes_like(points, n.type));
        for (std::size_t i = 0; i < r.out.size(); ++i) {
          node const& n = r.loop.body[r.loop.body.outputs.entry[i]];
          (r.out.entry[i].kind == loop_output::sum ? sums : strips) += strip_bytes(n.extent.size(), n.type);
        }
        k.head.scratch += strips + (room.abreast - 1) * (strips + room.kept) + sums;
        continue;
      }
      for (int output : r.again.body.outputs) k.head.scratch += 2 * padded_bytes(r.again.body[output]);
      if (r.again.of.exists()) k.head.scratch += bytes_of_positions(r.again.of.snapshots);
      for (std::size_t i = 0; i < r.out.size(); ++i) {
        step_output const& out = r.out.entry[i];
        node const& each = r.loop.body[r.loop.body.outputs.entry[i]];
        bool const has_result = out.result >= 0;
        bool with_operand = false;
        if (out.carry >= 0 && alternates_with_operand(out.kind, has_result, r.loop.count)) {
          access& a = k.inputs.entry[carries.entry[out.carry]];
          node const& owner = g_.nodes.start[a.root];
          with_operand = count[a.root] == 1 && is_computed(owner) && padded_bytes(owner) == padded_bytes(each) &&
                         a.where.offset == 0;
          a.bits = with_operand;
        }
        k.head.scratch += spare_buffers(out.kind, has_result, with_operand, r.loop.count) * padded_bytes(each);
      }
    }
  }

  /// How a product of this kind is computed: chosen once, since choosing takes many steps.
  constexpr contraction chosen(known_product p, vectors set) {
    for (known_product const& other : products_)
      if (other.set == set && other.type == p.type && other.stores == p.stores && other.k == p.k &&
          same_extents(other.space, p.space) && other.a == p.a && other.b == p.b)
        return other.way;
    p.set = set;
    p.way = contraction_of(p.type, p.space, p.k, p.a, p.b, p.stores, set);
    products_.push_back(p);
    return p.way;
  }
  /// The largest of `entries`, which code for the options' set takes, and of `entries_for(set)` of all other sets.
  static constexpr std::int64_t most_entries(std::int64_t entries, auto entries_for) {
    for (vectors set : compiled_sets)
      if (set != machine_vectors) entries = std::max<std::int64_t>(entries, entries_for(set));
    return entries;
  }

  /// Makes the first two axes of the kernel's space one; does nothing and is false where something that the kernel
  /// reads or leaves does not lie so.
  static constexpr bool merge_first_axes(kernel& body) {
    shape& space = body.head.space;
    auto const is_one = [&](layout const& l) { return space[0] == 1 || l.step.entry[1] == space[0] * l.step.entry[0]; };
    for (access const& a : body.inputs)
      if (!is_one(a.where)) return false;
    for (result const& r : body.results)
      if (!is_one(r.where) || r.reduces) return false;
    auto const merge = [&](layout& l) {
      if (space[0] == 1) l.step.entry[0] = l.step.entry[1];
      l.step.entry[1] = 0;
    };
    for (access& a : body.inputs) merge(a.where);
    for (result& r : body.results) merge(r.where);
    space[0] *= space[1];
    space[1] = 1;
    return true;
  }

  constexpr void write_product(kernel& body, int product) {
    kernel_head& head = body.head;
    int const* const o = g_.operands(product).start;
    head.a = in_memory(o[0]);
    head.b = in_memory(o[1]);
    shape const &a = values_.start[o[0]].extent, &b = values_.start[o[1]].extent;
    if (head.space.counted == 0 && a.counted != 0) head.space.counted = contracted_counts;
    if (convolved const what = values_.start[product].op->convolves; what != convolved::nothing) {
      convolution& c = head.sliding;
      c = convolution_of(head.type, what, sliding(g_.nodes.start[product].attributes), head.space, a, head.a.where.step,
                         b, head.b.where.step);
      if (head.space.counted == 0 && !is_lanes(head.type) && runs_along_positions(c, head.type) &&
          (c.contracts_batch || merge_first_axes(body)))
        c = along_positions(c, head.type);
      head.scratch = bytes_of(head.type) * (c.copy.size() + most_entries(c.scratch_entries, [&](vectors set) {
                                              return for_registers(c, head.type, set).scratch_entries;
                                            }));
      return;
    }
    // A matrix that takes part in every product of a batch stays where it is.
    for (int axis = 2; axis < max_rank; ++axis) {
      if (a.extent.entry[axis] != head.space.extent.entry[axis]) head.a.where.step.entry[axis] = 0;
      if (b.extent.entry[axis] != head.space.extent.entry[axis]) head.b.where.step.entry[axis] = 0;
    }
    known_product const p{head.type, only_stores(body), head.space, a[1], head.a.where.step, head.b.where.step};
    head.product = chosen(p, machine_vectors);
    head.scratch = bytes_of(head.type) * most_entries(head.product.packed_entries(),
                                                      [&](vectors set) { return chosen(p, set).packed_entries(); });
  }

  constexpr void write(kernel& body, int k, const_span<int> results, int heavy) {
    node_facts const* const v = values_.start;
    in_body* const in = body_.begin();
    node_facts const& leading = v[heavy >= 0 ? heavy : results.start[0]];
    body.head.computes = leading.computes;
    body.head.space = leading.space;
    body.head.type = leading.type;
    if (leading.computes == form::loop) {
      body.head.scratch = padded(room_of_body(heavy).bytes);
      for (int o : g_.operands(heavy)) body.inputs.push_back(in_memory(o));
      for (input_again const& each : steps_again_in(g_, heavy).in) body.inputs.push_back(in_memory(each.node));
      for (int id : results) body.results.push_back({0, id, v[id].owner, v[id].where, v[id].type});
      return;
    }
    if (leading.computes == form::block) {
      for (int o : g_.operands(heavy)) body.inputs.push_back(in_memory(o));
      for (int id : results) body.results.push_back({0, id, v[id].owner, v[id].where, v[id].type});
      return;
    }
    auto const operand = [&](int o, node_facts const& reader) {
      return in_register(v[o], reader, k) ? in[v[o].root].number : add_input(body, k, access_to(o, reader));
    };
    const_span<int> const needed = needed_in(k, results);
    body.code.reserve(needed.count);
    for (int id : needed) {
      node_facts const& x = v[id];
      node const& n = g_.nodes.start[id];
      if (x.computes == form::product) in[id].number = add_input(body, k, {source::tile, -1, {}, x.type, 0});
      if (x.op->is_reduction) in[id].number = operand(g_.edges.start[n.first_operand], x);
      if (!x.op->is_elementwise) continue;
      instruction step{n.op, n.attributes, {}};
      for (int i = 0; i < n.arity; ++i) step.operand.entry[i] = operand(g_.edges.start[n.first_operand + i], x);
      in[id].number = static_cast<int>(body.code.count);
      body.code.push_back(step);
    }
    for (int id : results) {
      node const& n = g_.nodes.start[id];
      result r{in[id].number, id, v[id].owner, v[id].where, v[id].type, v[id].op->is_reduction, n.op, n.attributes};
      for (int axis = 0; axis < max_rank; ++axis)
        if (body.head.space[axis] == 1 || (r.reduces && op::reduction::reduces(r.axes, axis)))
          r.where.step.entry[axis] = 0;
      body.results.push_back(r);
    }
    if (leading.computes == form::product) write_product(body, heavy);
  }
};

}  // namespace detail

/// The kernels that compute a materialised graph as grouped, in an order in which every kernel finds its operands in
/// memory. `rooms` are those of the bodies of all loops, in the order of their nodes.
constexpr sequence<kernel> fuse(graph_view g, const_span<node_facts> values, const_span<membership> of, int kernels,
                                const_span<loop_room> rooms = {}) {
  return detail::fusion(g, values, of, kernels, rooms).run();
}
constexpr sequence<kernel> fuse(graph_view g) {
  sequence<node_facts> const values = facts_of_nodes(g);
  grouping const groups = group(g, values);
  return fuse(g, values, groups.of, groups.kernels);
}

}  // namespace pass
ETCH_NAMESPACE_END

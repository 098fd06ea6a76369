// recorder: computes what operations insert into the graph of a tape, at once, and goes back through it by the rules of
// the ops: as `rewrite/differentiate.hpp` does, with values in the place of nodes. How, is in `tape/recording.hpp`.
#pragma once

#include <etch/tape/adjoints.hpp>
#include <etch/tape/recorded_op.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

template <class T>
class recorder : public node_observer {
 public:
  dynamic::node_records<T> records;
  dynamic::adjoints<T> adjoints;

  recorder(tape_state<T>& of, arena& memory) : records(memory), adjoints(records, memory), of_(of), memory_(memory) {
    static_assert(define_rows<T>(), "etch: recorders define the rows of ops");
    insert = [](node_observer& self, opcode op, element type, shape const& extent, attribute attributes,
                const_span<int> operands) {
      return static_cast<recorder&>(self).compute({op, type, extent, attributes, 0, static_cast<int>(operands.size())},
                                                  operands);
    };
    settle = [](node_observer& self, int id) { return static_cast<recorder&>(self).settled(id); };
    holds = element_of<T>;
    records.nodes.recorder = this;
  }
  recorder(recorder const&) = delete;

  etch::graph& graph() { return records.nodes; }
  etch::graph const& graph() const { return records.nodes; }
  tape_state<T>& owner() { return of_; }

  /// The recorder of a graph, which must be one of the element type `T`.
  static recorder& of(etch::graph* g) {
    if (g->recorder == nullptr) error::value_is_not_known();
    if (g->recorder->holds != element_of<T>)
      error::tape_holds_one_floating_type(name_of(g->recorder->holds), name_of(element_of<T>));
    return static_cast<recorder&>(*g->recorder);
  }
  /// Of the tape_state whose graph this is. Labels and indices, which a tape of either type holds, ask in its type.
  static std::uint32_t epoch_of(etch::graph* g) {
    if (g == nullptr || g->recorder == nullptr) return 0;
    if constexpr (std::floating_point<T>) return of(g).of_.generation();
    else return g->recorder->holds == element::f32 ? recorder<float>::epoch_of(g) : recorder<double>::epoch_of(g);
  }
  /// Whether node `id`, made in `generation`, still exists; else the mistake.
  static void check(etch::graph* g, int id, std::uint32_t generation) {
    if (g == nullptr || g->recorder == nullptr) return;
    if constexpr (std::floating_point<T>) {
      if (generation != of(g).of_.generation()) of(g).of_.look_at_node(id, generation);
    } else if (g->recorder->holds == element::f32) {
      recorder<float>::check(g, id, generation);
    } else {
      recorder<double>::check(g, id, generation);
    }
  }

  /// Memory for a value.
  std::byte* room(element type, shape const& extent) {
    return memory_.give(static_cast<std::size_t>(extent.size()) * static_cast<std::size_t>(bytes_of(type)));
  }
  /// Whether nodes get their values only when these are wanted.
  bool values_wait() const { return values_wait_; }
  /// A node for the value at `entries`, side by side.
  int leaf(element type, shape const& extent, std::byte* entries, bool is_active) {
    return put({opcode_of<op::input>, type, extent, 0, 0, 0}, {}, contiguous(type, extent, entries),
               is_active && type == element_of<T>);
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
    strided_value const from = records.at(id);
    std::byte* const first = from.entries + from.where.offset * bytes_of(from.type);
    if (from.is_contiguous() && reinterpret_cast<std::uintptr_t>(first) % 64 == 0) return first;
    strided_value const to = packed(from);
    records.move(id, to);
    return to.entries;
  }

  /// Hands the adjoint of node `id` on.
  void go_back_through(int id) {
    node_record<T> const r = records[id];
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

  /// From now on only nodes from number `first` on may take part in what derivatives flow
  /// through. Returns the number before.
  int confine(int first) { return std::exchange(first_allowed_, first); }
  int first_allowed() const { return first_allowed_; }

  /// While it lives, nodes are made that are taken back when it ends.
  class stretch {
   public:
    explicit stretch(recorder& r, bool simplifying)
        : of_(r),
          nodes_(r.records.here()),
          memory_(r.memory_.here()),
          simplified_(std::exchange(r.graph().simplifying, simplifying)),
          waits_(std::exchange(r.values_wait_, false)) {}
    stretch(stretch const&) = delete;
    /// Memory given out so far is not taken back; nor, where the graph has moved
    /// there, does it move once more.
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
    typename dynamic::node_records<T>::position nodes_;
    arena::position memory_;
    bool const simplified_, waits_;
  };

 private:
  tape_state<T>& of_;
  arena& memory_;
  int first_allowed_ = 0;
  bool values_wait_ = false;
  sequence<term> x_, contribution_;  // of the rule at hand
  sequence<gaps> gaps_;              // in its contributions
  sequence<int> operands_, operands_of_computed_;

  int put(node const& n, const_span<int> operands, strided_value const& value, bool is_active) {
    node_record<T> r;
    r.entries = value.entries;
    r.where = value.where;
    r.scalars = of_.scalars.boundary();
    r.is_active = is_active;
    return records.append(n, operands, r);
  }

  /// A copy, side by side.
  strided_value packed(strided_value const& from) {
    strided_value const to = contiguous(from.type, from.extent, room(from.type, from.extent));
    copy(to, from);
    return to;
  }

  // Defined in tape/recording.hpp, out of the class: what they need of every op is compiled
  // once where tape/extern.hpp says so.
  /// The node, with its value.
  int compute(node const& n, const_span<int> operands);
  /// Gives node `wanted`, and what it follows from, their values; `wanted` itself in `to`, if that is given and it is
  /// no view. Nodes before `first` have theirs. Returns where the value is.
  strided_value computed(int wanted, int first, T* to = nullptr);
  /// Where the value of a node lies; `to` is memory for it, if given.
  strided_value value_of(node const& n, const_span<int> operands, T* to);
  /// Calls the function of the user's that node `n` names.
  void call_opaque(node const& n, const_span<int> operands, strided_value const& y);
  /// The rule of node `id`, from its adjoint to those of its operands.
  void through(int id);
  /// Adds the contribution `c` to the adjoint of `operand`. The first one is computed where the
  /// adjoint lies; a product is added there.
  void deliver(int operand, term c, int first, gaps in_c);
};

}  // namespace dynamic
ETCH_NAMESPACE_END

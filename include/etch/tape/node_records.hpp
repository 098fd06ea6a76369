// node_records: the nodes of a tape's graph and what is known of each, in the arena's memory.
#pragma once

#include <etch/op/table.hpp>
#include <etch/tape/arena.hpp>
#include <etch/tape/strided_value.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

ETCH_NAMESPACE_BEGIN
namespace error {

[[noreturn]] inline void variable_is_gone() {
  raise("a variable that no longer exists: its tape was rewound to before it, or reset, since it was made");
}
[[noreturn]] inline void checkpoint_captures_a_variable() {
  raise("a checkpointed function captures a variable: pass it as an argument, so that its gradient arrives");
}

}  // namespace error
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace dynamic {

template <class T>
class tape_state;

/// An entry of a tape that is no operation: `go_back` hands the adjoints of its results on.
template <class T>
struct external {
  void (*go_back)(external&, tape_state<T>&) = nullptr;
};

/// Whether -0 among the entries of an adjoint says that nothing arrived there (op/arrival.hpp).
enum class gaps : std::uint8_t {
  none,
  of_rule,    ///< an element-wise rule left them: only the element-wise rule behind it heeds them
  of_choice,  ///< a `select` left them: they go wherever the adjoint goes
};

/// Facts of a node.
template <class T>
struct node_record {
  std::byte* entries = nullptr;  ///< of its value
  layout where{};
  std::uint32_t scalars = 0;      ///< entries of scalars that there were when the node was made
  std::uint32_t of_scalar = 0;    ///< the scalar whose value it is; 0 if none
  external<T>* source = nullptr;  ///< the entry that it stands for, if it is no value
  bool is_computed = true;        ///< whether it has its value; in a rule values wait until they are wanted
  bool is_wanted = false;
  bool is_active = false;  ///< whether derivatives flow to it
  bool is_kept =
      false;  ///< whether its adjoint waits: of a leaf for who asks, of a result of an external entry for that entry
  bool is_watched = false;  ///< whether one may ask for its adjoint

  T* adjoint = nullptr;      ///< memory for it, side by side
  bool has_arrived = false;  ///< whether the adjoint holds anything yet
  dynamic::gaps gaps{};      ///< in the adjoint
};

template <class T>
class node_records {
 public:
  graph nodes;

  explicit node_records(arena& memory) : memory_(memory) {}
  node_records(node_records const&) = delete;
  ~node_records() { use({}); }

  int size() const { return nodes.size(); }
  /// References do not outlive the next node.
  node_record<T>& operator[](int id) { return records_.entry[id]; }
  /// Where the value of node `id` lies.
  strided_value at(int id) {
    node const& n = nodes[id];
    return {n.type, n.extent, records_.entry[id].where, records_.entry[id].entries};
  }

  int append(node const& n, const_span<int> operands, node_record<T> const& r) {
    make_room(1, operands.size());
    records_.push_back(r);
    return nodes.append(n.op, n.type, n.extent, n.attributes, operands);
  }

  /// Sees to it that so many nodes without operands can be appended, or fails before the first.
  void reserve(int more) { make_room(static_cast<std::size_t>(more), 0); }

  /// Node `id` finds its value at `to` from now on. A rewind to before, which takes that memory back,
  /// lets it find the value where it was.
  void move(int id, strided_value const& to) {
    moves_.push_back({id, at(id)});
    place(id, to);
  }

  /// Says that the node to come chooses between values that derivatives flow to, or has done so inside.
  void choose_next() { first_choice_ = std::min(first_choice_, size()); }
  /// Whether any node does: then an adjoint may arrive in part, see `pass::detail::guarded`.
  bool choose() const { return first_choice_ < size(); }

  /// How many nodes there are, how many of them were moved, and where they lie.
  struct position {
    int nodes = 0;
    std::size_t moves = 0;
    std::byte const* room = nullptr;
  };
  position here() const { return {size(), moves_.size(), room_.memory}; }
  /// Takes back all nodes since `to`. The arena has been rewound to the same time: a graph that has moved since then
  /// lies in what was taken back, and moves once more.
  void rewind(position const& to) {
    for (; moves_.size() > to.moves; moves_.pop_back()) place(moves_.back().id, moves_.back().from);
    nodes.truncate(to.nodes);
    if (first_choice_ >= to.nodes) first_choice_ = std::numeric_limits<int>::max();
    records_.shrink(static_cast<std::size_t>(to.nodes));
    if (room_.memory == to.room) return;
    std::byte* const memory = memory_.give(room_.bytes());
    if (to.nodes > 0) std::memmove(memory, room_.memory, room_.bytes());
    room_.memory = memory;
    use(room_);
  }

 private:
  struct room {
    std::byte* memory = nullptr;
    std::size_t nodes = 0, edges = 0;

    std::size_t bytes() const { return nodes * (sizeof(node) + sizeof(node_record<T>)) + edges * sizeof(int); }
    node* first_node() const { return reinterpret_cast<node*>(memory); }
    node_record<T>* first_record() const { return reinterpret_cast<node_record<T>*>(first_node() + nodes); }
    int* first_edge() const { return reinterpret_cast<int*>(first_record() + nodes); }
  };

  /// A value that was moved, and from where.
  struct moved {
    int id;
    strided_value from;
  };

  arena& memory_;
  room room_;
  sequence<node_record<T>> records_;  // by node
  sequence<moved> moves_;
  int first_choice_ = std::numeric_limits<int>::max();

  void place(int id, strided_value const& at) {
    records_.entry[id].entries = at.entries;
    records_.entry[id].where = at.where;
  }

  void use(room const& r) {
    bool const none = r.memory == nullptr;
    nodes.borrow(none ? nullptr : r.first_node(), r.nodes, none ? nullptr : r.first_edge(), r.edges);
    records_.borrow(none ? nullptr : r.first_record(), r.nodes);
  }
  /// Room for so many more nodes, and operands.
  void make_room(std::size_t more, std::size_t operands) {
    std::size_t const have = static_cast<std::size_t>(size()), edges = nodes.view().edges.size();
    if (have + more <= room_.nodes && edges + operands <= room_.edges) return;
    std::size_t const least = memory_.can_grow() ? 256 : 16;
    room larger{nullptr, std::max(room_.nodes, least), std::max(room_.edges, 2 * least)};
    while (larger.nodes < have + more) larger.nodes *= 2;
    while (larger.edges < edges + operands) larger.edges *= 2;
    larger.memory = memory_.give(larger.bytes());
    if (have > 0) {
      std::memcpy(larger.first_node(), room_.first_node(), have * sizeof(node));
      std::memcpy(larger.first_record(), room_.first_record(), have * sizeof(node_record<T>));
      std::memcpy(larger.first_edge(), room_.first_edge(), edges * sizeof(int));
    }
    room_ = larger;
    use(room_);
  }
};

}  // namespace dynamic
ETCH_NAMESPACE_END

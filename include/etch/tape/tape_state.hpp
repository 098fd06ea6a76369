// tape_state: everything that a tape has recorded: scalars, the graph, the memory of both,
// and which variables still exist.
#pragma once

#include <etch/tape/generations.hpp>
#include <etch/tape/recording.hpp>
#include <etch/tape/scalars.hpp>
#include <etch/tape/var.hpp>

#include <algorithm>
#include <cstring>
#include <optional>

ETCH_NAMESPACE_BEGIN
namespace error {

[[noreturn]] inline void position_of_another_tape() {
  raise("a position of another tape: a tape goes back to its own");
}
[[noreturn]] inline void position_is_gone() {
  raise("a position that no longer exists: its tape was rewound to before it, or reset, since");
}
[[noreturn]] inline void backward_in_a_checkpoint() {
  raise(
      "a checkpointed function goes back through its tape, which is gone back through from outside: let it return the "
      "value instead");
}
[[noreturn]] inline void backward_ran_already() {
  raise(
      "backward ran already on what is recorded: say backward(loss, etch::retain) the first time, or rewind or reset "
      "the tape before");
}
[[noreturn]] inline void no_backward_yet() {
  raise("there is no gradient: backward has not run since the tape was last rewound or reset");
}
[[noreturn]] inline void gradient_of_a_constant() { raise("a constant has no gradient: watch the value instead"); }
[[noreturn]] inline void gradient_is_not_kept() {
  raise(
      "the gradient of a tensor that was computed is not kept: it is freed as soon as it is consumed; ask for those of "
      "watched values");
}
[[noreturn]] inline void recorded_after_backward() {
  raise("there is no gradient: the variable was made after backward ran");
}

}  // namespace error
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace dynamic {

template <class T>
class tape_state {
 public:
  /// How far everything has come.
  struct position {
    arena::position memory;
    std::uint32_t scalars = 0;
    typename node_records<T>::position nodes;
    tape_state const* of = nullptr;
    std::uint32_t generation = 0;
    std::uint64_t tick = 0;  ///< when it was asked for
  };

  arena memory;
  dynamic::scalars<T> scalars{memory};
  dynamic::generations generations;

  tape_state() = default;
  explicit tape_state(std::span<std::byte> buffer) : memory(buffer) {}
  tape_state(tape_state const&) = delete;

  // ---- values ----

  /// The graph, which the first tensor makes. Who has no tensor pays for none, not even in compile time: elsewhere what
  /// goes through nodes is called through a pointer.
  recorder<T>& nodes() {
    if (!nodes_) {
      nodes_.emplace(*this, memory);
      go_back_with_nodes_ = [](tape_state& l, position const& to) {
        recorder<T>& nodes = *l.nodes_;
        auto const arrive = [&](int id, T g) { nodes.adjoints.arrive(id, contiguous(element_of<T>, shape{}, &g)); };
        for (int id = nodes.records.size() - 1; id >= to.nodes.nodes; --id) {
          l.scalars.go_back_to(std::max(nodes.records[id].scalars, to.scalars), arrive);
          nodes.go_back_through(id);
        }
        l.scalars.go_back_to(to.scalars, arrive);
      };
    }
    return *nodes_;
  }
  bool has(etch::graph const* g) const { return nodes_ && g == &nodes_->graph(); }

  /// A variable without operands.
  var<T> leaf(T value) { return {this, value, scalars.leaf(), generation()}; }
  /// A node with a copy of the entries at `from`.
  int leaf(std::byte const* from, element type, shape const& extent, bool active) {
    std::byte* const entries = nodes().room(type, extent);
    std::memcpy(entries, from, static_cast<std::size_t>(extent.size()) * static_cast<std::size_t>(bytes_of(type)));
    return leaf_at(entries, type, extent, active);
  }
  /// A node for the entries at `from`, which stay there as they are: nothing is ever written to the value of a node.
  int leaf_at(std::byte const* from, element type, shape const& extent, bool active) {
    int const id = nodes().leaf(type, extent, const_cast<std::byte*>(from), active && type == element_of<T>);
    nodes_->records[id].is_kept = nodes_->records[id].is_watched = nodes_->records[id].is_active;
    return id;
  }
  /// The entry for a statement; 0 where nothing can flow back from it.
  template <class Statement>
  [[gnu::always_inline]] std::uint32_t record(Statement const& s) {
    if constexpr (Statement::most_partials == 0) return 0;
    bool const is_usual = s.is_current(this);
    if (!is_usual) [[unlikely]]
      s.check(this);
    return scalars.record(s, !is_usual);
  }
  /// The scalar `v` as a node of the graph.
  int node_of(var<T> const& v) {
    v.check(this);
    int const id = leaf(reinterpret_cast<std::byte const*>(&v.value_), element_of<T>, shape{}, v.owner_ != nullptr);
    nodes_->records[id].of_scalar = v.number_;
    nodes_->records[id].is_kept = nodes_->records[id].is_watched = false;
    return id;
  }
  template <static_handle X>
  int node_of(X const& x) {
    int const id = etch::detail::joined(x, nodes().graph()).id;
    nodes_->expect(id);
    return id;
  }
  /// A scalar of a graph as a variable of its tape_state.
  static var<T> scalar_of(expr<T> const& x) {
    if (x.owner == nullptr) return var<T>(static_cast<T>(x.immediate));
    recorder<T>& nodes = recorder<T>::of(x.owner);
    tape_state& l = nodes.owner();
    nodes.expect(x.id);
    T const value = *reinterpret_cast<T const*>(nodes.settled(x.id));
    return nodes.records[x.id].is_active ? var<T>(&l, value, l.scalars.of_node(x.id), l.generation()) : var<T>(value);
  }

  // ---- the way back ----

  /// Goes back from `loss`, with 1 as its adjoint.
  T go_back_from(var<T> const& loss, bool retained) {
    loss.check(this);
    if (generations::is_confined(generation())) error::backward_in_a_checkpoint();
    if (is_consumed_) error::backward_ran_already();
    has_gone_back_ = false;
    scalars.begin();
    nodes_then_ = nodes_ ? nodes_->records.size() : 0;
    if (nodes_) nodes_->adjoints.clear();
    is_consumed_ = !retained;
    if (loss.owner_ != nullptr) {
      scalars.arrive(loss.number_, T(1));
      go_back_to({});
    }
    has_gone_back_ = true;
    return loss.value_;
  }
  /// Goes back, from wherever the adjoints are, to `to`.
  void go_back_to(position const& to) {
    if (go_back_with_nodes_ != nullptr) go_back_with_nodes_(*this, to);
    else scalars.go_back_to(to.scalars, [](int, T) {});
  }
  T adjoint(var<T> const& v) const {
    if (v.owner_ == nullptr) error::gradient_of_a_constant();
    v.check(this);
    if (!has_gone_back_) error::no_backward_yet();
    if (!scalars.has_adjoint(v.number_)) error::recorded_after_backward();
    return scalars.adjoint(v.number_);
  }
  /// The adjoint of a watched tensor, side by side at a multiple of 64.
  template <int... Dims>
  T const* tensor_adjoint(var<T, Dims...> const& v) {
    if (v.owner == nullptr) error::gradient_of_a_constant();
    if (!has(v.owner)) error::variable_of_another_tape();
    v.check();
    if (!has_gone_back_) error::no_backward_yet();
    auto const& r = nodes_->records[v.id];
    if (!r.is_active) error::gradient_of_a_constant();
    if (v.id >= nodes_then_) error::recorded_after_backward();
    if (!r.is_watched) error::gradient_is_not_kept();
    return nodes_->adjoints.of_or_zeros(v.id);
  }

  // ---- what exists ----

  position here() {
    return {memory.here(), scalars.boundary(), nodes_ ? nodes_->records.here() : typename node_records<T>::position{},
            this,          generation(),       ++ticks_};
  }
  void rewind(position const& to) {
    bool const within = generations::is_confined(generation());
    if (to.of != nullptr) {
      if (to.of != this) error::position_of_another_tape();
      if (generations::is_confined(to.generation) != within || (within && generations.order(to.generation) < begun_))
        error::position_is_gone();
      if (floor const* const f = floor_of(to.generation); f != nullptr && to.tick > f->tick) error::position_is_gone();
    } else if (within) {
      error::position_is_gone();  // of what lies around the checkpoint
    }
    if (!within) {  // within a checkpoint adjoints are those of the way back around it
      scalars.forget(to.memory);
      if (nodes_) nodes_->adjoints.forget(to.memory, to.nodes.nodes);
      is_consumed_ = has_gone_back_ = false;
    }
    take_back(to);
    begin_generation(to);
  }
  std::uint32_t generation() const { return generations.now(); }
  /// Whether what was made in `generation` still exists; else the mistake.
  [[gnu::cold, gnu::noinline]] void look_at(tape_state const* owner, std::uint32_t number,
                                            std::uint32_t generation) const {
    if (owner != this) error::variable_of_another_tape();
    if (has_left(generation) || (number > first_of_confinement_ && is_around(generation))) error::variable_is_gone();
    if (number <= first_of_confinement_) error::checkpoint_captures_a_variable();
    if (floor const* const f = floor_of(generation); f != nullptr && number > f->scalars) error::variable_is_gone();
  }
  void look_at_node(int id, std::uint32_t generation) const {
    if (has_left(generation) || (id >= nodes_->first_allowed() && is_around(generation))) error::variable_is_gone();
    if (floor const* const f = floor_of(generation); f != nullptr && id >= f->nodes) error::variable_is_gone();
  }

  /// While it lives, what is recorded is taken back when it ends; variables from before may not take part in it.
  class confinement {
   public:
    explicit confinement(tape_state& l)
        : of_(l),
          here_(l.here()),
          first_node_(l.nodes().confine(l.nodes().records.size())),
          first_number_(std::exchange(l.first_of_confinement_, l.scalars.boundary())),
          floors_(l.floors_.size()),
          generation_(l.generation()),
          begun_(l.begun_) {
      l.generations.confine();
      l.begun_ = l.generations.order(l.generation());
    }
    confinement(confinement const&) = delete;
    ~confinement() {
      of_.generations.restore(generation_);
      of_.begun_ = begun_;
      of_.floors_.shrink(floors_);
      of_.first_of_confinement_ = first_number_;
      of_.nodes().confine(first_node_);
      of_.take_back(here_);
      if (generations::is_confined(generation_))
        of_.begin_generation(here_);  // what was within this one does not exist in the one around it
    }
    position const& begin() const { return here_; }

   private:
    tape_state& of_;
    position const here_;
    int const first_node_;
    std::uint32_t const first_number_;
    std::size_t const floors_;
    std::uint32_t const generation_;
    std::uint64_t const begun_;
  };

 private:
  std::uint64_t begun_ = 0;  ///< the order of the generation in which the last confinement began
  std::uint32_t first_of_confinement_ = 0;

  /// The lowest that the tape_state was rewound to since a generation.
  struct floor {
    std::uint64_t order;  ///< of the generation
    std::uint32_t scalars;
    int nodes;
    std::uint64_t tick;
  };
  std::optional<recorder<T>> nodes_;
  void (*go_back_with_nodes_)(tape_state&, position const& to) = nullptr;
  bool is_consumed_ = false;
  bool has_gone_back_ = false;
  std::uint64_t ticks_ = 0;
  int nodes_then_ = 0;      ///< that there were when it last went back
  sequence<floor> floors_;  // of several rewinds only those that went lower than all later ones; low ones first

  /// Whether `generation` is of a checkpoint, although none is recorded; or of one around the present one.
  bool has_left(std::uint32_t of) const {
    return generations::is_confined(of) && !generations::is_confined(generation());
  }
  bool is_around(std::uint32_t of) const { return generations::is_confined(of) && generations.order(of) < begun_; }

  void take_back(position const& to) {
    memory.rewind(to.memory);
    scalars.shrink(to.scalars);
    if (nodes_) nodes_->records.rewind(to.nodes);
  }
  void begin_generation(position const& at) {
    generations.advance();
    std::size_t count = floors_.size();
    while (count > 0 && floors_.entry[count - 1].tick >= at.tick) --count;
    floors_.shrink(count);
    floors_.push_back({generations.order(generation()), at.scalars, at.nodes.nodes, at.tick});
  }
  floor const* floor_of(std::uint32_t generation) const {
    floor const* const found = std::upper_bound(floors_.begin(), floors_.end(), generations.order(generation),
                                                [](std::uint64_t order, floor const& f) { return order < f.order; });
    return found != floors_.end() ? found : nullptr;
  }
};

}  // namespace dynamic
ETCH_NAMESPACE_END

// tape: records what is done to its variables while it is done, whatever way control flows, and goes back through it.
#pragma once

#include <etch/tape/scalars.hpp>
#include <etch/tape/var.hpp>

#include <cstring>
#include <optional>

namespace etch::inline ETCH_ABI {

namespace error {
[[noreturn]] inline void variable_of_another_tape() { raise("a variable of another tape: the variables of one statement belong to one tape"); }
[[noreturn]] inline void variable_is_gone() {
  raise("a variable that no longer exists: its tape was rewound to before it, or reset, since it was made");
}
[[noreturn]] inline void backward_ran_already() {
  raise("backward ran already on what is recorded: say backward(loss, etch::retain) the first time, or rewind or reset the tape before");
}
[[noreturn]] inline void no_backward_yet() { raise("there is no gradient: backward has not run since the tape was last rewound or reset"); }
[[noreturn]] inline void gradient_of_a_constant() { raise("a constant has no gradient: watch the value instead"); }
[[noreturn]] inline void gradient_is_not_kept() {
  raise("the gradient of a tensor that was computed is not kept: it is freed as soon as it is consumed; ask for those of watched values");
}
[[noreturn]] inline void recorded_after_backward() { raise("there is no gradient: the variable was made after backward ran"); }
}  // namespace error

/// Says that what is recorded is kept after going back, so that one may go back again.
struct retain_t {};
inline constexpr retain_t retain{};

/// A tape of values of type `T`. It owns an arena that grows in large blocks and is used again after `reset`: once it has grown, no call
/// allocates. Variables refer to it, so it does not move. One thread at a time; any number of tapes.
template <class T>
class tape {
  static_assert(std::same_as<T, float> || std::same_as<T, double>, "etch: a tape holds values of float or of double");

 public:
  tape() = default;
  /// Uses `buffer` and no other memory for values and entries; where that is full, `error::tape_is_full` is thrown, and what is recorded
  /// stays as it was.
  explicit tape(std::span<std::byte> buffer) : memory_(buffer) {}
  tape(tape const&) = delete;
  tape& operator=(tape const&) = delete;

  /// A variable that derivatives are taken with respect to.
  template <scalar S>
  var<T> watch(S number) {
    return {this, static_cast<T>(number), scalars_.leaf(), epoch_};
  }
  template <int... Dims>
  var<T, Dims...> watch(tensor<T, Dims...> const& value) {
    return tensor_leaf(value, true);
  }
  /// A value that none are taken with respect to; its elements may be integers too.
  template <scalar S>
  var<T> constant(S number) {
    return var<T>(number);
  }
  template <scalar S, int... Dims>
  auto constant(tensor<S, Dims...> const& value) {
    if constexpr (std::same_as<S, T>) return var<T, Dims...>(tensor_leaf(value, false));
    else return tensor_leaf(value, false);
  }

  /// Goes back from `loss`, a scalar whose value it returns; gradients are then found by `grad`. What is recorded can be gone back through
  /// once, unless it is retained; every time gradients begin at 0.
  template <class Loss>
  T backward(Loss const& loss) {
    return go_back_from(var<T>(loss), false);
  }
  template <class Loss>
  T backward(Loss const& loss, retain_t) {
    return go_back_from(var<T>(loss), true);
  }
  /// Goes back from `y` with `seed` as its adjoint.
  template <int... Dims>
  void backward(expr<T, Dims...> const& y, tensor<T, Dims...> const& seed) {
    backward(sum(cwise_product(y, constant(seed))));
  }

  /// The derivative with respect to `v` of what backward last went back from.
  T grad(var<T> const& v) {
    if (v.owner_ == nullptr) error::gradient_of_a_constant();
    v.check(this);
    if (!scalars_.have_adjoints()) error::no_backward_yet();
    if (!scalars_.has_adjoint(v.number_)) error::recorded_after_backward();
    return scalars_.adjoint(v.number_);
  }
  /// The same for a watched tensor. The reference holds until the tape is rewound or reset, or goes back again.
  template <int... Dims>
  requires(sizeof...(Dims) > 0) tensor<T, Dims...> const& grad(var<T, Dims...> const& v) {
    if (v.owner == nullptr) error::gradient_of_a_constant();
    if (!graph_ || v.owner != &graph_->nodes) error::variable_of_another_tape();
    v.check();
    if (!scalars_.have_adjoints()) error::no_backward_yet();
    auto const& r = (*graph_)[v.id];
    if (!r.active) error::gradient_of_a_constant();
    if (!r.is_kept) error::gradient_is_not_kept();
    return *reinterpret_cast<tensor<T, Dims...> const*>(graph_->adjoint_or_zeros(v.id));
  }

  /// How far the tape has grown.
  struct position {
    dynamic::arena::position memory;
    std::uint32_t scalars = 0;
    int nodes = 0;
  };
  position mark() const { return {memory_.here(), scalars_.size(), graph_ ? graph_->size() : 0}; }
  /// Takes back what was recorded since `to`, and its variables with it.
  void rewind(position const& to) {
    memory_.rewind(to.memory);
    scalars_.truncate(to.scalars);
    if (graph_) graph_->truncate(to.nodes);
    consumed_ = false;
    begin_epoch(to);
  }
  /// Takes back everything.
  void reset() { rewind({}); }

  /// Bytes of memory that the tape holds.
  std::size_t bytes() const { return memory_.capacity(); }
  /// Sees to it that it holds at least so many.
  void reserve(std::size_t bytes) { memory_.reserve(bytes); }

 private:
  template <scalar, int...>
  friend class var;
  friend class dynamic::recorder<T>;

  dynamic::arena memory_;
  dynamic::scalars<T> scalars_{memory_};
  std::uint32_t epoch_ = 1;  ///< rewinds so far
  bool consumed_ = false;
  // Made by the first tensor. Who has none pays for none, not even in compile time: what goes through nodes is called through pointers.
  std::optional<dynamic::recorder<T>> graph_;
  void (*go_back_with_nodes_)(tape&) = nullptr;

  dynamic::recorder<T>& graph() {
    if (!graph_) {
      graph_.emplace(*this, memory_);
      go_back_with_nodes_ = [](tape& t) {
        dynamic::recorder<T>& nodes = *t.graph_;
        auto const arrive = [&](int node, T g) { nodes.arrive(node, g); };
        for (int id = nodes.size() - 1; id >= 0; --id) {
          t.scalars_.go_back_to(nodes[id].scalars, arrive);
          nodes.go_back_through(id);
        }
        t.scalars_.go_back_to(0, arrive);
      };
    }
    return *graph_;
  }

  template <scalar S, int... Dims>
  expr<S, Dims...> tensor_leaf(tensor<S, Dims...> const& value, bool active) {
    constexpr shape s = make_shape(Dims...);
    std::byte* const entries = graph().room(element_of<S>, s);
    std::memcpy(entries, value.data(), value.size() * sizeof(S));
    int const id = graph_->leaf(element_of<S>, s, entries, active);
    (*graph_)[id].is_kept = active;
    return {&graph_->nodes, id};
  }
  /// The scalar `v` as a node of the graph.
  expr<T> node_of(var<T> const& v) {
    v.check(this);
    std::byte* const entries = graph().room(element_of<T>, shape{});
    *reinterpret_cast<T*>(entries) = v.value_;
    int const id = graph_->leaf(element_of<T>, shape{}, entries, true);
    (*graph_)[id].of_scalar = v.number_;
    return {&graph_->nodes, id};
  }
  /// A scalar of the graph as a variable.
  static var<T> scalar_of(expr<T> const& x) {
    if (x.owner == nullptr) return var<T>(static_cast<T>(x.immediate));
    dynamic::recorder<T>& nodes = dynamic::recorder<T>::of(x.owner);
    tape& t = nodes.owner();
    T const value = *reinterpret_cast<T const*>(nodes.settled(x.id));
    return nodes[x.id].active ? var<T>(&t, value, t.scalars_.of_node(x.id), t.epoch_) : var<T>(value);
  }

  template <class Statement>
  [[gnu::always_inline]] std::uint32_t record(Statement const& s) {
    if constexpr (Statement::most_partials == 0) return 0;
    s.check(this);
    return scalars_.record(s);
  }

  T go_back_from(var<T> const& loss, bool retained) {
    loss.check(this);
    if (consumed_) error::backward_ran_already();
    scalars_.begin();
    if (graph_) graph_->forget();
    consumed_ = !retained;
    if (loss.owner_ == nullptr) return loss.value_;
    scalars_.arrive(loss.number_, T(1));
    if (go_back_with_nodes_ != nullptr) go_back_with_nodes_(*this);
    else scalars_.go_back_to(0, [](int, T) {});
    return loss.value_;
  }

  // Of several rewinds that a variable may have outlived, the one with the lowest mark counts: marks in the order of the rewinds, lower ones first.
  struct floor {
    std::uint32_t epoch, scalars;
    int nodes;
  };
  static constexpr int most_floors = 64;
  floor floors_[most_floors];
  int floor_count_ = 0;

  void begin_epoch(position const& at) {
    ++epoch_;
    while (floor_count_ > 0 && floors_[floor_count_ - 1].scalars >= at.scalars && floors_[floor_count_ - 1].nodes >= at.nodes) --floor_count_;
    if (floor_count_ == most_floors) --floor_count_;
    floors_[floor_count_++] = {epoch_, at.scalars, at.nodes};
  }
  /// The floor that counts for a variable made in `epoch`; null if there is none.
  floor const* floor_of(std::uint32_t epoch) const {
    for (int i = 0; i < floor_count_; ++i)
      if (floors_[i].epoch > epoch) return &floors_[i];
    return nullptr;
  }
  [[gnu::cold, gnu::noinline]] void look_at(var<T> const& v) const {
    if (v.owner_ != this) error::variable_of_another_tape();
    if (floor const* const f = floor_of(v.epoch_); f != nullptr && v.number_ > f->scalars) error::variable_is_gone();
  }
  void look_at_node(int id, std::uint32_t epoch) const {
    if (floor const* const f = floor_of(epoch); f != nullptr && id >= f->nodes) error::variable_is_gone();
  }
};

/// The value of a tensor on a tape; the reference holds until the tape is rewound or reset. Of a scalar of its graph a number.
template <scalar T, int... Dims>
decltype(auto) value(expr<T, Dims...> const& x) {
  if (x.owner == nullptr || x.owner->recorder == nullptr) error::value_is_not_known();
  std::byte* const entries = x.owner->recorder->settle(*x.owner->recorder, x.id);
  if constexpr (sizeof...(Dims) == 0) return T(*reinterpret_cast<T const*>(entries));
  else return (*reinterpret_cast<tensor<T, Dims...> const*>(entries));
}

}  // namespace etch::inline ETCH_ABI

// tape: records what is done to its variables while it is done, whatever way control flows, and goes back through it.
#pragma once

#include <etch/tape/arena.hpp>
#include <etch/tape/var.hpp>

#include <bit>
#include <limits>

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
[[noreturn]] inline void recorded_after_backward() { raise("there is no gradient: the variable was made after backward ran"); }
[[noreturn]] inline void tape_has_too_many_entries() { raise("the tape has 4294967295 entries of scalars, which is the most"); }
}  // namespace error

/// Says that what is recorded is kept after going back, so that one may go back again.
struct retain_t {};
inline constexpr retain_t retain{};

/// A tape of values of type `T`. It owns an arena that grows in large blocks and is used again after `reset`: once it has grown, no call
/// allocates. Variables refer to it, so it does not move. One thread at a time; any number of tapes.
template <class T>
class tape {
  static_assert(std::same_as<T, float> || std::same_as<T, double>, "etch: a tape holds values of float or of double");
  using partial = dynamic::partial<T>;

 public:
  tape() = default;
  /// Uses `buffer` and no other memory; where that is full, `error::tape_is_full` is thrown, and what is recorded stays as it was.
  explicit tape(std::span<std::byte> buffer) : memory_(buffer) {}
  tape(tape const&) = delete;
  tape& operator=(tape const&) = delete;

  /// A variable that derivatives are taken with respect to.
  template <scalar S>
  var<T> watch(S number) {
    partial* const entry = reinterpret_cast<partial*>(memory_.room(sizeof(partial)));
    *entry = {T(0), 0, leaf};
    memory_.recorded(reinterpret_cast<std::byte*>(entry + 1));
    return {this, static_cast<T>(number), next_number(), epoch_};
  }
  /// A variable that none are taken with respect to.
  template <scalar S>
  var<T> constant(S number) {
    return var<T>(number);
  }

  /// Goes back from `loss`, whose value it returns; gradients are then found by `grad`. What is recorded can be gone back through once,
  /// unless it is retained.
  template <tape_scalar Loss>
  T backward(Loss const& loss) {
    return go_back(var<T>(loss), false);
  }
  template <tape_scalar Loss>
  T backward(Loss const& loss, retain_t) {
    return go_back(var<T>(loss), true);
  }

  /// The derivative with respect to `v` of what backward last went back from.
  T grad(var<T> const& v) const {
    if (v.owner_ == nullptr) error::gradient_of_a_constant();
    v.check(this);
    if (adjoints_ == nullptr) error::no_backward_yet();
    if (v.number_ > adjoint_count_) error::recorded_after_backward();
    return adjoints_[v.number_] + T(0);
  }

  /// How far the tape has grown.
  struct position {
    dynamic::arena::position memory;
    std::uint32_t scalars = 0;
  };
  position mark() const { return {memory_.here(), scalars_}; }
  /// Takes back what was recorded since `to`, and its variables with it.
  void rewind(position const& to) {
    memory_.rewind(to.memory);
    scalars_ = to.scalars;
    adjoints_ = nullptr;
    consumed_ = false;
    begin_epoch();
  }
  /// Takes back everything.
  void reset() { rewind({}); }

  /// Bytes of memory that the tape holds.
  std::size_t bytes() const { return memory_.capacity(); }
  /// Sees to it that it holds at least so many.
  void reserve(std::size_t bytes) { memory_.reserve(bytes); }

 private:
  friend class var<T>;
  static constexpr std::uint32_t leaf = 0;
  static constexpr T nothing = T(-0.0);  ///< the adjoint of what nothing has arrived at; what arrives is never -0

  dynamic::arena memory_;
  std::uint32_t scalars_ = 0;  ///< entries of scalars, numbered from 1
  std::uint32_t epoch_ = 1;    ///< rewinds so far
  T* adjoints_ = nullptr;      ///< by number
  std::uint32_t adjoint_count_ = 0;
  bool consumed_ = false;

  std::uint32_t next_number() {
    if (scalars_ == std::numeric_limits<std::uint32_t>::max()) error::tape_has_too_many_entries();
    return ++scalars_;
  }

  /// The number of the entry for `s`; 0 where nothing can flow back from it.
  template <class Statement>
  [[gnu::always_inline]] std::uint32_t record(Statement const& s) {
    if constexpr (Statement::most_partials == 0) return 0;
    s.check(this);
    partial* const first = reinterpret_cast<partial*>(memory_.room((Statement::most_partials + 1) * sizeof(partial)));
    dynamic::partials<T> all{first, first};
    s.collect(T(1), all);
    if (all.end == first) return 0;
    all.end[-1].count = static_cast<std::uint32_t>(all.end - first);
    memory_.recorded(reinterpret_cast<std::byte*>(all.end));
    return next_number();
  }

  static bool has_arrived(T adjoint) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<bits>(adjoint) != std::bit_cast<bits>(nothing);
  }

  T go_back(var<T> const& loss, bool retained) {
    loss.check(this);
    if (consumed_) error::backward_ran_already();
    adjoint_count_ = scalars_;
    adjoints_ = memory_.template give<T>(std::size_t{adjoint_count_} + 1);
    for (std::size_t i = 0; i <= adjoint_count_; ++i) adjoints_[i] = nothing;
    consumed_ = !retained;
    if (loss.owner_ == nullptr) return loss.value_;
    adjoints_[loss.number_] = 1;
    std::uint32_t number = scalars_;
    memory_.walk_back([&](std::byte* begin, std::byte* end) {
      number = go_back_through(reinterpret_cast<partial const*>(begin), reinterpret_cast<partial const*>(end), number);
      return false;
    });
    return loss.value_;
  }

  std::uint32_t go_back_through(partial const* begin, partial const* at, std::uint32_t number) {
    T* const adjoints = adjoints_;
    // In chains an entry's first operand is what the entry before it gave: handed on in a register, not through memory.
    std::uint32_t handed_on = 0;
    T in_register = 0;
    for (; at != begin; --number) {
      std::uint32_t const count = at[-1].count;
      if (count == leaf) {
        --at;
        continue;
      }
      T g;
      if (handed_on == number) g = in_register;
      else g = adjoints[number];
      partial const* p = at -= count;
      if (!has_arrived(g)) continue;
      handed_on = p->operand;
      adjoints[handed_on] = in_register = adjoints[handed_on] + (p->value * g + T(0));
      for (++p; p != at + count; ++p) {
        T const more = adjoints[p->operand] += p->value * g + T(0);
        if (p->operand == handed_on) in_register = more;
      }
    }
    return number;
  }

  // Of several rewinds that a variable may have outlived, those with the lowest marks count.
  struct floor {
    std::uint32_t epoch, scalars;
  };
  static constexpr int most_floors = 64;
  floor floors_[most_floors];
  int floor_count_ = 0;

  void begin_epoch() {
    ++epoch_;
    while (floor_count_ > 0 && floors_[floor_count_ - 1].scalars >= scalars_) --floor_count_;
    if (floor_count_ == most_floors) --floor_count_;
    floors_[floor_count_++] = {epoch_, scalars_};
  }
  [[gnu::cold, gnu::noinline]] void look_at(var<T> const& v) const {
    if (v.owner_ != this) error::variable_of_another_tape();
    for (int i = 0; i < floor_count_; ++i)
      if (floors_[i].epoch > v.epoch_) {
        if (v.number_ > floors_[i].scalars) error::variable_is_gone();
        return;
      }
  }
};

}  // namespace etch::inline ETCH_ABI

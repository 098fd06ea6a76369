// scalars: the entries of a tape that give one number each, in the order in which they were
// made, and the way back through them.
#pragma once

#include <etch/tape/arena.hpp>
#include <etch/tape/statement.hpp>

#include <bit>
#include <limits>

ETCH_NAMESPACE_BEGIN
namespace error {

[[noreturn]] inline void tape_has_too_many_entries() {
  raise("the tape has 4294967295 entries of scalars, which is the most");
}

}  // namespace error
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace dynamic {

template <class T>
class scalars {
 public:
  explicit scalars(arena& memory) : memory_(memory) {}
  scalars(scalars const&) = delete;

  /// How many there are; they are numbered from 1.
  std::uint32_t size() const { return size_; }
  /// Their number where something else is recorded or a way back may end.
  std::uint32_t boundary() {
    run_ = nullptr;
    return size_;
  }
  /// Takes back all entries but the first `size`.
  void shrink(std::uint32_t size) {
    size_ = size;
    run_ = nullptr;
  }
  /// Forgets the adjoints if their memory does not outlive a rewind to `to`.
  void forget(arena::position const& to) {
    if (adjoints_ != nullptr && !arena::outlives(to, adjoints_)) {
      adjoints_ = std::exchange(smaller_, nullptr);
      adjoint_room_ = smaller_room_;
      if (adjoints_ != nullptr && !arena::outlives(to, adjoints_)) adjoints_ = nullptr;
    }
  }

  /// The number of a new entry without operands. Several in succession are one record.
  std::uint32_t leaf() {
    expect_one_more();
    if (run_ != nullptr && reinterpret_cast<std::byte*>(run_ + 1) == memory_.here().low) ++run_->operand;
    else run_ = append({T(0), 1, no_operands});
    return ++size_;
  }
  /// The number of the scalar that is node `id` of the tape's graph.
  std::uint32_t of_node(int id) {
    expect_one_more();
    append({T(0), static_cast<std::uint32_t>(id), from_node});
    return ++size_;
  }
  /// The number of the entry for a statement, which may have constants among its variables; 0
  /// where nothing can flow back from it.
  template <class Statement>
  [[gnu::always_inline]] std::uint32_t record(Statement const& s, bool has_constants) {
    partial<T>* const first =
        reinterpret_cast<partial<T>*>(memory_.room(Statement::most_partials * sizeof(partial<T>)));
    partials<T> all{first, first};
    s.collect(T(1), all);
    if (has_constants) [[unlikely]]
      all.end = partials<T>::without_constants(first, all.end);
    if (all.end == first) return 0;
    all.end[-1].count = static_cast<std::uint32_t>(all.end - first);
    expect_one_more();
    memory_.recorded(reinterpret_cast<std::byte*>(all.end));
    return ++size_;
  }

  /// A way back through the entries behind number `base` alone, in the middle of another, which goes on when it ends.
  /// The entries behind `base` have no operands before it.
  class detour {
   public:
    detour(scalars& of, std::uint32_t base)
        : of_(of),
          adjoints_(of.adjoints_),
          count_(of.adjoint_count_),
          at_(of.at_),
          entry_(of.entry_),
          number_(of.number_) {
      std::size_t const n = of.size_ - base;
      T* const own = of.memory_.template give<T>(n + 1);
      for (std::size_t i = 0; i <= n; ++i) own[i] = nothing;
      // By number as well; entries up to `base` are not reached.
      of.adjoints_ = reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(own) - base * sizeof(T));
      of.adjoint_count_ = of.size_;
      of.begin_walk();
    }
    detour(detour const&) = delete;
    ~detour() {
      of_.adjoints_ = adjoints_;
      of_.adjoint_count_ = count_;
      of_.at_ = at_;
      of_.entry_ = entry_;
      of_.number_ = number_;
    }

   private:
    scalars& of_;
    T* adjoints_;
    std::uint32_t count_;
    arena::records at_;
    partial<T> const* entry_;
    std::uint32_t number_;
  };

  /// Makes all adjoints nothing, before a way back.
  void begin() {
    // A second way back has recorded a little more, such as a seed: then there is room for that.
    if (adjoints_ == nullptr || adjoint_room_ < size_) {
      std::size_t const room = adjoints_ == nullptr || !memory_.can_grow() ? size_ : std::size_t{size_} + size_ / 4;
      T* const larger = memory_.template give<T>(room + 1);
      smaller_ = std::exchange(adjoints_, larger);
      smaller_room_ = std::exchange(adjoint_room_, room);
    }
    adjoint_count_ = size_;
    for (std::size_t i = 0; i <= size_; ++i) adjoints_[i] = nothing;
    begin_walk();
  }
  bool has_adjoint(std::uint32_t number) const { return number <= adjoint_count_; }
  T adjoint(std::uint32_t number) const { return adjoints_[number] + T(0); }
  void arrive(std::uint32_t number, T g) { adjoints_[number] += g + T(0); }

  /// Goes back through all entries whose numbers are greater than `stop`; `arrive_at(node, adjoint)`
  /// is called for nodes of the graph.
  template <class F>
  [[gnu::always_inline]] void go_back_to(std::uint32_t stop, F arrive_at) {
    while (number_ > stop) {
      while (reinterpret_cast<std::byte const*>(entry_) == at_.begin()) {
        at_.to_previous_block();
        entry_ = reinterpret_cast<partial<T> const*>(at_.end());
      }
      go_back_in_block(stop, arrive_at);
    }
  }

 private:
  // In the place of a count. Of entries without operands the record says how many there are, of the others the node.
  static constexpr std::uint32_t no_operands = 0, from_node = ~0u;
  /// The adjoint of what nothing has arrived at. What arrives is never -0, since +0 is added to it;
  /// and -0 + x is x for all other x.
  static constexpr T nothing = T(-0.0);

  arena& memory_;
  std::uint32_t size_ = 0;
  partial<T>* run_ = nullptr;  ///< the record of the last entries, where they have no operands
  T* adjoints_ = nullptr;      ///< by number
  T* smaller_ = nullptr;       ///< their memory before they grew, which may outlive it
  std::size_t adjoint_room_ = 0, smaller_room_ = 0;
  std::uint32_t adjoint_count_ = 0;

  // How far the way back has come.
  arena::records at_{memory_};
  partial<T> const* entry_ = nullptr;
  std::uint32_t number_ = 0;

  void begin_walk() {
    at_ = arena::records(memory_);
    entry_ = at_.exist() ? reinterpret_cast<partial<T> const*>(at_.end()) : nullptr;
    number_ = size_;
  }
  void expect_one_more() const {
    if (size_ == std::numeric_limits<std::uint32_t>::max()) error::tape_has_too_many_entries();
  }
  partial<T>* append(partial<T> entry) {
    partial<T>* const to = reinterpret_cast<partial<T>*>(memory_.room(sizeof(partial<T>)));
    *to = entry;
    memory_.recorded(reinterpret_cast<std::byte*>(to + 1));
    return to;
  }

  static bool has_arrived(T adjoint) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<bits>(adjoint) != std::bit_cast<bits>(nothing);
  }

  template <class F>
  [[gnu::always_inline]] void go_back_in_block(std::uint32_t stop, F arrive_at) {
    T* const adjoints = adjoints_;
    partial<T> const *const begin = reinterpret_cast<partial<T> const*>(at_.begin()), *at = entry_;
    std::uint32_t number = number_;
    // In chains an entry's first operand is what the entry before it gave: handed on in a register, not through memory.
    std::uint32_t handed_on = 0;
    T in_register = 0;
    for (; at != begin && number > stop; --number) {
      std::uint32_t const count = at[-1].count;
      if (count == no_operands) {
        number -= (--at)->operand - 1;
        continue;
      }
      T g;
      if (handed_on == number) g = in_register;
      else g = adjoints[number];
      if (count == from_node) {
        --at;
        if (has_arrived(g)) arrive_at(static_cast<int>(at->operand), g);
        continue;
      }
      // Most entries have two operands: by a branch, which is foreseen, the next entry is found
      // before this one's count has arrived.
      if (count == 2) at -= 2;
      else at -= count;
      if (!has_arrived(g)) continue;
      handed_on = at->operand;
      T const before = adjoints[handed_on], c = at->value * g + T(0);
      if (has_arrived(before)) in_register = before + c;
      else in_register = c;
      adjoints[handed_on] = in_register;
      auto const hand_on = [&](partial<T> const& p) {
        T const more = adjoints[p.operand] += p.value * g + T(0);
        if (p.operand == handed_on) in_register = more;
      };
      if (count == 2) hand_on(at[1]);
      else
        for (std::uint32_t i = 1; i < count; ++i) hand_on(at[i]);
    }
    entry_ = at;
    number_ = number;
  }
};

}  // namespace dynamic
ETCH_NAMESPACE_END

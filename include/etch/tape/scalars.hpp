// scalars: the entries of a tape that give one number each, in the order in which they were made, and the way back through them.
#pragma once

#include <etch/tape/arena.hpp>
#include <etch/tape/statement.hpp>

#include <bit>
#include <limits>

namespace etch::inline ETCH_ABI::error {

[[noreturn]] inline void tape_has_too_many_entries() { raise("the tape has 4294967295 entries of scalars, which is the most"); }

}  // namespace etch::inline ETCH_ABI::error

namespace etch::inline ETCH_ABI::dynamic {

template <class T>
class scalars {
 public:
  explicit scalars(arena& memory) : memory_(memory) {}
  scalars(scalars const&) = delete;

  /// How many there are; they are numbered from 1.
  std::uint32_t size() const { return size_; }
  void truncate(std::uint32_t size) {
    size_ = size;
    adjoints_ = nullptr;
  }

  /// The number of a new entry without operands.
  std::uint32_t leaf() { return put({T(0), 0, no_operands}); }
  /// The number of the scalar that is node `id` of the tape's graph.
  std::uint32_t of_node(int id) { return put({T(0), static_cast<std::uint32_t>(id), from_node}); }
  /// The number of the entry for a statement; 0 where nothing can flow back from it.
  template <class Statement>
  [[gnu::always_inline]] std::uint32_t record(Statement const& s) {
    // Room for one more than the most: where the last operand is a constant, it is written and not counted.
    partial<T>* const first = reinterpret_cast<partial<T>*>(memory_.room((Statement::most_partials + 1) * sizeof(partial<T>)));
    partials<T> all{first, first};
    s.collect(T(1), all);
    if (all.end == first) return 0;
    all.end[-1].count = static_cast<std::uint32_t>(all.end - first);
    std::uint32_t const number = next_number();
    memory_.recorded(reinterpret_cast<std::byte*>(all.end));
    return number;
  }

  /// Makes all adjoints nothing, before a way back.
  void begin() {
    adjoints_ = nullptr;
    adjoints_ = memory_.template give<T>(std::size_t{size_} + 1);
    adjoint_count_ = size_;
    for (std::size_t i = 0; i <= size_; ++i) adjoints_[i] = nothing;
    at_ = arena::records(memory_);
    entry_ = at_.exist() ? reinterpret_cast<partial<T> const*>(at_.end()) : nullptr;
    number_ = size_;
  }
  /// Whether there are adjoints, and one of that number among them.
  bool have_adjoints() const { return adjoints_ != nullptr; }
  bool has_adjoint(std::uint32_t number) const { return number <= adjoint_count_; }
  T adjoint(std::uint32_t number) const { return adjoints_[number] + T(0); }
  void arrive(std::uint32_t number, T g) { adjoints_[number] += g + T(0); }

  /// Goes back through all entries whose numbers are greater than `stop`; `arrive_at(node, adjoint)` is called for nodes of the graph.
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
  static constexpr std::uint32_t no_operands = 0, from_node = ~0u;  // in the place of a count
  /// The adjoint of what nothing has arrived at. What arrives is never -0, since +0 is added to it; and -0 + x is x for all other x.
  static constexpr T nothing = T(-0.0);

  arena& memory_;
  std::uint32_t size_ = 0;
  T* adjoints_ = nullptr;  ///< by number
  std::uint32_t adjoint_count_ = 0;

  // How far the way back has come.
  arena::records at_{memory_};
  partial<T> const* entry_ = nullptr;
  std::uint32_t number_ = 0;

  std::uint32_t next_number() {
    if (size_ == std::numeric_limits<std::uint32_t>::max()) error::tape_has_too_many_entries();
    return ++size_;
  }
  std::uint32_t put(partial<T> entry) {
    partial<T>* const to = reinterpret_cast<partial<T>*>(memory_.room(sizeof(partial<T>)));
    std::uint32_t const number = next_number();
    *to = entry;
    memory_.recorded(reinterpret_cast<std::byte*>(to + 1));
    return number;
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
        --at;
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
      partial<T> const* p = at -= count;
      if (!has_arrived(g)) continue;
      handed_on = p->operand;
      adjoints[handed_on] = in_register = adjoints[handed_on] + (p->value * g + T(0));
      for (++p; p != at + count; ++p) {
        T const more = adjoints[p->operand] += p->value * g + T(0);
        if (p->operand == handed_on) in_register = more;
      }
    }
    entry_ = at;
    number_ = number;
  }
};

}  // namespace etch::inline ETCH_ABI::dynamic

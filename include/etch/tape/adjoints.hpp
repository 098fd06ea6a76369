// adjoints: of the nodes of a tape's graph, on the way back: memory that is given back as soon as an adjoint is
// consumed, and gaps where nothing arrived.
#pragma once

#include <etch/rewrite/adjoint.hpp>
#include <etch/tape/copy.hpp>
#include <etch/tape/node_records.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

template <class T>
class adjoints {
  /// Memory given back; it says so itself.
  struct unused {
    unused* next;
    std::size_t bytes;
  };
  /// By size, so that what is wanted is found among few.
  using lists = fixed<unused*, 64>;

 public:
  adjoints(node_records<T>& of, arena& memory) : of_(of), memory_(memory) {}
  adjoints(adjoints const&) = delete;

  std::size_t bytes(int id) { return static_cast<std::size_t>(of_.nodes[id].extent.size()) * sizeof(T); }

  /// Makes all of them nothing.
  void clear() {
    for (int id = 0; id < of_.size(); ++id) release(id);
  }
  /// Clears all before a rewind to where there were `nodes` nodes: memory that does not outlive it is
  /// forgotten, the other may be used again.
  void forget(arena::position const& to, int nodes) {
    if (!any_held_) return;
    any_held_ = false;
    for (unused*& list : unused_) {
      unused* kept = nullptr;
      for (unused *each = list, *next; each != nullptr; each = next) {
        next = each->next;
        if (arena::outlives(to, each)) each->next = std::exchange(kept, each), any_held_ = true;
      }
      list = kept;
    }
    for (int id = 0; id < of_.size(); ++id) {
      node_record<T>& r = of_[id];
      r.has_arrived = false;
      if (r.adjoint == nullptr) continue;
      bool const is_kept = arena::outlives(to, r.adjoint);
      any_held_ = any_held_ || is_kept;
      if (is_kept && id >= nodes) give_back(r.adjoint, bytes(id));
      if (!is_kept || id >= nodes) r.adjoint = nullptr;
    }
  }
  /// Memory that was given back, or new one.
  T* hold(std::size_t bytes) {
    bytes = rounded(bytes);
    any_held_ = true;
    for (unused** each = &list_of(bytes); *each != nullptr; each = &(*each)->next)
      if ((*each)->bytes == bytes) {
        unused* const found = *each;
        *each = found->next;
        return reinterpret_cast<T*>(found);
      }
    return reinterpret_cast<T*>(memory_.give(bytes));
  }
  void give_back(T* memory, std::size_t bytes) {
    if (memory == nullptr) return;
    unused*& list = list_of(rounded(bytes));
    list = new (memory) unused{list, rounded(bytes)};
  }
  /// Sees to it that the adjoint of node `id` has memory.
  T* hold_for(int id) {
    if (of_[id].adjoint == nullptr) of_[id].adjoint = hold(bytes(id));
    return of_[id].adjoint;
  }
  void release(int id) {
    node_record<T>& r = of_[id];
    give_back(r.adjoint, bytes(id));
    r.adjoint = nullptr;
    r.has_arrived = false;
  }

  /// The adjoint of node `id`; null where nothing arrived, at no entry.
  T* of(int id) {
    node_record<T>& r = of_[id];
    if (!r.has_arrived) return nullptr;
    if (r.gaps != gaps::of_choice) return r.adjoint;
    std::size_t const n = bytes(id) / sizeof(T);
    for (std::size_t i = 0; i < n; ++i)
      if (op::arrived::value(r.adjoint[i]) != 0) return r.adjoint;
    return nullptr;
  }
  /// The adjoint as numbers, zeros where nothing arrived.
  T* of_or_zeros(int id) {
    node_record<T>& r = of_[id];
    if (!r.has_arrived) return static_cast<T*>(std::memset(hold_for(id), 0, bytes(id)));
    if (std::exchange(r.gaps, gaps::none) != gaps::none) {
      std::size_t const n = bytes(id) / sizeof(T);
      for (std::size_t i = 0; i < n; ++i)
        if (r.adjoint[i] == 0) r.adjoint[i] = 0;
    }
    return r.adjoint;
  }
  strided_value at(int id) { return contiguous(element_of<T>, of_.nodes[id].extent, of_[id].adjoint); }

  /// Adds `x` to the adjoint of node `id`.
  void arrive(int id, strided_value const& x, gaps in_x = gaps::none) {
    if (!of_[id].is_active) return;
    hold_for(id);
    if (of_[id].has_arrived) add<T>(at(id), x);
    else copy(at(id), stretched(x, of_.nodes[id].extent));
    has_arrived(id, in_x);
  }
  /// Says that something with such gaps is in the adjoint of node `id`, beside what arrived before.
  void has_arrived(int id, gaps more) {
    node_record<T>& r = of_[id];
    r.gaps = !r.has_arrived || (r.gaps == more && more == gaps::of_choice) ? more : gaps::none;
    r.has_arrived = true;
  }

  /// While it lives, memory that was given back before is left alone: what is held then is taken
  /// back by a rewind of the arena.
  struct apart {
    adjoints& of;
    explicit apart(adjoints& a) : of(a), before_(std::exchange(a.unused_, {})) {}
    apart(apart const&) = delete;
    ~apart() { of.unused_ = before_; }

   private:
    lists before_;
  };

 private:
  node_records<T>& of_;
  arena& memory_;
  lists unused_;
  bool any_held_ = false;

  unused*& list_of(std::size_t rounded_bytes) { return unused_[rounded_bytes / 64 % 64]; }
  static std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
};

}  // namespace dynamic
ETCH_NAMESPACE_END

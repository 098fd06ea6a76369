// arena: memory in large blocks, given out from both ends of each and taken back in the opposite order.
#pragma once

#include <etch/base/exception.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>

ETCH_NAMESPACE_BEGIN
namespace error {

[[noreturn]] inline void tape_is_full(std::size_t capacity, std::size_t wanted) {
  raise("the tape is full: its buffer has " + std::to_string(capacity) + " bytes, and " + std::to_string(wanted) +
        " more are needed at once");
}
[[noreturn]] inline void buffer_is_too_small(std::size_t bytes) {
  raise("a tape's buffer needs at least 256 bytes, not " + std::to_string(bytes));
}

}  // namespace error
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// A stack of bytes with two ends: small records grow upwards and can be walked through from the last to
/// the first, values grow downwards, at multiples of 64. What is taken back is kept and used again; memory
/// is only returned by the destructor.
class arena {
  /// Stands at the beginning of each block.
  struct alignas(64) block {
    block* previous = nullptr;
    block* next = nullptr;
    std::byte* end = nullptr;
    std::byte* records = nullptr;  ///< end of the records, as of when the block was left

    std::byte* begin() { return reinterpret_cast<std::byte*>(this + 1); }
  };

 public:
  /// How far both ends had grown.
  struct position {
    block* in = nullptr;
    std::byte* low = nullptr;
    std::byte* high = nullptr;
  };

  arena() = default;
  /// Uses `buffer` and nothing else; where that is full, `error::tape_is_full`.
  explicit arena(std::span<std::byte> buffer) : owns_(false) {
    auto const address = reinterpret_cast<std::uintptr_t>(buffer.data());
    std::size_t const skipped = static_cast<std::size_t>((64 - address % 64) % 64);
    if (buffer.size() < 256) error::buffer_is_too_small(buffer.size());
    append(buffer.data() + skipped, (buffer.size() - skipped) / 64 * 64);
  }
  arena(arena const&) = delete;
  arena& operator=(arena const&) = delete;
  ~arena() {
    if (!owns_) return;
    for (block* each = first_; each != nullptr;) {
      block* const next = each->next;
      ::operator delete(each, std::align_val_t{64});
      each = next;
    }
  }

  /// Room for `bytes` at the low end, of which the caller says with `recorded` how far it used them.
  [[gnu::always_inline]] std::byte* room(std::size_t bytes) {
    if (static_cast<std::size_t>(at_.high - at_.low) < bytes) [[unlikely]]
      next_block(bytes);
    return at_.low;
  }
  [[gnu::always_inline]] void recorded(std::byte* end) { at_.low = end; }
  /// `bytes` at the high end, at a multiple of 64.
  std::byte* give(std::size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    if (static_cast<std::size_t>(at_.high - at_.low) < bytes) next_block(bytes);
    // Never between the ends' last multiple of 64 and the records below it: `high` is one itself.
    return at_.high -= bytes;
  }
  template <class U>
  U* give(std::size_t count) {
    return reinterpret_cast<U*>(give(count * sizeof(U)));
  }

  position here() const { return at_; }
  /// Whether what was given out at `memory` is still there after a rewind to `to`.
  static bool outlives(position const& to, void const* memory) {
    std::byte const* const at = static_cast<std::byte const*>(memory);
    for (block* each = to.in; each != nullptr; each = each->previous)
      if (at >= each->begin() && at < each->end) return each != to.in || at >= to.high;
    return false;
  }
  /// Takes back what was given out since `to`.
  void rewind(position to) {
    if (to.in == nullptr && first_ != nullptr) to = {first_, first_->begin(), first_->end};
    at_ = to;
  }
  /// Takes back everything.
  void reset() { rewind({}); }

  /// The records of one block after the other, last block first.
  class records {
   public:
    explicit records(arena const& of) : in_(of.at_.in), end_(of.at_.low) {}
    bool exist() const { return in_ != nullptr; }
    std::byte* begin() const { return in_->begin(); }
    std::byte* end() const { return end_; }
    void to_previous_block() {
      in_ = in_->previous;
      if (in_ != nullptr) end_ = in_->records;
    }

   private:
    block* in_;
    std::byte* end_;
  };

  /// Whether it may take more memory than it holds.
  bool can_grow() const { return owns_; }
  /// Bytes of memory held.
  std::size_t capacity() const { return capacity_; }
  /// Sees to it that at least `bytes` are held.
  void reserve(std::size_t bytes) {
    if (bytes <= capacity_) return;
    if (!owns_) error::tape_is_full(capacity_, bytes - capacity_);
    allocate(bytes - capacity_);
  }

 private:
  static constexpr std::size_t smallest_block = 256 * 1024;

  block* first_ = nullptr;
  block* last_ = nullptr;
  position at_;
  std::size_t capacity_ = 0;
  bool owns_ = true;

  void append(std::byte* memory, std::size_t bytes) {
    block* const fresh = new (memory) block;
    fresh->end = memory + bytes;
    fresh->records = fresh->begin();
    fresh->previous = last_;
    (last_ != nullptr ? last_->next : first_) = fresh;
    last_ = fresh;
    capacity_ += bytes;
    if (at_.in == nullptr) at_ = {fresh, fresh->begin(), fresh->end};
  }
  void allocate(std::size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    append(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{64})), bytes);
  }

  /// Moves on to a block with room for `bytes`.
  [[gnu::cold, gnu::noinline]] void next_block(std::size_t bytes) {
    block* to = at_.in != nullptr ? at_.in->next : nullptr;
    while (to != nullptr && static_cast<std::size_t>(to->end - to->begin()) < bytes) {
      to->records = to->begin();
      to = to->next;
    }
    if (to == nullptr) {
      if (!owns_) error::tape_is_full(capacity_, bytes);
      // In proportion to what is held, and a multiple of what is asked for, so that equal requests leave no gaps; with
      // room for a few small ones between them.
      std::size_t const wanted = capacity_ / 64 > smallest_block ? capacity_ / 64 : smallest_block;
      allocate((wanted + bytes - 1) / bytes * bytes + 4096 + sizeof(block));
      to = last_;
    }
    if (at_.in != to) at_.in->records = at_.low;
    at_ = {to, to->begin(), to->end};
  }
};

}  // namespace dynamic
ETCH_NAMESPACE_END

// spare_memory: what the sequences of a thread gave back, kept for the next ones: so an operation on a
// tape reaches the heap only until enough is there. Blocks are of powers of two; what a thread keeps is
// bounded, and given back when it ends.
#pragma once

#include <etch/base/namespace.hpp>

#include <bit>
#include <cstddef>
#include <new>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace detail {

class spare_memory {
 public:
  /// Memory for at least `bytes`, aligned as by operator new.
  [[gnu::noinline]] static void* take(std::size_t bytes) {
    int const size = class_of(bytes);
    if (size >= classes) return ::operator new(bytes);
    lists& mine = of_this_thread();
    block* const first = mine.first[size];
    if (first == nullptr) return ::operator new(smallest << size);
    mine.first[size] = first->next;
    mine.bytes -= smallest << size;
    return first;
  }
  /// Ends what take(bytes) began, on any thread.
  [[gnu::noinline]] static void give(void* memory, std::size_t bytes) noexcept {
    if (memory == nullptr) return;
    int const size = class_of(bytes);
    lists& mine = of_this_thread();
    if (size >= classes || mine.has_ended || mine.bytes + (smallest << size) > most_bytes)
      return ::operator delete(memory);
    mine.first[size] = ::new (memory) block{mine.first[size]};
    mine.bytes += smallest << size;
  }

 private:
  struct block {
    block* next;
  };
  static constexpr int classes = 17;  ///< up to 4 MiB
  static constexpr std::size_t smallest = 64, most_bytes = std::size_t{8} << 20;

  /// Without a destructor: a sequence that outlives the thread's other variables may still come.
  struct lists {
    block* first[classes]{};
    std::size_t bytes = 0;
    bool has_ended = false;
  };
  struct end_of_thread {
    lists& of;
    ~end_of_thread() {
      of.has_ended = true;
      for (block*& first : of.first)
        while (first != nullptr) ::operator delete(std::exchange(first, first->next));
    }
  };

  static int class_of(std::size_t bytes) {
    return bytes <= smallest ? 0 : static_cast<int>(std::bit_width((bytes - 1) / smallest));
  }
  static lists& of_this_thread() {
    static thread_local constinit lists mine;
    if (!mine.has_ended) static thread_local end_of_thread const at_the_end{mine};
    return mine;
  }
};

}  // namespace detail
ETCH_NAMESPACE_END

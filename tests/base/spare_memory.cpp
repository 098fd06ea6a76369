#include <etch/base/spare_memory.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace {

using memory = etch::detail::spare_memory;

TEST_CASE("what a thread gives back is what it takes next, if the sizes are of one class") {
  for (std::size_t bytes : {1u, 64u, 65u, 128u, 1000u, 1024u, 100'000u}) {
    void* const first = memory::take(bytes);
    std::memset(first, 0x5a, bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(first) % alignof(std::max_align_t) == 0);
    memory::give(first, bytes);
    void* const second = memory::take(bytes);
    CHECK(second == first);
    void* const third = memory::take(bytes);
    CHECK(third != second);
    memory::give(second, bytes);
    memory::give(third, bytes);
  }
  memory::give(nullptr, 0);
}

TEST_CASE("what is held at once never overlaps, whatever the sizes") {
  struct piece {
    unsigned char* at;
    std::size_t bytes;
    unsigned char mark;
  };
  std::vector<piece> held;
  unsigned state = 1;
  auto const next = [&] { return (state = state * 1664525u + 1013904223u) >> 16; };
  for (int i = 0; i < 5000; ++i) {
    if (held.empty() || next() % 3 != 0) {
      std::size_t const bytes = 1 + next() % 9000;
      auto const mark = static_cast<unsigned char>(next());
      auto* const at = static_cast<unsigned char*>(memory::take(bytes));
      std::memset(at, mark, bytes);
      held.push_back({at, bytes, mark});
    } else {
      std::swap(held[next() % held.size()], held.back());
      piece const p = held.back();
      held.pop_back();
      bool whole = true;
      for (std::size_t k = 0; k < p.bytes; ++k) whole = whole && p.at[k] == p.mark;
      CHECK(whole);
      memory::give(p.at, p.bytes);
    }
  }
  for (piece const& p : held) memory::give(p.at, p.bytes);
}

TEST_CASE("blocks of any size go from thread to thread") {
  std::vector<void*> of_other;
  std::thread([&] {
    for (std::size_t bytes = 1; bytes < 4'000'000; bytes *= 3) of_other.push_back(memory::take(bytes));
  }).join();
  std::size_t bytes = 1;
  for (void* each : of_other) std::memset(each, 1, bytes), memory::give(each, bytes), bytes *= 3;
}

/// Lives longer than what the thread keeps, since it was there first.
struct late {
  void* block = nullptr;
  ~late() { memory::give(block, 100); }
};

TEST_CASE("memory may be given back when the thread has ended what it keeps") {
  std::thread([] {
    static thread_local late last;
    last.block = memory::take(100);
  }).join();
}

}  // namespace

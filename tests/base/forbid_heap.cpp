#define ETCH_FORBID_HEAP
#include <etch/base/forbid_heap.hpp>

#include <etch/base/sequence.hpp>

#include <cstdlib>

namespace {

// The declarations agree with those of the C library, included later, and constant evaluation may still use memory.
static_assert(noexcept(malloc(1)) && noexcept(calloc(1, 1)) && noexcept(realloc(nullptr, 1)) &&
              noexcept(aligned_alloc(8, 8)));
static_assert([] {
  etch::sequence<int> s;
  for (int i = 0; i < 100; ++i) s.push_back(i);
  return s[99];
}() == 99);

}  // namespace

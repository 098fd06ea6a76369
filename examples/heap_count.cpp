// heap_count: malloc and its kin, counted and forwarded to glibc's; in a unit of their own, so
// that no caller sees through them.
#include "heap_count.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZER_OWNS_MALLOC
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZER_OWNS_MALLOC
#endif
#endif

namespace {

constinit std::atomic<long> calls{0};

}  // namespace

long heap::count() { return calls.load(std::memory_order_relaxed); }

char const* heap::why_not_counted() {
#if defined(SANITIZER_OWNS_MALLOC)
  return "not counted under a sanitizer";
#else
  long const before = count();
  void* volatile const probe = std::malloc(1);  // volatile: a malloc whose memory is only freed may be removed
  std::free(probe);
  return count() == before ? "not counted: the process uses another malloc" : nullptr;
#endif
}

#if defined(__GLIBC__) && !defined(SANITIZER_OWNS_MALLOC)

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) noexcept {
  calls.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  calls.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(n, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  calls.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  calls.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  calls.fetch_add(1, std::memory_order_relaxed);
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const memory = __libc_memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}
void free(void* memory) noexcept { __libc_free(memory); }

}  // extern "C"

#endif

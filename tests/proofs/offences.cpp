// One offence of every kind that objects.sh looks for.
// expect: allocator: malloc
// expect: allocator: free
// expect: allocator: _Znwm
// expect: allocator: _ZdlPv
// expect: exception: __cxa_throw
// expect: exception: __cxa_allocate_exception
// expect: exception: _ZSt20__throw_length_error
// expect: exception: __gxx_personality
// expect: exception: _Unwind_Resume
// expect: guard: __cxa_guard_acquire
// expect: guard: __cxa_guard_release
// expect: guard: _ZGVZ
// expect: guard: __cxa_guard_abort
// expect: initialiser: _GLOBAL__
// expect: initialiser: __cxa_atexit
// expect: stack: 16
// expect: stack: no limit
// expect: symbol: 2
#include <cstdlib>
#include <string>
#include <vector>

void* c_memory(std::size_t n) { return std::malloc(n); }
void give_back(void* p) { std::free(p); }
int* memory() { return new int(1); }
void give_back(int* p) { delete p; }
void refuse(int i) { throw i; }
void use(char* p, std::size_t n);
void large() {
  char frame[16384];
  use(frame, sizeof frame);
}
void growing(std::size_t n) { use(static_cast<char*>(__builtin_alloca(n)), n); }
void guarded(std::size_t n) {
  static std::vector<char> v(n);
  use(v.data(), v.size());
}
std::string initialised(std::getenv("HOME"));

struct hundred_words {
  unsigned long long word[100];
};
template <hundred_words>
void named() {}
constexpr hundred_words all_ones = [] {
  hundred_words made{};
  for (unsigned long long& each : made.word) each = ~0ull;
  return made;
}();
template void named<all_ones>();

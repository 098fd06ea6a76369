// on_mistake: what happens where the call of a compiled program is mistaken. Programs refer to no exception and to no
// heap, so these mistakes do not throw by themselves. Docs: errors.md.
#pragma once

#include <etch/base/namespace.hpp>

#include <cstdio>
#include <cstdlib>

ETCH_NAMESPACE_BEGIN

namespace detail {

using mistake_handler = void (*)(char const* sentence);

inline void print_and_abort(char const* sentence) {
  std::fprintf(stderr, "%s\n", sentence);
  std::abort();
}

}  // namespace detail

/// The function that is called with the sentence of a mistake in the call of a program. One that throws, such as
/// `[](char const* s) { throw etch::exception(s); }`, may be put in its place; one that returns ends the process all
/// the same.
inline constinit detail::mistake_handler on_mistake = detail::print_and_abort;

namespace error {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_call(char const* sentence) {
  on_mistake(sentence);
  std::abort();
}
[[noreturn]] inline void gradient_is_an_argument_of_the_same_call() {
  refuse_call(
      "etch: an argument overlaps the program's own results or gradient, which the call overwrites while it still "
      "reads the argument; copy it first");
}
[[noreturn]] inline void gradient_targets_overlap() {
  refuse_call("etch: two gradient targets of one call overlap in memory");
}
[[noreturn]] inline void memory_is_not_aligned() {
  refuse_call(
      "etch: the memory given to view_as does not begin at a multiple of 64 bytes: declare it alignas(64), or allocate "
      "it so");
}

[[noreturn]] inline void counts_differ(int first, int other) {
  char sentence[128];
  std::snprintf(sentence, sizeof sentence,
                "etch: %d entries count in one argument of a call and %d in another: all must have as many", first,
                other);
  refuse_call(sentence);
}

}  // namespace error

ETCH_NAMESPACE_END

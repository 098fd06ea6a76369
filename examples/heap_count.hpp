// heap_count: how many times the process asked for heap memory, counted by its own malloc (heap_count.cpp).
#pragma once

namespace heap {

/// Calls of malloc, calloc, realloc and the aligned kinds since the program started.
long count();

/// The reason if they are not counted, otherwise null. Allocates once to find out.
char const* why_not_counted();

}  // namespace heap

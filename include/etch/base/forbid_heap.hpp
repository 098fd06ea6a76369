// forbid_heap: with ETCH_FORBID_HEAP defined before the first include, a call that asks for heap memory and survives
// optimisation does not compile (-O1 and above). clang lacks the attribute for operator new. Both compilers make a
// calloc of their own from malloc and memset, which escapes unless -fno-builtin-malloc is given. Docs: design.md.
#pragma once

#include <etch/base/namespace.hpp>

#if defined(ETCH_FORBID_HEAP)

#include <cstddef>
#include <new>

#define ETCH_ALLOCATES [[gnu::error("etch: heap memory is asked for, and ETCH_FORBID_HEAP is defined")]]

extern "C" {
ETCH_ALLOCATES void* malloc(std::size_t) noexcept;
ETCH_ALLOCATES void* calloc(std::size_t, std::size_t) noexcept;
ETCH_ALLOCATES void* realloc(void*, std::size_t) noexcept;
ETCH_ALLOCATES void* aligned_alloc(std::size_t, std::size_t) noexcept;
ETCH_ALLOCATES int posix_memalign(void**, std::size_t, std::size_t) noexcept;
}

#if !defined(__clang__)
ETCH_ALLOCATES void* operator new(std::size_t);
ETCH_ALLOCATES void* operator new[](std::size_t);
ETCH_ALLOCATES void* operator new(std::size_t, std::align_val_t);
ETCH_ALLOCATES void* operator new[](std::size_t, std::align_val_t);
ETCH_ALLOCATES void* operator new(std::size_t, std::nothrow_t const&) noexcept;
ETCH_ALLOCATES void* operator new[](std::size_t, std::nothrow_t const&) noexcept;
ETCH_ALLOCATES void* operator new(std::size_t, std::align_val_t, std::nothrow_t const&) noexcept;
ETCH_ALLOCATES void* operator new[](std::size_t, std::align_val_t, std::nothrow_t const&) noexcept;
#endif

#undef ETCH_ALLOCATES

#endif

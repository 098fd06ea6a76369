// The version, the machine that is compiled for, and the inline namespace that carries both. Units compiled for
// different vector widths, or one with ETCH_CHECK_FINITE and one without, therefore have different symbols: mixing them
// is a link error, not a wrong number.
#pragma once

// Every header comes here before it includes anything else, so that an older language version ends in this sentence
// alone. Compilers read on behind `#error`; they stop at a header that does not exist.
#if __cplusplus < 202002L
#error "etch: C++20 is needed: compile with -std=c++20"
#include <etch/compile_with_std_c++20>
#endif

#define ETCH_VERSION_MAJOR 0
#define ETCH_VERSION_MINOR 2
#define ETCH_VERSION_PATCH 0

#if defined(EIGEN_DONT_VECTORIZE)
#define ETCH_VECTORS scalar
#elif defined(__AVX512F__)
#define ETCH_VECTORS avx512
#elif defined(__AVX2__) && defined(__FMA__)
#define ETCH_VECTORS avx2_fma
#elif defined(__AVX__)
#define ETCH_VECTORS avx
#elif defined(__SSE2__)
#define ETCH_VECTORS sse2
#elif defined(__ARM_NEON)
#define ETCH_VECTORS neon
#else
#define ETCH_VECTORS scalar
#endif

// A unit that g++, or clang from 19 on, optimises and compiles for any x86-64 machine has its heavy kernels once for
// each of three sets of vector instructions, of which a program takes the best that the machine has
// (machine/dispatch.hpp); not with options by which results of one set could differ from another's in kind.
#if defined(__x86_64__) && defined(__SSE2__) && !defined(__AVX__) && (!defined(__clang__) || __clang_major__ >= 19) && \
    !defined(EIGEN_DONT_VECTORIZE) && defined(__OPTIMIZE__) && !defined(__NO_INLINE__) && !defined(__FAST_MATH__) &&   \
    !defined(__RECIPROCAL_MATH__) && !defined(__ASSOCIATIVE_MATH__) && !defined(ETCH_NO_DISPATCH)
#define ETCH_DISPATCHES 1
#undef ETCH_VECTORS
#define ETCH_VECTORS dispatched
#else
#define ETCH_DISPATCHES 0
#endif

#if defined(ETCH_CHECK_FINITE)  // every program looks at its results: compile/checked_executable.hpp
#define ETCH_DETAIL_JOIN(major, minor, vectors) v##major##_##minor##_##vectors##_check_finite
#else
#define ETCH_DETAIL_JOIN(major, minor, vectors) v##major##_##minor##_##vectors
#endif
#define ETCH_DETAIL_ABI(major, minor, vectors) ETCH_DETAIL_JOIN(major, minor, vectors)
#define ETCH_ABI ETCH_DETAIL_ABI(ETCH_VERSION_MAJOR, ETCH_VERSION_MINOR, ETCH_VECTORS)

#if ETCH_DISPATCHES
// Functions of a register wider than the options allow are compiled into the code that is compiled for it, so that it
// does not matter how they would hand it over.
#define ETCH_DETAIL_INLINED [[gnu::always_inline]] inline
#define ETCH_DETAIL_INLINED_LAMBDA __attribute__((always_inline))
#else
#define ETCH_DETAIL_INLINED
#define ETCH_DETAIL_INLINED_LAMBDA
#endif

#define ETCH_NAMESPACE_BEGIN \
  namespace etch {           \
  inline namespace ETCH_ABI {
#define ETCH_NAMESPACE_END \
  }                        \
  }

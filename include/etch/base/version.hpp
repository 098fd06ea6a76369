// The version, and the inline namespace that carries it together with the vector width.
// Units compiled for different vector widths therefore have different symbols: mixing them is a link error, not a wrong number.
#pragma once

// Every header comes here before it includes anything else, so that an older language version ends in this sentence alone. Compilers read
// on behind `#error`; they stop at a header that does not exist.
#if __cplusplus < 202002L
#error "etch: C++20 is needed: compile with -std=c++20"
#include <etch/compile_with_std_c++20>
#endif

#define ETCH_VERSION_MAJOR 0
#define ETCH_VERSION_MINOR 1
#define ETCH_VERSION_PATCH 0

#if defined(EIGEN_DONT_VECTORIZE)
#define ETCH_ABI v0_1_scalar
#elif defined(__AVX512F__)
#define ETCH_ABI v0_1_avx512
#elif defined(__AVX2__) && defined(__FMA__)
#define ETCH_ABI v0_1_avx2_fma
#elif defined(__AVX__)
#define ETCH_ABI v0_1_avx
#elif defined(__SSE2__)
#define ETCH_ABI v0_1_sse2
#elif defined(__ARM_NEON)
#define ETCH_ABI v0_1_neon
#else
#define ETCH_ABI v0_1_scalar
#endif

namespace etch::inline ETCH_ABI {

/// Version of the library as numbers; the same three numbers stand in `meson.build`.
struct version_numbers {
  int major, minor, patch;
};
inline constexpr version_numbers version{ETCH_VERSION_MAJOR, ETCH_VERSION_MINOR, ETCH_VERSION_PATCH};

}  // namespace etch::inline ETCH_ABI

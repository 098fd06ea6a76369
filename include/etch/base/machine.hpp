// machine: facts of the machine that is compiled for. A port to another one touches this file,
// `base/namespace.hpp` and the room `machine/`.
#pragma once

#include <etch/base/namespace.hpp>

#include <cstdint>

ETCH_NAMESPACE_BEGIN

/// The sets of vector instructions that the library tells apart.
enum class vectors { scalar, sse2, avx, avx2_fma, avx512, neon, any };

#if !ETCH_DISPATCHES
/// The set of vector instructions that the compiler's options allow.
inline constexpr vectors machine_vectors = vectors::ETCH_VECTORS;
/// The widest set that a kernel is compiled for.
inline constexpr vectors widest_vectors = machine_vectors;
/// The sets that heavy kernels are compiled for (`machine/dispatch.hpp`).
inline constexpr vectors compiled_sets[] = {machine_vectors};
#else
inline constexpr vectors machine_vectors = vectors::sse2;
inline constexpr vectors widest_vectors = vectors::avx512;
inline constexpr vectors compiled_sets[] = {machine_vectors, vectors::avx2_fma, widest_vectors};
#endif
/// Whether heavy kernels are compiled for several sets.
inline constexpr bool dispatches = widest_vectors != machine_vectors;

/// Bytes of a vector register; 0 where there is none.
constexpr int bytes_of_register(vectors set) {
  return set == vectors::scalar                            ? 0
         : set == vectors::avx512                          ? 64
         : set == vectors::avx || set == vectors::avx2_fma ? 32
                                                           : 16;
}
/// Of the widest register that a kernel is compiled for.
inline constexpr int register_bytes = bytes_of_register(widest_vectors);

/// Number of registers that a kernel may fill.
constexpr int registers_of(vectors set) { return set == vectors::avx512 || set == vectors::neon ? 32 : 16; }

/// Whether a b + c is one instruction, which rounds once, in code that is compiled for the options' set.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
inline constexpr bool has_fma = true;
#else
inline constexpr bool has_fma = false;
#endif
/// In code that is compiled for `set`.
constexpr bool has_fma_in(vectors set) { return set == machine_vectors ? has_fma : set > vectors::avx; }

/// Whether loading or storing a part of a register costs no more than a whole one.
constexpr bool masks_are_free_in(vectors set) { return set == vectors::avx512; }

/// Bytes of the caches that products are cut for: those that a core has for itself, on most machines at least.
inline constexpr std::int64_t first_cache_bytes = 32 * 1024, second_cache_bytes = 1024 * 1024;

ETCH_NAMESPACE_END

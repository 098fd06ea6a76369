// machine: facts of the machine that is compiled for. A port to another one touches this file,
// `base/namespace.hpp` and the room `machine/`.
#pragma once

#include <etch/base/namespace.hpp>

#include <cstdint>

ETCH_NAMESPACE_BEGIN

/// The sets of vector instructions that the library tells apart.
enum class vectors { scalar, sse2, avx, avx2_fma, avx512, neon };
/// The set of vector instructions that the compiler's options allow.
inline constexpr vectors machine_vectors = vectors::ETCH_VECTORS;

/// Bytes of a vector register; 0 where the machine has none.
inline constexpr int register_bytes = machine_vectors == vectors::scalar                                        ? 0
                                      : machine_vectors == vectors::avx512                                      ? 64
                                      : machine_vectors == vectors::avx || machine_vectors == vectors::avx2_fma ? 32
                                                                                                                : 16;

/// Number of registers that a kernel may fill.
inline constexpr int register_count = machine_vectors == vectors::avx512 || machine_vectors == vectors::neon ? 32 : 16;

/// Whether a b + c is one instruction, which rounds once.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
inline constexpr bool has_fma = true;
#else
inline constexpr bool has_fma = false;
#endif

/// Whether loading or storing a part of a register costs no more than a whole one.
inline constexpr bool masks_are_free = machine_vectors == vectors::avx512;

/// Bytes of the caches that products are cut for: those that a core has for itself, on most machines at least.
inline constexpr std::int64_t first_cache_bytes = 32 * 1024, second_cache_bytes = 1024 * 1024;

ETCH_NAMESPACE_END

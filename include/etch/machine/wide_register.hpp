// wide_register: a register that the compiler's options do not name, and its instructions that no operator stands for.
// Code that is compiled for such registers (machine/dispatch.hpp) has them inlined. Registers are handed over by
// reference: by value they would be passed in another way where the options do not allow them.
#pragma once

#include <etch/base/machine.hpp>

#include <cstdint>

// Instructions have two names: g++'s own ones spare it a header that is longer than Eigen/Core and that nothing else
// asks for where the options name no such registers; clang's own ones change between its versions.
#if ETCH_DISPATCHES && defined(__clang__)
#include <immintrin.h>
#define ETCH_DETAIL_INSTRUCTION(of_gcc, of_clang) of_clang
#elif ETCH_DISPATCHES
#define ETCH_DETAIL_INSTRUCTION(of_gcc, of_clang) of_gcc
#endif

ETCH_NAMESPACE_BEGIN

/// The register of `Width` numbers that the compiler's options do not name. `fill`: a number in every lane. `load` and
/// `store`: memory of any alignment, all lanes or the first `count`; then the others are 0, and no other memory is
/// touched. `fuse`: y = a b + y, rounded once. `root`: of y. `scale`: y 2^n for whole n, rounded once. `guess_rsqrt`:
/// y^(-1/2) to 14 bits, and as it is at 0, infinity and below. `less`, `less_or_equal`, `equal`: all bits of a lane or
/// none. `choose`: `b` where no bit of `c` is set. (As operators g++ would compare number by number, for any machine.)
template <class T, int Width>
struct wide_register;

#if ETCH_DISPATCHES
#define ETCH_DETAIL_AVX2 [[gnu::target("avx2,fma")]] static inline void
#define ETCH_DETAIL_AVX512 [[gnu::target("avx512f,avx512vl,avx512dq")]] static inline void

template <>
struct wide_register<float, 8> {
  typedef float type __attribute__((vector_size(32)));
  typedef std::int32_t bits __attribute__((vector_size(sizeof(type))));

  ETCH_DETAIL_AVX2 fill(type& y, float x) { y = x - type{}; }
  ETCH_DETAIL_AVX2 load(type& y, float const* from) { __builtin_memcpy(&y, from, sizeof(y)); }
  ETCH_DETAIL_AVX2 store(type const& y, float* to) { __builtin_memcpy(to, &y, sizeof(y)); }
  ETCH_DETAIL_AVX2 load(type& y, float const* from, int count) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_maskloadps256(reinterpret_cast<type const*>(from), first(count)),
                                _mm256_maskload_ps(from, __m256i(first(count))));
  }
  ETCH_DETAIL_AVX2 store(type const& y, float* to, int count) {
    ETCH_DETAIL_INSTRUCTION(__builtin_ia32_maskstoreps256(reinterpret_cast<type*>(to), first(count), y),
                            _mm256_maskstore_ps(to, __m256i(first(count)), y));
  }
  ETCH_DETAIL_AVX2 fuse(type& y, type const& a, type const& b) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_vfmaddps256(a, b, y), _mm256_fmadd_ps(a, b, y));
  }
  ETCH_DETAIL_AVX2 root(type& y) { y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_sqrtps256(y), _mm256_sqrt_ps(y)); }

  ETCH_DETAIL_AVX2 less(bits& y, type const& a, type const& b) { y = a < b; }
  ETCH_DETAIL_AVX2 less_or_equal(bits& y, type const& a, type const& b) { y = a <= b; }
  ETCH_DETAIL_AVX2 equal(bits& y, type const& a, type const& b) { y = a == b; }
  ETCH_DETAIL_AVX2 choose(type& a, bits const& c, type const& b) { a = c ? a : b; }

 private:
  typedef int integers __attribute__((vector_size(32)));
  [[gnu::target("avx2,fma")]] static integers first(int count) { return integers{0, 1, 2, 3, 4, 5, 6, 7} < count; }
};
template <>
struct wide_register<double, 4> {
  typedef double type __attribute__((vector_size(32)));
  typedef std::int64_t bits __attribute__((vector_size(sizeof(type))));

  ETCH_DETAIL_AVX2 fill(type& y, double x) { y = x - type{}; }
  ETCH_DETAIL_AVX2 load(type& y, double const* from) { __builtin_memcpy(&y, from, sizeof(y)); }
  ETCH_DETAIL_AVX2 store(type const& y, double* to) { __builtin_memcpy(to, &y, sizeof(y)); }
  ETCH_DETAIL_AVX2 load(type& y, double const* from, int count) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_maskloadpd256(reinterpret_cast<type const*>(from), first(count)),
                                _mm256_maskload_pd(from, __m256i(first(count))));
  }
  ETCH_DETAIL_AVX2 store(type const& y, double* to, int count) {
    ETCH_DETAIL_INSTRUCTION(__builtin_ia32_maskstorepd256(reinterpret_cast<type*>(to), first(count), y),
                            _mm256_maskstore_pd(to, __m256i(first(count)), y));
  }
  ETCH_DETAIL_AVX2 fuse(type& y, type const& a, type const& b) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_vfmaddpd256(a, b, y), _mm256_fmadd_pd(a, b, y));
  }
  ETCH_DETAIL_AVX2 root(type& y) { y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_sqrtpd256(y), _mm256_sqrt_pd(y)); }

  ETCH_DETAIL_AVX2 less(bits& y, type const& a, type const& b) { y = a < b; }
  ETCH_DETAIL_AVX2 less_or_equal(bits& y, type const& a, type const& b) { y = a <= b; }
  ETCH_DETAIL_AVX2 equal(bits& y, type const& a, type const& b) { y = a == b; }
  ETCH_DETAIL_AVX2 choose(type& a, bits const& c, type const& b) { a = c ? a : b; }

 private:
  typedef long long integers __attribute__((vector_size(32)));
  [[gnu::target("avx2,fma")]] static integers first(long long count) { return integers{0, 1, 2, 3} < count; }
};
template <>
struct wide_register<float, 16> {
  typedef float type __attribute__((vector_size(64)));
  typedef std::int32_t bits __attribute__((vector_size(sizeof(type))));

  ETCH_DETAIL_AVX512 fill(type& y, float x) { y = x - type{}; }
  ETCH_DETAIL_AVX512 load(type& y, float const* from) { __builtin_memcpy(&y, from, sizeof(y)); }
  ETCH_DETAIL_AVX512 store(type const& y, float* to) { __builtin_memcpy(to, &y, sizeof(y)); }
  ETCH_DETAIL_AVX512 load(type& y, float const* from, int count) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_loadups512_mask(from, type{}, first(count)),
                                _mm512_maskz_loadu_ps(first(count), from));
  }
  ETCH_DETAIL_AVX512 store(type const& y, float* to, int count) {
    ETCH_DETAIL_INSTRUCTION(__builtin_ia32_storeups512_mask(to, y, first(count)),
                            _mm512_mask_storeu_ps(to, first(count), y));
  }
  ETCH_DETAIL_AVX512 fuse(type& y, type const& a, type const& b) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_vfmaddps512_mask(a, b, y, -1, current), _mm512_fmadd_ps(a, b, y));
  }
  ETCH_DETAIL_AVX512 root(type& y) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_sqrtps512_mask(y, y, -1, current), _mm512_sqrt_ps(y));
  }
  ETCH_DETAIL_AVX512 scale(type& y, type const& n) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_scalefps512_mask(y, n, y, -1, current), _mm512_scalef_ps(y, n));
  }
  ETCH_DETAIL_AVX512 guess_rsqrt(type& y) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_rsqrt14ps512_mask(y, y, -1), _mm512_rsqrt14_ps(y));
  }

  ETCH_DETAIL_AVX512 less(bits& y, type const& a, type const& b) { y = a < b; }
  ETCH_DETAIL_AVX512 less_or_equal(bits& y, type const& a, type const& b) { y = a <= b; }
  ETCH_DETAIL_AVX512 equal(bits& y, type const& a, type const& b) { y = a == b; }
  ETCH_DETAIL_AVX512 choose(type& a, bits const& c, type const& b) { a = c ? a : b; }

 private:
  static constexpr int current = 4;  // the rounding that the processor is set to
  static unsigned short first(int count) { return static_cast<unsigned short>((1u << count) - 1u); }
};
template <>
struct wide_register<double, 8> {
  typedef double type __attribute__((vector_size(64)));
  typedef std::int64_t bits __attribute__((vector_size(sizeof(type))));

  ETCH_DETAIL_AVX512 fill(type& y, double x) { y = x - type{}; }
  ETCH_DETAIL_AVX512 load(type& y, double const* from) { __builtin_memcpy(&y, from, sizeof(y)); }
  ETCH_DETAIL_AVX512 store(type const& y, double* to) { __builtin_memcpy(to, &y, sizeof(y)); }
  ETCH_DETAIL_AVX512 load(type& y, double const* from, int count) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_loadupd512_mask(from, type{}, first(count)),
                                _mm512_maskz_loadu_pd(first(count), from));
  }
  ETCH_DETAIL_AVX512 store(type const& y, double* to, int count) {
    ETCH_DETAIL_INSTRUCTION(__builtin_ia32_storeupd512_mask(to, y, first(count)),
                            _mm512_mask_storeu_pd(to, first(count), y));
  }
  ETCH_DETAIL_AVX512 fuse(type& y, type const& a, type const& b) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_vfmaddpd512_mask(a, b, y, -1, current), _mm512_fmadd_pd(a, b, y));
  }
  ETCH_DETAIL_AVX512 root(type& y) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_sqrtpd512_mask(y, y, -1, current), _mm512_sqrt_pd(y));
  }
  ETCH_DETAIL_AVX512 scale(type& y, type const& n) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_scalefpd512_mask(y, n, y, -1, current), _mm512_scalef_pd(y, n));
  }
  ETCH_DETAIL_AVX512 guess_rsqrt(type& y) {
    y = ETCH_DETAIL_INSTRUCTION(__builtin_ia32_rsqrt14pd512_mask(y, y, -1), _mm512_rsqrt14_pd(y));
  }

  ETCH_DETAIL_AVX512 less(bits& y, type const& a, type const& b) { y = a < b; }
  ETCH_DETAIL_AVX512 less_or_equal(bits& y, type const& a, type const& b) { y = a <= b; }
  ETCH_DETAIL_AVX512 equal(bits& y, type const& a, type const& b) { y = a == b; }
  ETCH_DETAIL_AVX512 choose(type& a, bits const& c, type const& b) { a = c ? a : b; }

 private:
  static constexpr int current = 4;  // the rounding that the processor is set to
  static unsigned char first(int count) { return static_cast<unsigned char>((1u << count) - 1u); }
};

#undef ETCH_DETAIL_AVX2
#undef ETCH_DETAIL_AVX512
#undef ETCH_DETAIL_INSTRUCTION
#endif

ETCH_NAMESPACE_END

// wide_register: a register that the compiler's options do not name, and its instructions that no operator stands for.
// Code that is compiled for such registers (machine/dispatch.hpp) has them inlined. Registers are handed over by
// reference: by value they would be passed in another way where the options do not allow them.
#pragma once

#include <etch/base/machine.hpp>

#if ETCH_DISPATCHES
#include <immintrin.h>
#endif

ETCH_NAMESPACE_BEGIN

/// The register of `Width` numbers that the compiler's options do not name. `fill`: a number in every lane. `load` and
/// `store`: memory of any alignment, all lanes or the first `count`; then the others are 0, and no other memory is
/// touched. `fuse`: y = a b + y, rounded once. `root`: of y. `scale`: y 2^n for whole n, rounded once.
template <class T, int Width>
struct wide_register;

#if ETCH_DISPATCHES
#define ETCH_DETAIL_AVX2 [[gnu::target("avx2,fma")]] static inline void
#define ETCH_DETAIL_AVX512 [[gnu::target("avx512f,avx512vl,avx512dq")]] static inline void

template <>
struct wide_register<float, 8> {
  using type = __m256;

  ETCH_DETAIL_AVX2 fill(type& y, float x) { y = _mm256_set1_ps(x); }
  ETCH_DETAIL_AVX2 load(type& y, float const* from) { y = _mm256_loadu_ps(from); }
  ETCH_DETAIL_AVX2 store(type const& y, float* to) { _mm256_storeu_ps(to, y); }
  ETCH_DETAIL_AVX2 load(type& y, float const* from, int count) { y = _mm256_maskload_ps(from, first(count)); }
  ETCH_DETAIL_AVX2 store(type const& y, float* to, int count) { _mm256_maskstore_ps(to, first(count), y); }
  ETCH_DETAIL_AVX2 fuse(type& y, type const& a, type const& b) { y = _mm256_fmadd_ps(a, b, y); }
  ETCH_DETAIL_AVX2 root(type& y) { y = _mm256_sqrt_ps(y); }

 private:
  [[gnu::target("avx2,fma")]] static __m256i first(int count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
};
template <>
struct wide_register<double, 4> {
  using type = __m256d;

  ETCH_DETAIL_AVX2 fill(type& y, double x) { y = _mm256_set1_pd(x); }
  ETCH_DETAIL_AVX2 load(type& y, double const* from) { y = _mm256_loadu_pd(from); }
  ETCH_DETAIL_AVX2 store(type const& y, double* to) { _mm256_storeu_pd(to, y); }
  ETCH_DETAIL_AVX2 load(type& y, double const* from, int count) { y = _mm256_maskload_pd(from, first(count)); }
  ETCH_DETAIL_AVX2 store(type const& y, double* to, int count) { _mm256_maskstore_pd(to, first(count), y); }
  ETCH_DETAIL_AVX2 fuse(type& y, type const& a, type const& b) { y = _mm256_fmadd_pd(a, b, y); }
  ETCH_DETAIL_AVX2 root(type& y) { y = _mm256_sqrt_pd(y); }

 private:
  [[gnu::target("avx2,fma")]] static __m256i first(int count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
  }
};
template <>
struct wide_register<float, 16> {
  using type = __m512;

  ETCH_DETAIL_AVX512 fill(type& y, float x) { y = _mm512_set1_ps(x); }
  ETCH_DETAIL_AVX512 load(type& y, float const* from) { y = _mm512_loadu_ps(from); }
  ETCH_DETAIL_AVX512 store(type const& y, float* to) { _mm512_storeu_ps(to, y); }
  ETCH_DETAIL_AVX512 load(type& y, float const* from, int count) { y = _mm512_maskz_loadu_ps(first(count), from); }
  ETCH_DETAIL_AVX512 store(type const& y, float* to, int count) { _mm512_mask_storeu_ps(to, first(count), y); }
  ETCH_DETAIL_AVX512 fuse(type& y, type const& a, type const& b) { y = _mm512_fmadd_ps(a, b, y); }
  ETCH_DETAIL_AVX512 root(type& y) { y = _mm512_maskz_sqrt_ps(0xffff, y); }
  ETCH_DETAIL_AVX512 scale(type& y, type const& n) { y = _mm512_maskz_scalef_ps(0xffff, y, n); }

 private:
  static __mmask16 first(int count) { return static_cast<__mmask16>((1u << count) - 1u); }
};
template <>
struct wide_register<double, 8> {
  using type = __m512d;

  ETCH_DETAIL_AVX512 fill(type& y, double x) { y = _mm512_set1_pd(x); }
  ETCH_DETAIL_AVX512 load(type& y, double const* from) { y = _mm512_loadu_pd(from); }
  ETCH_DETAIL_AVX512 store(type const& y, double* to) { _mm512_storeu_pd(to, y); }
  ETCH_DETAIL_AVX512 load(type& y, double const* from, int count) { y = _mm512_maskz_loadu_pd(first(count), from); }
  ETCH_DETAIL_AVX512 store(type const& y, double* to, int count) { _mm512_mask_storeu_pd(to, first(count), y); }
  ETCH_DETAIL_AVX512 fuse(type& y, type const& a, type const& b) { y = _mm512_fmadd_pd(a, b, y); }
  ETCH_DETAIL_AVX512 root(type& y) { y = _mm512_maskz_sqrt_pd(0xff, y); }
  ETCH_DETAIL_AVX512 scale(type& y, type const& n) { y = _mm512_maskz_scalef_pd(0xff, y, n); }

 private:
  static __mmask8 first(int count) { return static_cast<__mmask8>((1u << count) - 1u); }
};

#undef ETCH_DETAIL_AVX2
#undef ETCH_DETAIL_AVX512
#endif

ETCH_NAMESPACE_END

// instructions: those of wide registers that no operator stands for, where the compiler's options do not allow them.
// Code that is compiled for such registers (machine/dispatch.hpp) has them inlined. Registers are handed over by
// reference: by value they would be passed in another way where the options do not allow them.
#pragma once

#include <etch/base/machine.hpp>

#if ETCH_DISPATCHES

#include <immintrin.h>

ETCH_NAMESPACE_BEGIN
namespace run::instructions {

/// The register of `Width` numbers.
template <class T, int Width>
struct packet;
template <>
struct packet<float, 8> {
  using type = __m256;
};
template <>
struct packet<double, 4> {
  using type = __m256d;
};
template <>
struct packet<float, 16> {
  using type = __m512;
};
template <>
struct packet<double, 8> {
  using type = __m512d;
};

#define ETCH_DETAIL_AVX2 [[gnu::target("avx2,fma")]] inline void
#define ETCH_DETAIL_AVX512 [[gnu::target("avx512f,avx512vl,avx512dq")]] inline void

// x in every lane.
ETCH_DETAIL_AVX2 fill(__m256& y, float x) { y = _mm256_set1_ps(x); }
ETCH_DETAIL_AVX2 fill(__m256d& y, double x) { y = _mm256_set1_pd(x); }
ETCH_DETAIL_AVX512 fill(__m512& y, float x) { y = _mm512_set1_ps(x); }
ETCH_DETAIL_AVX512 fill(__m512d& y, double x) { y = _mm512_set1_pd(x); }

// A register from memory of any alignment, and to memory.
ETCH_DETAIL_AVX2 load(__m256& y, float const* from) { y = _mm256_loadu_ps(from); }
ETCH_DETAIL_AVX2 load(__m256d& y, double const* from) { y = _mm256_loadu_pd(from); }
ETCH_DETAIL_AVX512 load(__m512& y, float const* from) { y = _mm512_loadu_ps(from); }
ETCH_DETAIL_AVX512 load(__m512d& y, double const* from) { y = _mm512_loadu_pd(from); }
ETCH_DETAIL_AVX2 store(__m256 const& y, float* to) { _mm256_storeu_ps(to, y); }
ETCH_DETAIL_AVX2 store(__m256d const& y, double* to) { _mm256_storeu_pd(to, y); }
ETCH_DETAIL_AVX512 store(__m512 const& y, float* to) { _mm512_storeu_ps(to, y); }
ETCH_DETAIL_AVX512 store(__m512d const& y, double* to) { _mm512_storeu_pd(to, y); }

// y = a b + y, rounded once.
ETCH_DETAIL_AVX2 fuse(__m256& y, __m256 const& a, __m256 const& b) { y = _mm256_fmadd_ps(a, b, y); }
ETCH_DETAIL_AVX2 fuse(__m256d& y, __m256d const& a, __m256d const& b) { y = _mm256_fmadd_pd(a, b, y); }
ETCH_DETAIL_AVX512 fuse(__m512& y, __m512 const& a, __m512 const& b) { y = _mm512_fmadd_ps(a, b, y); }
ETCH_DETAIL_AVX512 fuse(__m512d& y, __m512d const& a, __m512d const& b) { y = _mm512_fmadd_pd(a, b, y); }

// The root of y.
ETCH_DETAIL_AVX2 root(__m256& y) { y = _mm256_sqrt_ps(y); }
ETCH_DETAIL_AVX2 root(__m256d& y) { y = _mm256_sqrt_pd(y); }
ETCH_DETAIL_AVX512 root(__m512& y) { y = _mm512_maskz_sqrt_ps(0xffff, y); }
ETCH_DETAIL_AVX512 root(__m512d& y) { y = _mm512_maskz_sqrt_pd(0xff, y); }

// y 2^n for whole n, rounded once.
ETCH_DETAIL_AVX512 scale(__m512& y, __m512 const& n) { y = _mm512_maskz_scalef_ps(0xffff, y, n); }
ETCH_DETAIL_AVX512 scale(__m512d& y, __m512d const& n) { y = _mm512_maskz_scalef_pd(0xff, y, n); }

// The first `count` lanes from memory of any alignment, the others 0, and to memory; no other memory is touched.
ETCH_DETAIL_AVX2 first(__m256i& mask, int count, float) {
  mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
ETCH_DETAIL_AVX2 first(__m256i& mask, int count, double) {
  mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
}
ETCH_DETAIL_AVX2 load(__m256& y, float const* from, int count) {
  __m256i mask;
  first(mask, count, float());
  y = _mm256_maskload_ps(from, mask);
}
ETCH_DETAIL_AVX2 load(__m256d& y, double const* from, int count) {
  __m256i mask;
  first(mask, count, double());
  y = _mm256_maskload_pd(from, mask);
}
ETCH_DETAIL_AVX512 load(__m512& y, float const* from, int count) {
  y = _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1u), from);
}
ETCH_DETAIL_AVX512 load(__m512d& y, double const* from, int count) {
  y = _mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << count) - 1u), from);
}
ETCH_DETAIL_AVX2 store(__m256 const& y, float* to, int count) {
  __m256i mask;
  first(mask, count, float());
  _mm256_maskstore_ps(to, mask, y);
}
ETCH_DETAIL_AVX2 store(__m256d const& y, double* to, int count) {
  __m256i mask;
  first(mask, count, double());
  _mm256_maskstore_pd(to, mask, y);
}
ETCH_DETAIL_AVX512 store(__m512 const& y, float* to, int count) {
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1u), y);
}
ETCH_DETAIL_AVX512 store(__m512d const& y, double* to, int count) {
  _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1u << count) - 1u), y);
}

#undef ETCH_DETAIL_AVX2
#undef ETCH_DETAIL_AVX512

}  // namespace run::instructions
ETCH_NAMESPACE_END

#endif

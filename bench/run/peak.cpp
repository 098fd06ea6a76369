#include "peak.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace bench {

namespace {

#if defined(__AVX512F__)
constexpr int width = 64;
#elif defined(__AVX__)
constexpr int width = 32;
#else
constexpr int width = 16;
#endif

/// Twelve chains of multiply-adds that do not wait for each other.
template <class T>
struct multiply_add {
  using lanes [[gnu::vector_size(width)]] = T;
  static constexpr int chains = 12, rounds = 512;
  static constexpr double flops = 2.0 * chains * rounds * (width / sizeof(T));

  static void run() {
    lanes sum[chains] = {}, a, b;
    for (std::size_t i = 0; i < width / sizeof(T); ++i) a[i] = T(0.5), b[i] = T(1);
    asm volatile("" : "+v"(a), "+v"(b));
    for (int round = 0; round < rounds; ++round)
#pragma GCC unroll 12
      for (int c = 0; c < chains; ++c) sum[c] = sum[c] * a + b;
    for (lanes& s : sum) asm volatile("" : "+v"(s));
  }
};

template <class T>
contestant multiply_adds(char const* name) {
  return {.name = name,
          .unit = benchmark::kMicrosecond,
          .once = [] { multiply_add<T>::run(); },
          .repeat =
              [](benchmark::State& state) {
                for (auto _ : state) multiply_add<T>::run();
              },
          .flops = multiply_add<T>::flops};
}

/// a = b + s c over three arrays that take `bytes` together; made when first used, and written once before.
contestant triad(char const* name, long bytes) {
  auto const entries = static_cast<std::size_t>(std::max(bytes, 3 * 64L) / (3 * 64) * 64) / sizeof(double);
  auto const arrays = [entries]() -> double* {
    auto* const made = static_cast<double*>(std::aligned_alloc(64, 3 * entries * sizeof(double)));
    for (std::size_t i = 0; i < 3 * entries; ++i) made[i] = 1;
    return made;
  };
  return {.name = name,
          .unit = benchmark::kMicrosecond,
          .once = [] {},
          .repeat =
              [entries, arrays](benchmark::State& state) {
                double* const a = arrays();
                double* __restrict const to = a;
                double const *const b = a + entries, *const c = a + 2 * entries;
                for (auto _ : state) {
                  for (std::size_t i = 0; i < entries; ++i) to[i] = b[i] + 3 * c[i];
                  benchmark::ClobberMemory();
                }
                std::free(a);
              },
          .bytes = static_cast<double>(3 * entries * sizeof(double))};
}

/// The size of a cache, or `otherwise` where the system does not say.
long size_of_cache(int name, long otherwise) {
  long const size = sysconf(name);
  return size > 0 ? size : otherwise;
}

}  // namespace

std::vector<contestant> peaks() {
  return {multiply_adds<float>("peak/float"), multiply_adds<double>("peak/double"),
          triad("peak/L1", size_of_cache(_SC_LEVEL1_DCACHE_SIZE, 32 << 10) * 3 / 4),
          triad("peak/L2", size_of_cache(_SC_LEVEL2_CACHE_SIZE, 1 << 20) / 2),
          triad("peak/memory", std::min(4 * size_of_cache(_SC_LEVEL3_CACHE_SIZE, 32 << 20), 256L << 20))};
}

}  // namespace bench

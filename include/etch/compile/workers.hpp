// workers: the threads that share a program, of OpenMP or of oneTBB; or none, and its parts run one after the other.
#pragma once

#include <etch/base/namespace.hpp>

#include <exception>

#if defined(ETCH_PARALLEL_TBB)
#include <oneapi/tbb/parallel_for.h>
#endif

ETCH_NAMESPACE_BEGIN
namespace workers {

/// All parts on the thread that calls, in order.
struct in_turn {
  template <int N>
  static void each(auto const& part) {
    for (int worker = 0; worker < N; ++worker) part(worker);
  }
};

#if defined(_OPENMP)
/// The threads of OpenMP. Where a call comes from one of them already, all parts run there.
struct openmp {
  template <int N>
  static void each(auto const& part) {
#pragma omp parallel for num_threads(N) schedule(static, 1)
    for (int worker = 0; worker < N; ++worker) part(worker);
  }
};
#endif

#if defined(ETCH_PARALLEL_TBB)
/// The threads of oneTBB.
struct tbb {
  template <int N>
  static void each(auto const& part) {
    oneapi::tbb::parallel_for(0, N, part, oneapi::tbb::static_partitioner{});
  }
};
#endif

/// The workers that the options of the compiler name: -DETCH_PARALLEL_TBB, -fopenmp, or neither.
#if defined(ETCH_PARALLEL_TBB)
using chosen = tbb;
#elif defined(_OPENMP)
using chosen = openmp;
#else
using chosen = in_turn;
#endif

}  // namespace workers

namespace detail {

/// Does `part(worker)` at each of `N` workers of kind `Workers`. What they throw arrives when all are done: that of
/// the first worker that has thrown.
template <class Workers, int N>
void at_each_worker(auto const& part) {
#if defined(__cpp_exceptions)
  std::exception_ptr thrown[N];
  Workers::template each<N>([&](int worker) {
    try {
      part(worker);
    } catch (...) {
      thrown[worker] = std::current_exception();
    }
  });
  for (std::exception_ptr const& each : thrown)
    if (each) std::rethrow_exception(each);
#else
  Workers::template each<N>(part);
#endif
}

}  // namespace detail
ETCH_NAMESPACE_END

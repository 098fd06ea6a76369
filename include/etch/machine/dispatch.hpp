// dispatch: functions that are compiled for a set of vector instructions, and the choice between several of the same
// kernel. Where a unit is compiled for one set alone (base/namespace.hpp), none of it leaves anything behind.
#pragma once

#include <etch/base/machine.hpp>

#include <cstddef>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace run {

/// Says that a function works on memory. g++ 12 takes an address that it has computed as an offset from 0 for a null
/// pointer, does not look at what is behind, and may find the function to be without effect: then calls of it go
/// (ipa-pure-const and ipa-modref; numbers were wrong with -O1). So every function that is not always a part of another
/// one begins with this.
[[gnu::always_inline]] inline void work_on_memory() {
#if defined(__GNUC__) && !defined(__clang__)
  asm("" : : : "memory");
#endif
}

/// `Kernel::run` as a function of its own, compiled for `Set`. What it calls with a register is compiled into it
/// (`ETCH_DETAIL_INLINED`); a function that were not would be as slow as code for any machine, and right all the same,
/// since such registers are handed over by reference.
template <vectors Set>
struct compiled_for {
  template <class Kernel, class... Arguments>
  [[gnu::noinline]] static auto run(Arguments... arguments) {
    work_on_memory();
    return Kernel::run(arguments...);
  }
};

#if ETCH_DISPATCHES
#if defined(__clang__)
#define ETCH_DETAIL_V4 gnu::target("arch=x86-64-v4"), clang::min_vector_width(512)
#else
#define ETCH_DETAIL_V4 gnu::target("arch=x86-64-v4,prefer-vector-width=512")
#endif
template <>
struct compiled_for<vectors::avx2_fma> {
  template <class Kernel, class... Arguments>
  [[gnu::noinline, gnu::flatten, gnu::target("arch=x86-64-v3")]] static auto run(Arguments... arguments) {
    work_on_memory();
    return Kernel::run(arguments...);
  }
};
template <>
struct compiled_for<vectors::avx512> {
  template <class Kernel, class... Arguments>
  [[gnu::noinline, gnu::flatten, ETCH_DETAIL_V4]] static auto run(Arguments... arguments) {
    work_on_memory();
    return Kernel::run(arguments...);
  }
};

#undef ETCH_DETAIL_V4

/// The widest set of vector instructions that kernels may use; tests lower it.
inline constinit vectors widest_allowed = widest_vectors;

/// Calls `f` with the best of the sets that kernels are compiled for which this machine has, as a constant.
[[gnu::always_inline]] inline auto with_best_vectors(auto f) {
  if (widest_allowed >= vectors::avx512 && __builtin_cpu_supports("x86-64-v4"))
    return f(std::integral_constant<vectors, vectors::avx512>{});
  if (widest_allowed >= vectors::avx2_fma && __builtin_cpu_supports("x86-64-v3"))
    return f(std::integral_constant<vectors, vectors::avx2_fma>{});
  return f(std::integral_constant<vectors, machine_vectors>{});
}
#endif

/// Runs `Kernel` where it is called from code for any machine, compiled for `Set`.
template <class Kernel, vectors Set, class... Arguments>
[[gnu::always_inline]] inline auto run_apart(Arguments... arguments) {
  if constexpr (Set == machine_vectors) return Kernel::run(arguments...);
  else return compiled_for<Set>::template run<Kernel, Arguments...>(arguments...);
}

/// Stands for a set that is not chosen yet, in code that runs on any machine.
inline constexpr vectors any_vectors = dispatches ? vectors::any : machine_vectors;
/// The set that code is compiled for in which kernels of `Set` are called.
template <vectors Set>
inline constexpr vectors vectors_around = Set == any_vectors ? machine_vectors : Set;

/// Calls `f` with `Set` as a constant, or with the best set that the machine has.
template <vectors Set>
[[gnu::always_inline]] inline auto with_vectors(auto f) {
#if ETCH_DISPATCHES
  if constexpr (Set == vectors::any) return with_best_vectors(f);
  else
#endif
    return f(std::integral_constant<vectors, Set>{});
}

/// Runs `Kernel::of<S>`, compiled for a set S: `Set`, or the best that the machine has.
template <class Kernel, vectors Set, class... Arguments>
[[gnu::always_inline]] inline auto run_for(Arguments... arguments) {
  if constexpr (Set != vectors::any)
    return compiled_for<Set>::template run<typename Kernel::template of<Set>>(arguments...);
  else
    return with_vectors<Set>([&](auto best) __attribute__((always_inline)) {
      return compiled_for<best>::template run<typename Kernel::template of<best>>(arguments...);
    });
}

/// Runs the program `Body`, or its first `Kernels` kernels, where kernels of `Set` are called.
template <class Body, auto Accumulated, vectors Set, int Kernels = Body::schedule.kernel_count>
[[gnu::always_inline]] inline auto run_body(std::byte const* const* arguments, std::byte* const* outputs,
                                            std::byte* workspace) {
  constexpr int few = 8;  // they become a part of the loop around them, and keep in registers what it carries
  if constexpr (Set == any_vectors && Kernels > few)
    return Body::template run<Accumulated, Kernels>(arguments, outputs, workspace);
  else return Body::template run_within<Accumulated, Set, Kernels>(arguments, outputs, workspace);
}

}  // namespace run
ETCH_NAMESPACE_END

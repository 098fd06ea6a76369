// as_written: values at which the compiler neither reassociates nor contracts, whatever it was allowed.
// Formulas below an ulp, such as (x + magic) - magic or the rest of a sum, depend on the order of their
// operations; -ffast-math gives that order away.
#pragma once

#include <etch/base/namespace.hpp>

#include <concepts>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

/// `x`, a number or a register, which no optimisation takes apart; no instruction.
template <class P>
ETCH_DETAIL_INLINED constexpr P fenced(P x) {
#if defined(__clang__)
  if (__builtin_is_constant_evaluated()) return x;
#if defined(__x86_64__) || defined(__i386__)
  return __arithmetic_fence(x);  // nothing where clang may not reassociate
#elif defined(__FAST_MATH__) && defined(__aarch64__)
  asm("" : "+w"(x));
  return x;
#else
  return x;
#endif
#elif defined(__GNUC__)
  // g++ 12 forgets its barrier where it vectorises numbers, and takes registers of 16 floats apart for its sake.
#if defined(__SSE2__)
  if constexpr (std::is_arithmetic_v<P>) {
    if (__builtin_is_constant_evaluated()) return x;
    asm("" : "+x"(x));
    return x;
#if defined(__AVX512F__)
  } else if constexpr (sizeof(P) == 64 && sizeof(x[0]) == 4) {
    asm("" : "+v"(x));
    return x;
#endif
  }
#elif defined(__aarch64__)
  if constexpr (std::is_arithmetic_v<P>) {
    if (__builtin_is_constant_evaluated()) return x;
    asm("" : "+w"(x));
    return x;
  }
#endif
  return __builtin_assoc_barrier(x);
#else
  return x;
#endif
}
/// Makes a register that the options do not name `fenced`, in place: it is not handed over by value, and g++ would take
/// it apart before it knows what the function may use.
template <class P>
ETCH_DETAIL_INLINED void fence(P& x) {
#if defined(__clang__)
  x = __arithmetic_fence(x);
#else
  asm("" : "+v"(x));
#endif
}

/// As written where the compiler may reassociate, which no macro of clang's tells; else `x` itself.
template <class P>
ETCH_DETAIL_INLINED constexpr P in_order(P x) {
#if defined(__clang__) || defined(__ASSOCIATIVE_MATH__)
  return fenced(x);
#else
  return x;
#endif
}

}  // namespace detail

/// `x`, which g++ would otherwise contract with the sum it enters (its default is
/// -ffp-contract=fast), nor is it reassociated.
template <std::floating_point T>
constexpr T settled(T x) {
  return detail::fenced(x);
}
/// `x`, computed as it is written: neither its terms and factors nor those of what it enters change places. It may be
/// contracted, unless the compiler was allowed to reassociate.
template <std::floating_point T>
constexpr T as_written(T x) {
  return detail::in_order(x);
}

/// a / b by a division. Where -ffast-math lets compilers vectorise a loop over floats, they would multiply by an
/// approximate inverse, which is 0 for a large `b`.
template <std::floating_point T>
constexpr T quotient(T a, T b) {
#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#pragma float_control(precise, on)
  return a / b;
#elif defined(__RECIPROCAL_MATH__)
  if constexpr (sizeof(T) == 4)
    if (!__builtin_is_constant_evaluated())
      return static_cast<T>(detail::fenced(static_cast<double>(a) / static_cast<double>(b)));
  return a / b;
#else
  return a / b;
#endif
}

}  // namespace math
ETCH_NAMESPACE_END

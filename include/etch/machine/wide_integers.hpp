// wide_integers: the bit patterns of a register that the compiler's options do not name. Like `lanes` of such registers
// they are handed over by reference, whatever code is compiled for: by value it would depend on that.
#pragma once

#include <etch/base/namespace.hpp>

#include <concepts>
#include <cstddef>

ETCH_NAMESPACE_BEGIN

/// Integers of type `I` in a register of `Bytes`.
template <class I, std::size_t Bytes>
struct wide_integers {
  typedef I packet __attribute__((vector_size(Bytes)));
  packet p;

  wide_integers() = default;
  [[gnu::always_inline]] wide_integers(wide_integers const& other) : p(other.p) {}
  [[gnu::always_inline]] wide_integers& operator=(wide_integers const& other) {
    p = other.p;
    return *this;
  }
  [[gnu::always_inline]] explicit wide_integers(packet const& from) : p(from) {}
  /// `value` in every lane.
  template <std::same_as<I> J>
  [[gnu::always_inline]] wide_integers(J value) : p(packet{} + value) {}

  [[gnu::always_inline]] friend wide_integers operator+(wide_integers a, wide_integers b) {
    a.p += b.p;
    return a;
  }
  [[gnu::always_inline]] friend wide_integers operator-(wide_integers a, wide_integers b) {
    a.p -= b.p;
    return a;
  }
  [[gnu::always_inline]] friend wide_integers operator&(wide_integers a, wide_integers b) {
    a.p &= b.p;
    return a;
  }
  [[gnu::always_inline]] friend wide_integers operator|(wide_integers a, wide_integers b) {
    a.p |= b.p;
    return a;
  }
  [[gnu::always_inline]] friend wide_integers operator^(wide_integers a, wide_integers b) {
    a.p ^= b.p;
    return a;
  }
  [[gnu::always_inline]] friend wide_integers operator<<(wide_integers a, I by) {
    a.p <<= by;
    return a;
  }
  [[gnu::always_inline]] friend wide_integers operator>>(wide_integers a, I by) {
    a.p >>= by;
    return a;
  }
  [[gnu::always_inline]] friend wide_integers operator-(wide_integers a) {
    a.p = -a.p;
    return a;
  }
  [[gnu::always_inline]] friend wide_integers operator~(wide_integers a) {
    a.p = ~a.p;
    return a;
  }
};

/// Integers of type `I` in a register of `Bytes`, which may be `Wide`.
template <bool Wide, class I, std::size_t Bytes>
struct integers_in_register {
  typedef I type __attribute__((vector_size(Bytes)));
};
template <class I, std::size_t Bytes>
struct integers_in_register<true, I, Bytes> {
  using type = wide_integers<I, Bytes>;
};

ETCH_NAMESPACE_END

// lanes: a SIMD register as a number type. Loads, stores and multiply-add are Eigen's packet functions; comparisons,
// choices and bit patterns are the compilers' own vector operations, which cost no detour through masks in memory.
#pragma once

#include <etch/machine/wide_register.hpp>
#include <etch/machine/wide_integers.hpp>
#include <etch/math/math.hpp>

#include <Eigen/Core>

#include <cstddef>
#include <type_traits>
#include <utility>

#if defined(__AVX__)
#include <immintrin.h>
#endif

ETCH_NAMESPACE_BEGIN

/// Entries of the widest register of `Set`; 1 where there are no vectors, and then there are no `lanes`.
template <class T, vectors Set = machine_vectors>
inline constexpr int widest = bytes_of_register(Set) == 0 ? 1 : bytes_of_register(Set) / static_cast<int>(sizeof(T));

/// Entries of the narrowest register that holds `n` numbers, or of the widest one; 1, which is no
/// register, for fewer than `Least`.
template <class T, int Least, vectors Set = machine_vectors>
constexpr int width_for(int n) {
  int width = widest<T, Set>;
  while (width / 2 >= n && width * static_cast<int>(sizeof(T)) > 16) width /= 2;
  return n < Least ? 1 : width;
}

/// `Width` numbers in a register: the widest one, or a half or a quarter of it.
template <class T, int Width = widest<T>>
struct lanes {
  using scalar_type = T;
  /// Whether only code that is compiled for more than the options' set of instructions has such registers.
  static constexpr bool is_wide = Width > widest<T>;
  using packet =
      typename std::conditional_t<is_wide, wide_register<T, Width>, Eigen::internal::find_best_packet<T, Width>>::type;
  static_assert(sizeof(packet) == sizeof(T) * Width, "etch: no register has that number of lanes");
  using instructions = wide_register<T, Width>;
  using integer = math::integer_of<T>;
  static constexpr int width = Width;
  static constexpr bool has_fma = is_wide || etch::has_fma;
  typedef integer integer_packet __attribute__((vector_size(sizeof(packet))));
  using integers = typename integers_in_register<is_wide, integer, sizeof(packet)>::type;

  /// The result of a comparison: all bits of a lane, or none.
  struct mask {
    integers bits;
    ETCH_DETAIL_INLINED friend mask operator&(mask a, mask b) { return {a.bits & b.bits}; }
    ETCH_DETAIL_INLINED friend mask operator|(mask a, mask b) { return {a.bits | b.bits}; }
    ETCH_DETAIL_INLINED friend mask operator!(mask a) { return {~a.bits}; }

    // In registers that only some code has.
    [[gnu::always_inline]] static mask less(lanes const& a, lanes const& b) {
      integer_packet y;
      return instructions::less(y, a.p, b.p), mask{integers(y)};
    }
    [[gnu::always_inline]] static mask less_or_equal(lanes const& a, lanes const& b) {
      integer_packet y;
      return instructions::less_or_equal(y, a.p, b.p), mask{integers(y)};
    }
    [[gnu::always_inline]] static mask equal(lanes const& a, lanes const& b) {
      integer_packet y;
      return instructions::equal(y, a.p, b.p), mask{integers(y)};
    }
  };

  packet p;

  lanes() = default;
  lanes(lanes const&)
    requires(!is_wide)
  = default;
  [[gnu::always_inline]] lanes(lanes const& other)
    requires is_wide
      : p(other.p) {}
  lanes& operator=(lanes const&)
    requires(!is_wide)
  = default;
  [[gnu::always_inline]] lanes& operator=(lanes const& other)
    requires is_wide
  {
    p = other.p;
    return *this;
  }
  explicit lanes(packet from)
    requires(!is_wide)
      : p(from) {}
  [[gnu::always_inline]] explicit lanes(packet const& from)
    requires is_wide
      : p(from) {}
  explicit lanes(T value)
    requires(!is_wide)
      : p(Eigen::internal::pset1<packet>(value)) {}
  [[gnu::always_inline]] explicit lanes(T value)
    requires is_wide
  {
    instructions::fill(p, value);
  }

  [[gnu::always_inline]] friend lanes operator+(lanes a, lanes b) { return lanes(a.p + b.p); }
  [[gnu::always_inline]] friend lanes operator-(lanes a, lanes b) { return lanes(a.p - b.p); }
  [[gnu::always_inline]] friend lanes operator*(lanes a, lanes b) { return lanes(a.p * b.p); }
  /// By the machine's division, as `math::quotient`.
  ETCH_DETAIL_INLINED friend lanes operator/(lanes a, lanes b) {
#if defined(__clang__)
#pragma float_control(precise, on)
    return lanes(a.p / b.p);
#else
#if defined(__RECIPROCAL_MATH__) && defined(__SSE__)
    if constexpr (sizeof(T) == 4 && sizeof(packet) == 16) return lanes(__builtin_ia32_divps(a.p, b.p));
#endif
#if defined(__RECIPROCAL_MATH__) && defined(__AVX__)
    if constexpr (sizeof(T) == 4 && sizeof(packet) == 32) return lanes(__builtin_ia32_divps256(a.p, b.p));
#endif
#if defined(__RECIPROCAL_MATH__) && defined(__AVX512F__)
    if constexpr (sizeof(T) == 4 && sizeof(packet) == 64) return lanes(_mm512_maskz_div_ps(0xffff, a.p, b.p));
#endif
    return lanes(a.p / b.p);
#endif
  }
  [[gnu::always_inline]] friend lanes operator-(lanes a) { return lanes(-a.p); }
  [[gnu::always_inline]] friend mask operator<(lanes a, lanes b) {
    if constexpr (is_wide) return mask::less(a, b);
    else return {integers(reinterpret_cast<integer_packet>(a.p < b.p))};
  }
  [[gnu::always_inline]] friend mask operator>(lanes a, lanes b) {
    if constexpr (is_wide) return mask::less(b, a);
    else return {integers(reinterpret_cast<integer_packet>(a.p > b.p))};
  }
  [[gnu::always_inline]] friend mask operator<=(lanes a, lanes b) {
    if constexpr (is_wide) return mask::less_or_equal(a, b);
    else return {integers(reinterpret_cast<integer_packet>(a.p <= b.p))};
  }
  [[gnu::always_inline]] friend mask operator>=(lanes a, lanes b) {
    if constexpr (is_wide) return mask::less_or_equal(b, a);
    else return {integers(reinterpret_cast<integer_packet>(a.p >= b.p))};
  }
  [[gnu::always_inline]] friend mask operator==(lanes a, lanes b) {
    if constexpr (is_wide) return mask::equal(a, b);
    else return {integers(reinterpret_cast<integer_packet>(a.p == b.p))};
  }
  [[gnu::always_inline]] friend mask operator!=(lanes a, lanes b) {
    if constexpr (is_wide) return !mask::equal(a, b);
    else return {integers(reinterpret_cast<integer_packet>(a.p != b.p))};
  }

  [[gnu::always_inline]] friend lanes select(mask c, lanes a, lanes b) {
    if constexpr (is_wide) return instructions::choose(a.p, c.bits.p, b.p), a;
    else return lanes(c.bits ? a.p : b.p);
  }
  [[gnu::always_inline]] friend lanes multiply_add(lanes a, lanes b, lanes c) {
    if constexpr (is_wide) return lanes(a.p * b.p + c.p);
    else return lanes(Eigen::internal::pmadd(a.p, b.p, c.p));
  }
  /// a b + c rounded once; only where `has_fma`.
  [[gnu::always_inline]] friend lanes fused(lanes a, lanes b, lanes c) {
    if constexpr (is_wide) return instructions::fuse(c.p, a.p, b.p), c;
    else return lanes(Eigen::internal::pmadd(a.p, b.p, c.p));
  }
  ETCH_DETAIL_INLINED friend lanes settled(lanes x) {
    if constexpr (is_wide) return math::detail::fence(x.p), x;
    else return lanes(math::detail::fenced(x.p));
  }
  [[gnu::always_inline]] friend lanes quotient(lanes a, lanes b) { return a / b; }
  ETCH_DETAIL_INLINED friend lanes as_written(lanes x) {
    if constexpr (!is_wide) return lanes(math::detail::in_order(x.p));
#if defined(__clang__)
    else return settled(x);
#else
    else return x;  // g++ may not reassociate where there are such registers
#endif
  }
  /// By the machine's instruction, which neither Eigen's psqrt nor -ffast-math gives for float.
  ETCH_DETAIL_INLINED friend lanes root(lanes x) {
#if defined(__clang__) && __has_builtin(__builtin_elementwise_sqrt)
#pragma float_control(precise, on)
    return lanes(__builtin_elementwise_sqrt(x.p));
#elif defined(__SSE2__)
    packet y = x.p;
    if constexpr (is_wide) instructions::root(y);
    else if constexpr (sizeof(packet) == 16 && sizeof(T) == 4) y = _mm_sqrt_ps(x.p);
    else if constexpr (sizeof(packet) == 16) y = _mm_sqrt_pd(x.p);
#if defined(__AVX__)
    else if constexpr (sizeof(packet) == 32 && sizeof(T) == 4) y = _mm256_sqrt_ps(x.p);
    else if constexpr (sizeof(packet) == 32) y = _mm256_sqrt_pd(x.p);
#endif
#if defined(__AVX512F__)
    else if constexpr (sizeof(T) == 4) y = _mm512_maskz_sqrt_ps(0xffff, x.p);
    else y = _mm512_maskz_sqrt_pd(0xff, x.p);
#endif
    return as_written(lanes(y));
#else
    return x.each([](T one, int) ETCH_DETAIL_INLINED_LAMBDA { return math::root(one); });
#endif
  }
  /// `x` within [low, high]; NaN stays.
  ETCH_DETAIL_INLINED friend lanes clamped(lanes x, lanes low, lanes high) {
#if defined(__AVX512F__)  // not Eigen's, of which g++ 12 warns
    if constexpr (sizeof(packet) == 64 && sizeof(T) == 4)
      return lanes(_mm512_maskz_max_ps(0xffff, low.p, _mm512_maskz_min_ps(0xffff, high.p, x.p)));
    else if constexpr (sizeof(packet) == 64)
      return lanes(_mm512_maskz_max_pd(0xff, low.p, _mm512_maskz_min_pd(0xff, high.p, x.p)));
    else
#endif
        if constexpr (is_wide) {
      x = select(high < x, high, x);
      return select(x < low, low, x);
    } else {
      return lanes(Eigen::internal::pmax(Eigen::internal::pmin(x.p, high.p), low.p));
    }
  }
  /// y 2^n for whole n, rounded once.
  ETCH_DETAIL_INLINED friend lanes scaled_by(lanes y, lanes n)
    requires(is_wide && sizeof(packet) == 64)
  {
    return instructions::scale(y.p, n.p), y;
  }
  /// x^(-1/2) to 14 bits, and as it is at 0, infinity and below.
  ETCH_DETAIL_INLINED friend lanes guessed_rsqrt(lanes x)
    requires(is_wide && sizeof(packet) == 64)
  {
    return instructions::guess_rsqrt(x.p), x;
  }
#if defined(__AVX512VL__)
  /// y 2^n for whole n, rounded once.
  ETCH_DETAIL_INLINED friend lanes scaled_by(lanes y, lanes n) {
    if constexpr (sizeof(packet) == 16 && sizeof(T) == 4) return lanes(_mm_scalef_ps(y.p, n.p));
    else if constexpr (sizeof(packet) == 16) return lanes(_mm_scalef_pd(y.p, n.p));
    else if constexpr (sizeof(packet) == 32 && sizeof(T) == 4) return lanes(_mm256_scalef_ps(y.p, n.p));
    else if constexpr (sizeof(packet) == 32) return lanes(_mm256_scalef_pd(y.p, n.p));
    else if constexpr (sizeof(T) == 4) return lanes(_mm512_maskz_scalef_ps(0xffff, y.p, n.p));
    else return lanes(_mm512_maskz_scalef_pd(0xff, y.p, n.p));
  }
  ETCH_DETAIL_INLINED friend lanes guessed_rsqrt(lanes x)
    requires has_fma
  {
    if constexpr (sizeof(packet) == 16 && sizeof(T) == 4) return lanes(_mm_rsqrt14_ps(x.p));
    else if constexpr (sizeof(packet) == 16) return lanes(_mm_rsqrt14_pd(x.p));
    else if constexpr (sizeof(packet) == 32 && sizeof(T) == 4) return lanes(_mm256_rsqrt14_ps(x.p));
    else if constexpr (sizeof(packet) == 32) return lanes(_mm256_rsqrt14_pd(x.p));
    else if constexpr (sizeof(T) == 4) return lanes(_mm512_maskz_rsqrt14_ps(0xffff, x.p));
    else return lanes(_mm512_maskz_rsqrt14_pd(0xff, x.p));
  }
#endif
  ETCH_DETAIL_INLINED friend integers bits(lanes x) { return integers(reinterpret_cast<integer_packet>(x.p)); }
  ETCH_DETAIL_INLINED friend lanes from_bits(lanes, integers i) {
    if constexpr (is_wide) return lanes(reinterpret_cast<packet>(i.p));
    else return lanes(reinterpret_cast<packet>(i));
  }
  ETCH_DETAIL_INLINED friend lanes to_real(lanes, integers i) {
    if constexpr (is_wide) return lanes(__builtin_convertvector(i.p, packet));
    else return lanes(__builtin_convertvector(i, packet));
  }
  ETCH_DETAIL_INLINED friend lanes beyond(lanes x, lanes limit, lanes otherwise, auto f) {
    lanes const far = select((x > limit) | (x < -limit), lanes(T(1)), lanes(T(0)));
    if (!(far.across([](auto a, auto b) ETCH_DETAIL_INLINED_LAMBDA { return select(a > b, a, b); }) > 0))
      return otherwise;
    return x.each([&](T one, int i)
                      ETCH_DETAIL_INLINED_LAMBDA { return math::beyond(one, limit[0], otherwise[i], f); });
  }

  /// `f(x...)` computed in double, in two registers of half as many lanes where one is not wide enough, and rounded.
  ETCH_DETAIL_INLINED friend lanes in_double(auto f, lanes x, std::same_as<lanes> auto... more) {
    if constexpr (sizeof(T) == 8) return f(x, more...);
    else if constexpr (Width <= widest<double>)
      return lanes(__builtin_convertvector(
          f(lanes<double, Width>(__builtin_convertvector(x.p, typename lanes<double, Width>::packet)),
            lanes<double, Width>(__builtin_convertvector(more.p, typename lanes<double, Width>::packet))...)
              .p,
          packet));
    else
      return joined(f(x.template widened<0>(), more.template widened<0>()...),
                    f(x.template widened<1>(), more.template widened<1>()...));
  }

  ETCH_DETAIL_INLINED T operator[](int i) const { return p[i]; }

  /// The lowest `count` bits, for a mask of one bit a lane.
  ETCH_DETAIL_INLINED static constexpr auto first_bits(int count) {
    return static_cast<std::conditional_t<(width > 8), std::uint16_t, std::uint8_t>>((1u << count) - 1u);
  }

  /// `f(entry, index)` of every lane.
  ETCH_DETAIL_INLINED lanes each(auto f) const {
    alignas(64) T entry[width];
    store(entry);
    for (int i = 0; i < width; ++i) entry[i] = f(entry[i], i);
    return load(entry);
  }

  using wide = lanes<double, Width / 2>;
  typedef T half_packet __attribute__((vector_size(sizeof(packet) / 2)));

  /// The lower or the upper half of the lanes, in double.
  template <int Upper>
  ETCH_DETAIL_INLINED auto widened() const {
    return [&]<int... I>(std::integer_sequence<int, I...>) ETCH_DETAIL_INLINED_LAMBDA {
      half_packet const half = __builtin_shufflevector(p, p, (I + Upper * (width / 2))...);
      return wide(__builtin_convertvector(half, typename wide::packet));
    }(std::make_integer_sequence<int, width / 2>{});
  }
  /// The lanes whose halves are `low` and `high`, rounded.
  ETCH_DETAIL_INLINED static lanes joined(wide low, wide high) {
    return [&]<int... I>(std::integer_sequence<int, I...>) ETCH_DETAIL_INLINED_LAMBDA {
      return lanes(__builtin_shufflevector(__builtin_convertvector(low.p, half_packet),
                                           __builtin_convertvector(high.p, half_packet), I...));
    }(std::make_integer_sequence<int, width>{});
  }

  /// 0, 1, 2, ...
  ETCH_DETAIL_INLINED static lanes count_up() {
    return [&]<int... I>(std::integer_sequence<int, I...>) ETCH_DETAIL_INLINED_LAMBDA {
      return lanes(packet{static_cast<T>(I)...});
    }(std::make_integer_sequence<int, width>{});
  }

  [[gnu::always_inline]] static mask among_first(int count) { return count_up() < lanes(static_cast<T>(count)); }

  /// The first `count` lanes from memory of any alignment; the others are 0 and their memory is not touched.
  [[gnu::always_inline]] static inline lanes load(T const* from, int count) {
#if defined(__AVX512VL__)
    if constexpr (sizeof(packet) == 16 && sizeof(T) == 4) return lanes(_mm_maskz_loadu_ps(first_bits(count), from));
    else if constexpr (sizeof(packet) == 16) return lanes(_mm_maskz_loadu_pd(first_bits(count), from));
    else if constexpr (sizeof(packet) == 32 && sizeof(T) == 4)
      return lanes(_mm256_maskz_loadu_ps(first_bits(count), from));
    else if constexpr (sizeof(packet) == 32) return lanes(_mm256_maskz_loadu_pd(first_bits(count), from));
    else if constexpr (sizeof(T) == 4) return lanes(_mm512_maskz_loadu_ps(first_bits(count), from));
    else return lanes(_mm512_maskz_loadu_pd(first_bits(count), from));
#elif defined(__AVX__)
    // Entries put together on the stack would wait there for each other: seven times as slow in a convolution.
    integers const those = among_first(count).bits;
    if constexpr (sizeof(packet) == 16 && sizeof(T) == 4) return lanes(_mm_maskload_ps(from, __m128i(those)));
    else if constexpr (sizeof(packet) == 16) return lanes(_mm_maskload_pd(from, __m128i(those)));
    else if constexpr (sizeof(T) == 4) return lanes(_mm256_maskload_ps(from, __m256i(those)));
    else return lanes(_mm256_maskload_pd(from, __m256i(those)));
#else
    if constexpr (is_wide) {
      packet p;
      return instructions::load(p, from, count), lanes(p);
    } else {
      return gather(from, 1, count);
    }
#endif
  }
  template <int Count = width>
  ETCH_DETAIL_INLINED static lanes load(T const* from) {
    if constexpr (Count != width) {
      return load(from, Count);
    } else if constexpr (is_wide) {
      packet p;
      return instructions::load(p, from), lanes(p);
    } else {
      return lanes(Eigen::internal::ploadu<packet>(from));
    }
  }

  /// The first `count` lanes to memory of any alignment; nothing else is touched.
  [[gnu::always_inline]] inline void store(T* to, int count) const {
#if defined(__AVX512VL__)
    if constexpr (sizeof(packet) == 16 && sizeof(T) == 4) _mm_mask_storeu_ps(to, first_bits(count), p);
    else if constexpr (sizeof(packet) == 16) _mm_mask_storeu_pd(to, first_bits(count), p);
    else if constexpr (sizeof(packet) == 32 && sizeof(T) == 4) _mm256_mask_storeu_ps(to, first_bits(count), p);
    else if constexpr (sizeof(packet) == 32) _mm256_mask_storeu_pd(to, first_bits(count), p);
    else if constexpr (sizeof(T) == 4) _mm512_mask_storeu_ps(to, first_bits(count), p);
    else _mm512_mask_storeu_pd(to, first_bits(count), p);
#else
    if constexpr (is_wide) instructions::store(p, to, count);
    else scatter(to, 1, count);
#endif
  }
  template <int Count = width>
  ETCH_DETAIL_INLINED void store(T* to) const {
    if constexpr (Count != width) store(to, Count);
    else if constexpr (is_wide) instructions::store(p, to);
    else Eigen::internal::pstoreu(to, p);
  }

  /// The first `count` lanes from memory `step` entries apart, converted from another element type where needed.
  template <class S>
  [[gnu::always_inline]] static inline lanes gather(S const* from, std::ptrdiff_t step, int count) {
    alignas(64) T entry[width]{};
    for (int i = 0; i < count; ++i) entry[i] = static_cast<T>(from[i * step]);
    return load(entry);
  }
  template <int Count = width, class S>
  ETCH_DETAIL_INLINED static lanes gather(S const* from, std::ptrdiff_t step) {
    return gather(from, step, Count);
  }

  /// The first `count` lanes to memory `step` entries apart.
  [[gnu::always_inline]] inline void scatter(T* to, std::ptrdiff_t step, int count) const {
    alignas(64) T entry[width];
    store(entry);
    for (int i = 0; i < count; ++i) to[i * step] = entry[i];
  }
  template <int Count = width>
  ETCH_DETAIL_INLINED void scatter(T* to, std::ptrdiff_t step) const {
    scatter(to, step, Count);
  }

  /// The first `count` lanes; `fill` in the others.
  ETCH_DETAIL_INLINED lanes first(int count, T fill) const { return select(among_first(count), *this, lanes(fill)); }

  /// The lower or the upper half of the lanes.
  template <int Upper>
  ETCH_DETAIL_INLINED auto half() const {
    return [&]<int... I>(std::integer_sequence<int, I...>) ETCH_DETAIL_INLINED_LAMBDA {
      return lanes<T, width / 2>(__builtin_shufflevector(p, p, (I + Upper * (width / 2))...));
    }(std::make_integer_sequence<int, width / 2>{});
  }

  /// All lanes combined, as a balanced tree: `combine` takes registers of any width.
  template <int Half = width / 2>
  ETCH_DETAIL_INLINED T across(auto combine) const {
    if constexpr (Half == 0) {
      return p[0];
    } else if constexpr (sizeof(packet) > 16) {
      return combine(half<0>(), half<1>()).across(combine);
    } else {
      packet const other = [&]<int... I>(std::integer_sequence<int, I...>) ETCH_DETAIL_INLINED_LAMBDA {
        return __builtin_shufflevector(p, p, ((I + Half) % width)...);
      }(std::make_integer_sequence<int, width>{});
      return combine(*this, lanes(other)).template across<Half / 2>(combine);
    }
  }
};

/// The number type of a register with `Width` entries of `T`.
template <class T, int Width>
struct number_of_width {
  using type = lanes<T, Width>;
};
template <class T>
struct number_of_width<T, 1> {
  using type = T;
};

template <class V>
inline constexpr int width_of = 1;
template <class T, int Width>
inline constexpr int width_of<lanes<T, Width>> = Width;

ETCH_NAMESPACE_END

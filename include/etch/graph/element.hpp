// Element types of tensors, as values a graph can hold.
#pragma once

#include <etch/base/machine.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>

ETCH_NAMESPACE_BEGIN

/// The scalar type of a tensor's entries. Floating types take part in differentiation; the others are labels and
/// indices. Where a loop takes its points in lanes, an entry becomes as many neighbours, that of one point in each
/// lane: `lanes_like` has all such types. Of the two that fill a register there are names.
enum class element : std::uint8_t {
  boolean,
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f32,
  f64,
  f32_lanes = 16 + f32,  ///< 16: as many points as a register holds floats,
  f64_lanes = 32 + f64   ///< 32: or doubles
};

namespace detail {
constexpr element integral_element(bool is_signed, std::size_t bytes) {
  switch (bytes) {
    case 1:
      return is_signed ? element::i8 : element::u8;
    case 2:
      return is_signed ? element::i16 : element::u16;
    case 4:
      return is_signed ? element::i32 : element::u32;
    default:
      return is_signed ? element::i64 : element::u64;
  }
}
}  // namespace detail

/// Arithmetic types that a tensor may hold.
template <class T>
concept scalar = std::is_arithmetic_v<T> && !std::is_same_v<T, long double> && std::is_same_v<T, std::remove_cv_t<T>>;

/// The element type of a constant until it meets a value that has one (`core/constant.hpp`): the floating type that no
/// tensor has. In a graph of such constants alone numbers are doubles.
using undetermined = long double;

/// The element type that stands for the C++ type `T`.
template <class T>
  requires(scalar<T> || std::is_same_v<T, undetermined>)
inline constexpr element element_of = [] {
  if constexpr (std::is_same_v<T, bool>) return element::boolean;
  else if constexpr (std::is_same_v<T, float>) return element::f32;
  else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, undetermined>) return element::f64;
  else return detail::integral_element(std::is_signed_v<T>, sizeof(T));
}();

/// Whether `e` is float or double.
constexpr bool is_floating(element e) { return e == element::f32 || e == element::f64; }

/// Whether `e` holds an entry of several points, one in each lane.
constexpr bool is_lanes(element e) { return e >= element{16}; }
/// A register of entries of the floating type `e`.
constexpr element lanes_of(element e) { return e == element::f32 ? element::f32_lanes : element::f64_lanes; }
/// The type of one lane.
constexpr element entry_of(element e) { return static_cast<element>(static_cast<int>(e) & 15); }
/// Entries of type `e`, of as many points as `lanes` holds.
constexpr element lanes_like(element lanes, element e) {
  return static_cast<element>((static_cast<int>(lanes) & 48) | (static_cast<int>(e) & 15));
}
/// The number of points that code for `set` computes at a time: the first ones of which `e` holds an entry.
constexpr int points_at_a_time(element e, vectors set) {
  return !is_lanes(e) ? 1 : bytes_of_register(set) / (e < element{32} ? 4 : 8);
}
/// The number of points of which `e` holds an entry.
constexpr int points_in(element e) { return points_at_a_time(e, widest_vectors); }
/// The bits that an element type needs.
inline constexpr int element_bits = 6;

/// Calls `f` with a value of the C++ type that stands for `e`.
constexpr decltype(auto) with_element(element e, auto&& f) {
  switch (e) {
    case element::boolean:
      return f(false);
    case element::i8:
      return f(std::int8_t{});
    case element::u8:
      return f(std::uint8_t{});
    case element::i16:
      return f(std::int16_t{});
    case element::u16:
      return f(std::uint16_t{});
    case element::i32:
      return f(std::int32_t{});
    case element::u32:
      return f(std::uint32_t{});
    case element::i64:
      return f(std::int64_t{});
    case element::u64:
      return f(std::uint64_t{});
    case element::f32:
      return f(float{});
    default:
      return f(double{});
  }
}

/// The C++ type of an element known at compile time, or of one lane of it.
template <element E>
using scalar_of =
    std::tuple_element_t<static_cast<std::size_t>(entry_of(E)),
                         std::tuple<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                    std::uint32_t, std::int64_t, std::uint64_t, float, double>>;

namespace detail {
inline constexpr int bytes_of_elements[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
}
/// Size of one entry in bytes, of all lanes.
constexpr int bytes_of(element e) {
  return detail::bytes_of_elements[static_cast<int>(e) & 15] * (is_lanes(e) ? points_in(e) : 1);
}

constexpr char const* name_of(element e) {
  constexpr char const* names[] = {"bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"};
  constexpr char const* in_lanes[] = {"bool lanes", "i8 lanes",  "u8 lanes",  "i16 lanes", "u16 lanes", "i32 lanes",
                                      "u32 lanes",  "i64 lanes", "u64 lanes", "f32 lanes", "f64 lanes"};
  return (is_lanes(e) ? in_lanes : names)[static_cast<int>(entry_of(e))];
}

ETCH_NAMESPACE_END

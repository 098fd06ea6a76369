#include <etch/graph/element.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace {

using namespace etch;

// Every arithmetic type but long double may be an entry; nothing else may.
static_assert(scalar<bool> && scalar<char> && scalar<signed char> && scalar<unsigned char> && scalar<wchar_t> &&
              scalar<char8_t> && scalar<char16_t> && scalar<char32_t>);
static_assert(scalar<short> && scalar<unsigned short> && scalar<int> && scalar<unsigned> && scalar<long> &&
              scalar<unsigned long> && scalar<long long> && scalar<unsigned long long>);
static_assert(scalar<float> && scalar<double>);
enum class colour : int { red };
static_assert(!scalar<long double> && !scalar<float const> && !scalar<float volatile> && !scalar<float&> &&
              !scalar<float*> && !scalar<void> && !scalar<colour>);

static_assert(element_of<bool> == element::boolean);
static_assert(element_of<std::int8_t> == element::i8 && element_of<std::uint8_t> == element::u8);
static_assert(element_of<std::int16_t> == element::i16 && element_of<std::uint16_t> == element::u16);
static_assert(element_of<std::int32_t> == element::i32 && element_of<std::uint32_t> == element::u32);
static_assert(element_of<std::int64_t> == element::i64 && element_of<std::uint64_t> == element::u64);
static_assert(element_of<float> == element::f32 && element_of<double> == element::f64);

// Types of one size and sign are one element, whatever C++ calls them.
static_assert(element_of<long long> == element_of<std::int64_t> &&
              element_of<unsigned long long> == element_of<std::uint64_t>);
static_assert(element_of<char> == (std::is_signed_v<char> ? element::i8 : element::u8));
static_assert(element_of<char8_t> == element::u8 && element_of<char16_t> == element::u16 &&
              element_of<char32_t> == element::u32);

/// The element of `T` has the size and the kind of `T`, and its own C++ type leads back to it.
template <class... T>
constexpr bool faithful = ((bytes_of(element_of<T>) == static_cast<int>(sizeof(T)) &&
                            is_floating(element_of<T>) == std::is_floating_point_v<T> &&
                            std::is_signed_v<scalar_of<element_of<T>>> == std::is_signed_v<T> &&
                            element_of<scalar_of<element_of<T>>> == element_of<T>) &&
                           ...);
static_assert(
    faithful<bool, char, signed char, unsigned char, wchar_t, char8_t, char16_t, char32_t, short, unsigned short, int,
             unsigned, long, unsigned long, long long, unsigned long long, float, double>);

static_assert(std::is_same_v<scalar_of<element::boolean>, bool> &&
              std::is_same_v<scalar_of<element::i32>, std::int32_t>);
static_assert(std::is_same_v<scalar_of<element::f32>, float> && std::is_same_v<scalar_of<element::f64>, double>);

/// `with_element` hands over a zero of the very type that stands for the element.
template <element E>
constexpr bool stands_for =
    with_element(E, [](auto zero) { return std::is_same_v<decltype(zero), scalar_of<E>> && zero == decltype(zero){}; });
static_assert(stands_for<element::boolean> && stands_for<element::i8> && stands_for<element::u8> &&
              stands_for<element::i16> && stands_for<element::u16>);
static_assert(stands_for<element::i32> && stands_for<element::u32> && stands_for<element::i64> &&
              stands_for<element::u64>);
static_assert(stands_for<element::f32> && stands_for<element::f64>);

TEST_CASE("elements have the short names that texts use, no two alike") {
  CHECK(std::string(name_of(element_of<bool>)) == "bool");
  CHECK(std::string(name_of(element_of<signed char>)) == "i8");
  CHECK(std::string(name_of(element_of<unsigned short>)) == "u16");
  CHECK(std::string(name_of(element_of<int>)) == "i32");
  CHECK(std::string(name_of(element_of<unsigned long long>)) == "u64");
  CHECK(std::string(name_of(element_of<float>)) == "f32");
  CHECK(std::string(name_of(element_of<double>)) == "f64");
  std::set<std::string> names;
  for (int e = 0; e <= static_cast<int>(element::f64); ++e) names.insert(name_of(static_cast<element>(e)));
  CHECK(names.size() == 11);
}

}  // namespace

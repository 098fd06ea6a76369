#include <etch/base/version.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <typeinfo>

namespace {

#define ETCH_TEST_TEXT_OF(x) #x
#define ETCH_TEST_TEXT(x) ETCH_TEST_TEXT_OF(x)

struct probe {};

// The tagged namespace is inline: with and without its name, the same entity.
static_assert(std::is_same_v<etch::version_numbers, etch::ETCH_ABI::version_numbers>);

/// The vector width these tests were compiled for, as the compiler tells it.
std::string vector_width() {
#if defined(EIGEN_DONT_VECTORIZE)
  return "scalar";
#elif defined(__AVX512F__)
  return "avx512";
#elif defined(__AVX2__)
  return "avx2";
#elif defined(__AVX__)
  return "avx";
#elif defined(__SSE2__)
  return "sse2";
#elif defined(__ARM_NEON)
  return "neon";
#else
  return "scalar";
#endif
}

TEST_CASE("every symbol carries the version and the vector width") {
  std::string const symbol = typeid(etch::version_numbers).name();
  CHECK(symbol.find(vector_width()) != std::string::npos);
  std::string const numbers = "v" + std::to_string(etch::version.major) + "_" + std::to_string(etch::version.minor);
  CHECK(symbol.find(numbers) != std::string::npos);
  CHECK(symbol.find(ETCH_TEST_TEXT(ETCH_ABI)) != std::string::npos);
  CHECK(std::string(typeid(probe).name()).find(numbers) == std::string::npos);
}

}  // namespace
